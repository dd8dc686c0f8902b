package bitslice

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// Sums of neighbours are popcounts, and SumsNear has their low planes where they are below 4.
func TestSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for length := 1; length <= 32; length++ {
		for _, m := range []uint64{0, 1<<64 - 1, rng.Uint64(),
			rng.Uint64() & rng.Uint64() & rng.Uint64() & rng.Uint64()} {
			var planes [6]uint64
			planes[0], planes[1], planes[2], planes[3], planes[4], planes[5] = Sums(m, length)
			b0, b1, far := SumsNear(m, length)
			for i := range 64 - length + 1 {
				want, got := bits.OnesCount64(m>>i&(1<<length-1)), 0
				for p, plane := range planes {
					got |= int(plane>>i&1) << p
				}
				if got != want {
					t.Fatalf("%d of %x at %d: %d, want %d", length, m, i, got, want)
				}
				if near := int(b0>>i&1 | b1>>i&1<<1); far>>i&1 != 0 != (want >= 4) || want < 4 && near != want {
					t.Fatalf("%d of %x at %d: near %d, far %d, want %d", length, m, i, near, far>>i&1, want)
				}
			}
		}
	}
}

func TestCounter(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var c Counter
	var want [61]int32
	for range 600 {
		var eight [8]uint64
		for i := range eight {
			eight[i] = rng.Uint64() | rng.Uint64()
			for lane := range want {
				want[lane] += int32(eight[i] >> lane & 1)
			}
		}
		c.Add(&eight)
	}
	var got [len(want)]int32
	c.Read(got[:])
	if got != want {
		t.Errorf("%v, want %v", got, want)
	}
}
