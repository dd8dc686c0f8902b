package spectrum

import (
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// ExplainTo writes the contribution of every position of x to score m: the weight of each occurrence of a k-mer,
// divided by its length, at each of its positions. Contributions sum to the score up to rounding. O(K²·|x|) with
// Bounded, else O(K·|x|).
func (s *scorer) ExplainTo(dst []float64, m int, x []byte) {
	s.prepare()
	dst = dst[:len(x)]
	clear(dst)
	row := make([]float64, s.outputs)
	for lo, hi := range s.coder.Runs(context.Background(), x) {
		for p := lo; p < hi; p++ {
			code := uint64(0)
			for l := 1; l <= min(s.coder.K, hi-p); l++ {
				code = code<<(s.coder.Bits&63) | uint64(s.coder.Letter[x[p+l-1]])
				if l < s.shortest {
					continue
				}
				s.ownTo(row, code, l)
				share := row[m] / float64(l)
				for i := range dst[p : p+l] {
					dst[p+i] += share
				}
			}
		}
	}
}

// TopFeatures lists k-mers with their weights: see stringkernel.FeatureLister. With Bounded it leaves out a k-mer if
// one with a letter more, on either side, has at least half its weight. O(log) for each k-mer with a weight.
func (s *scorer) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	total, explained := 0, map[*float64]bool{}
	for i := range s.weights[1:] {
		s.markExplained(explained, mix, &s.weights[i], &s.weights[i+1])
	}
	for _, l := range s.weights {
		total += len(l.codes)
	}
	find := func(i int) (*level, int) { // k-mer i of all levels
		for m := range s.weights {
			l := &s.weights[m]
			if i < len(l.codes) {
				return l, i
			}
			i -= len(l.codes)
		}
		panic("spectrum: no such k-mer")
	}
	return stringkernel.StrongestOf(total, n,
		func(i int) float64 {
			l, at := find(i)
			row := l.row(at, s.outputs)
			if explained[&row[0]] {
				return 0
			}
			return stringkernel.Mix(mix, row)
		},
		func(i int) string {
			l, at := find(i)
			c := kmer.New(s.alphabet, l.length)
			return c.String(l.codes[at])
		})
}

// half is the share of a k-mer's weight from which on one with a letter more explains it, up to rounding.
const half = 0.5 - 1e-9

// markExplained marks the rows of k-mers whose weight is that of one with a letter more, by half or more.
func (s *scorer) markExplained(explained map[*float64]bool, mix []float64, short, long *level) {
	last := kmer.LowBits(s.coder.Bits * uint(short.length))
	for i, code := range long.codes {
		weight := stringkernel.Mix(mix, long.row(i, s.outputs))
		for _, part := range []uint64{code >> s.coder.Bits, code & last} {
			at, found := slices.BinarySearch(short.codes, part)
			if !found {
				continue
			}
			row := short.row(at, s.outputs)
			if w := stringkernel.Mix(mix, row); w != 0 && weight/w >= half {
				explained[&row[0]] = true
			}
		}
	}
}

// FeaturesOf lists the k-mers of x with their weights: see stringkernel.FeatureLister. O(K·|x| log) for the k-mers with
// a weight.
func (s *scorer) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	var list []stringkernel.Feature
	for _, l := range s.weights {
		c := kmer.New(s.alphabet, l.length)
		c.EachCount(x, func(code uint64, count int) {
			if at, found := slices.BinarySearch(l.codes, code); found {
				weight := stringkernel.Mix(mix, l.row(at, s.outputs))
				list = append(list, stringkernel.Feature{
					Text: c.String(code), Weight: weight, Count: count, Contribution: float64(weight * float64(count)),
				})
			}
		})
	}
	return stringkernel.StrongestContributions(list, n)
}
