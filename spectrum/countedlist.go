package spectrum

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// ExplainTo divides what a k-mer adds to score m evenly among its occurrences, and of each among its letters.
// Contributions sum to the score up to rounding. O(K·|x|) for each length.
func (s *countedScorer) ExplainTo(dst []float64, m int, x []byte) {
	dst = dst[:len(x)]
	clear(dst)
	s.arranged.Get(context.Background())
	record := s.kernel.record(x)
	for i := range s.levels {
		l := &s.levels[i]
		pooled := scratch.BorrowOf[uint32](&s.counts, l.total)
		counts := *pooled
		for _, code := range l.coder.All(record) {
			if number := l.number(code); number >= 0 {
				counts[number]++
			}
		}
		for at, code := range l.coder.All(record) {
			if number := l.number(code); number >= 0 {
				n := int(counts[number])
				l.spread(dst, at, s.valueOf(l, number, n, m)/float64(n*l.coder.K))
			}
		}
		for _, code := range l.coder.All(record) {
			if number := l.number(code); number >= 0 {
				counts[number] = 0
			}
		}
		s.counts.Put(pooled)
	}
}

// TrackTo writes score m of all windows of x: a k-mer that enters or leaves one changes its count. O(1) per window for
// each length.
func (s *countedScorer) TrackTo(dst []float64, m int, x []byte, window int) {
	s.arranged.Get(context.Background())
	dst = dst[:len(x)-window+1]
	clear(dst)
	strands := [][]byte{x}
	if s.kernel.rc {
		strands = append(strands, s.kernel.Alphabet.ReverseComplementTo(nil, x))
	}
	sums := make([]float64, len(dst))
	for i := range s.levels {
		l := &s.levels[i]
		if l.coder.K > window {
			break
		}
		places := len(x) - l.coder.K + 1
		numbers := make([]int32, places*len(strands))
		for at := range numbers {
			numbers[at] = -1
		}
		for strand, y := range strands {
			for at, code := range l.coder.All(y) {
				if strand > 0 {
					at = 2*places - 1 - at
				}
				numbers[at] = l.number(code)
			}
		}
		counts := scratch.BorrowOf[uint32](&s.counts, l.total)
		slideTo(sums, window-l.coder.K+1, places, numbers, *counts, func(number int32, n uint32) float64 {
			return s.valueOf(l, number, int(n)+1, m) - s.valueOf(l, number, int(n), m)
		})
		s.counts.Put(counts)
		for p, sum := range sums {
			dst[p] += sum
		}
	}
}

// TopFeatures lists k-mers with what one occurrence of each adds: see stringkernel.FeatureLister. O(k-mers with a
// weight).
func (s *countedScorer) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	s.arranged.Get(context.Background())
	total := 0
	for i := range s.levels {
		total += s.levels[i].total
	}
	find := func(i int) (*countedLevel, int32) { // k-mer i of all levels
		for at := range s.levels {
			l := &s.levels[at]
			if i < l.total {
				return l, int32(i)
			}
			i -= l.total
		}
		panic("spectrum: no such k-mer")
	}
	return stringkernel.StrongestOf(total, n,
		func(i int) float64 {
			l, number := find(i)
			return s.mixed(mix, l, number, 1)
		},
		func(i int) string {
			l, number := find(i)
			return l.text(number)
		})
}

// mixed returns what n occurrences of a k-mer add to a mixture of outputs.
func (s *countedScorer) mixed(mix []float64, l *countedLevel, number int32, n int) (sum float64) {
	for m, a := range mix {
		sum += float64(a * s.valueOf(l, number, n, m))
	}
	return sum
}

// FeaturesOf lists the k-mers of x with what they add: see stringkernel.FeatureLister.
func (s *countedScorer) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	var list []stringkernel.Feature
	s.eachCount(s.kernel.record(x), func(l *countedLevel, number int32, count int) {
		value := s.mixed(mix, l, number, count)
		list = append(list, stringkernel.Feature{
			Text: l.text(number), Weight: value / float64(count), Count: count, Contribution: value,
		})
	})
	return stringkernel.StrongestContributions(list, n)
}
