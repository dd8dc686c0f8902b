package spectrum

import (
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/internal/scratch"
)

// Outputs returns the number of scores per sequence.
func (s *scorer) Outputs() int { return s.outputs }

// ScoreTo writes the scores of x into dst. O(|x|) for one output, whatever the number of support vectors.
func (s *scorer) ScoreTo(dst []float64, x []byte) {
	s.prepare()
	if s.outputs == 1 {
		dst[0] = s.scoreOne(x)
	} else {
		s.scoreRows(dst[:s.outputs], x)
	}
}

// blockSize is the number of k-mers whose values are found together. Each step is a loop over the block whose iterations
// do not wait for one another, so that the misses of many k-mers overlap; searching one k-mer at a time would wait for
// every miss after a branch that is hard to predict.
const blockSize = 256

// scoreOne scores with one output: the values of k-mers of K letters go to four sums, by number mod 4, the shorter
// k-mers at the ends of runs, longest first, to a fifth.
func (s *scorer) scoreOne(x []byte) float64 {
	var values [blockSize]float64
	var sums [4]float64
	c := counters.Get().(*counter)
	defer counters.Put(c)
	s.coder.EachPiece(&c.codes, x, false, func(codes []uint64) {
		for block := range slices.Chunk(codes, blockSize) {
			s.valuesTo(values[:len(block)], block, 0)
			for i, value := range values[:len(block)] {
				sums[i&3] += value
			}
		}
	})
	ends := 0.0
	if s.kernel.Bounded {
		for _, t := range s.coder.Tails(context.Background(), x) {
			ends += s.value(t.Code, t.Length, 0)
		}
	}
	return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ends
}

// valuesTo writes the values of at most blockSize k-mers of K letters for output m. A filter first drops most k-mers
// that a lookup would not find.
func (s *scorer) valuesTo(values []float64, codes []uint64, m int) {
	if s.dense == 0 {
		clear(values)
	} else {
		table, shift, outputs := s.tables[s.dense][m:], s.coder.Bits*uint(s.coder.K-s.dense)&63, uint64(s.outputs)
		for i, code := range codes {
			values[i] = table[(code>>shift)*outputs]
		}
	}
	if s.dense == s.coder.K {
		return
	}
	var likely [blockSize]uint16
	for i := range likely {
		likely[i] = uint16(i)
	}
	n := len(codes)
	for length := max(s.dense+1, s.kernel.shortest()); length <= s.coder.K; length++ {
		l, shift := s.deep[length], s.coder.Bits*uint(s.coder.K-length)&63
		n = l.passing(&likely, n, codes, shift)
		for _, i := range likely[:n] {
			if row := l.row(codes[i] >> shift); row != nil {
				values[i] += row[m]
			}
		}
	}
}

// scoreRows scores any number of outputs, each as scoreOne does.
func (s *scorer) scoreRows(dst []float64, x []byte) {
	m := s.outputs
	pooled := scratch.Borrow(&scratch.Pool, 6*m)
	defer scratch.Pool.Put(pooled)
	sums, row := (*pooled)[:5*m], (*pooled)[5*m:]
	clear(sums)
	add := func(sums []float64, code uint64, length int) {
		clear(row)
		s.addTo(row, code, length)
		addTo(sums, row)
	}
	c := counters.Get().(*counter)
	defer counters.Put(c)
	s.coder.EachPiece(&c.codes, x, false, func(codes []uint64) {
		for i, code := range codes {
			add(sums[(i&3)*m:], code, s.coder.K)
		}
	})
	if s.kernel.Bounded {
		for _, t := range s.coder.Tails(context.Background(), x) {
			add(sums[4*m:], t.Code, t.Length)
		}
	}
	for o := range dst {
		dst[o] = ((sums[o] + sums[m+o]) + (sums[2*m+o] + sums[3*m+o])) + sums[4*m+o]
	}
}

// addTo adds the weights of a k-mer of the given length (K, or 1…K with Bounded), and with Bounded of its prefixes.
func (s *scorer) addTo(dst []float64, code uint64, length int) {
	direct := min(s.dense, length)
	if direct > 0 {
		addTo(dst, s.tableRow(code>>(s.coder.Bits*uint(length-direct)&63), direct))
	}
	for l := max(direct+1, s.kernel.shortest()); l <= length; l++ {
		prefix := code >> (s.coder.Bits * uint(length-l) & 63)
		addTo(dst, s.deep[l].row(prefix))
	}
}

// tableRow returns the row of a k-mer in an array.
func (s *scorer) tableRow(code uint64, length int) []float64 {
	return s.tables[length][int(code)*s.outputs:][:s.outputs]
}

// ownTo writes the weights of a k-mer: those of an array with Bounded are what its row has beyond that of its prefix.
func (s *scorer) ownTo(dst []float64, code uint64, length int) {
	clear(dst)
	if length > s.dense {
		addTo(dst, s.deep[length].row(code))
		return
	}
	copy(dst, s.tableRow(code, length))
	if s.kernel.Bounded && length > 1 {
		for m, value := range s.tableRow(code>>s.coder.Bits, length-1) {
			dst[m] -= value
		}
	}
}

// ExplainTo writes the contribution of every position of x to score m: the weight of each occurrence of a k-mer,
// divided by its length, at each of its positions. Contributions sum to the score up to rounding. O(K²·|x|) with
// Bounded, else O(K·|x|).
func (s *scorer) ExplainTo(dst []float64, m int, x []byte) {
	s.prepare()
	dst = dst[:len(x)]
	clear(dst)
	row, shortest := make([]float64, s.outputs), s.kernel.shortest()
	for lo, hi := range s.coder.Runs(context.Background(), x) {
		for p := lo; p < hi; p++ {
			code := uint64(0)
			for l := 1; l <= min(s.coder.K, hi-p); l++ {
				code = code<<(s.coder.Bits&63) | uint64(s.coder.Letter[x[p+l-1]])
				if l < shortest {
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
