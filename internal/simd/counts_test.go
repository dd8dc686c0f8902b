package simd

import (
	"math/rand/v2"
	"testing"
)

// TestSumCounts sums numbers of 16 bits by each set of loops and one by one, up to the greatest that they hold.
func TestSumCounts(t *testing.T) {
	defer func(before func(*Counts, *[1 << 16]Counts, []uint16, []uint16)) { sumCounts = before }(sumCounts)
	r := rand.New(rand.NewPCG(16, 10))
	table := new([1 << 16]Counts)
	number := func(c *Counts, i int) uint64 { return c[i/4] >> (16 * uint(i%4)) & (1<<16 - 1) }
	for _, n := range []int{0, 1, 2, 5, 64} {
		rows, times := make([]uint16, n), make([]uint16, n)
		for e := range rows {
			rows[e], times[e] = uint16(r.Uint32()), uint16(r.Uint32N(4))
			for i := range table[rows[e]] {
				table[rows[e]][i] = r.Uint64() & 0x00ff00ff00ff00ff
			}
		}
		if n == 1 {
			times[0], table[rows[0]] = 1<<16-1, Counts{1, 1 << 16, 1 << 32, 1 << 48}
		}
		for _, by := range [][]uint16{nil, times} {
			var want [32]uint64
			for e, row := range rows {
				for i := range want {
					count := uint64(1)
					if by != nil {
						count = uint64(by[e])
					}
					want[i] += number(&table[row], i) * count
				}
			}
			for name, sum := range countSets {
				sumCounts = sum
				got := Counts{1}
				SumCounts(&got, table, rows, by)
				for i, w := range want {
					if number(&got, i) != w {
						t.Fatalf("%s: number %d of %d rows is %d, want %d", name, i, n, number(&got, i), w)
					}
				}
			}
		}
	}
}
