package planted

import (
	"math/bits"
	"math/rand/v2"
)

// stream is the second word of every seed; it spells "seqsvm" in ASCII.
const stream = 0x73657173766d

// source draws integers from PCG-DXSM. It takes the generator's 64-bit outputs,
// which are fixed for all time, and nothing else of math/rand/v2, so that the sets
// depend on no choice of the standard library.
type source struct{ pcg *rand.PCG }

// newSource returns the source of a seed.
func newSource(seed uint64) source { return source{rand.NewPCG(seed, stream)} }

// below draws uniformly from 0 … n−1, n ≥ 1: the high word of a product with n,
// with the draws rejected that would favour some results (Lemire 2019,
// doi:10.1145/3230636).
func (s source) below(n int) int {
	high, low := bits.Mul64(s.pcg.Uint64(), uint64(n))
	if low < uint64(n) {
		uneven := -uint64(n) % uint64(n) // 2⁶⁴ mod n
		for low < uneven {
			high, low = bits.Mul64(s.pcg.Uint64(), uint64(n))
		}
	}
	return int(high)
}

// choose draws k of the numbers 0 … n−1, each subset equally likely, in order of
// drawing; k ≤ n. It is Floyd's method, whose memory grows with k only.
func (s source) choose(k, n int) []int {
	chosen := make([]int, 0, k)
	taken := make(map[int]bool, k)
	for top := n - k; top < n; top++ {
		draw := s.below(top + 1)
		if taken[draw] {
			draw = top
		}
		taken[draw] = true
		chosen = append(chosen, draw)
	}
	return chosen
}

// shuffle puts n things in a random order, all orders equally likely.
func (s source) shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, s.below(i+1))
	}
}
