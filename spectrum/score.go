package spectrum

import (
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
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
	s.coder.eachPiece(&c.codes, x, false, func(codes []uint64) {
		for block := range slices.Chunk(codes, blockSize) {
			s.valuesTo(values[:len(block)], block, 0)
			for i, value := range values[:len(block)] {
				sums[i&3] += value
			}
		}
	})
	ends := 0.0
	if s.kernel.Bounded {
		for _, t := range s.coder.tails(context.Background(), x) {
			ends += s.value(t.code, t.length, 0)
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
	first := s.coder.K
	if s.kernel.Bounded {
		first = s.dense + 1
	}
	for _, i := range likely[:s.deep[first].passing(&likely, codes, s.coder.Bits*uint(s.coder.K-first))] {
		if row := s.row(codes[i], s.coder.K); row != nil {
			values[i] = row[m]
		}
	}
}

// scoreRows scores any number of outputs, each as scoreOne does.
func (s *scorer) scoreRows(dst []float64, x []byte) {
	m := s.outputs
	pooled := scratch.Borrow(&scratch.Pool, 5*m)
	defer scratch.Pool.Put(pooled)
	sums := *pooled
	clear(sums)
	c := counters.Get().(*counter)
	defer counters.Put(c)
	s.coder.eachPiece(&c.codes, x, false, func(codes []uint64) {
		for i, code := range codes {
			addTo(sums[(i&3)*m:], s.row(code, s.coder.K))
		}
	})
	if s.kernel.Bounded {
		for _, t := range s.coder.tails(context.Background(), x) {
			addTo(sums[4*m:], s.row(t.code, t.length))
		}
	}
	for o := range dst {
		dst[o] = ((sums[o] + sums[m+o]) + (sums[2*m+o] + sums[3*m+o])) + sums[4*m+o]
	}
}

// row returns the values of a k-mer of the given length (K, or 1…K with Bounded): its weight, or with Bounded the sum
// of the weights of its prefixes and its own. It is nil if there is none.
func (s *scorer) row(code uint64, length int) []float64 {
	m := s.outputs
	if !s.kernel.Bounded && s.dense == 0 {
		return s.deep[length].row(code)
	}
	var row []float64
	direct := min(s.dense, length)
	shift := s.coder.Bits * uint(length-direct)
	if direct > 0 {
		at := int(code>>(shift&63)) * m
		row = s.tables[direct][at : at+m]
	}
	for _, kmers := range s.deep[direct+1 : length+1] {
		shift -= s.coder.Bits
		longer := kmers.row(code >> (shift & 63))
		if longer == nil {
			break
		}
		row = longer
	}
	return row
}

// ExplainTo writes the contribution of every position of x to score m: the weight of each occurrence of a k-mer,
// divided by its length, at each of its positions. Contributions sum to the score up to rounding. O(K·|x|).
func (s *scorer) ExplainTo(dst []float64, m int, x []byte) {
	s.prepare()
	dst = dst[:len(x)]
	clear(dst)
	shares := make([]float64, s.coder.K)
	for lo := 0; lo < len(x); lo++ {
		hi := lo
		for hi < len(x) && s.coder.Letter[x[hi]] >= 0 {
			hi++
		}
		for p := lo; p < hi; p++ {
			s.explainKmer(dst[p:min(p+s.coder.K, hi)], shares, m, x[p:])
		}
		lo = hi
	}
}

// explainKmer adds the contributions of the k-mers that start with x and have at most len(dst) letters.
func (s *scorer) explainKmer(dst, shares []float64, m int, x []byte) {
	shortest := s.kernel.shortest()
	code, before, longest := uint64(0), 0.0, 0
	for l := 1; l <= len(dst); l++ {
		code = code<<(s.coder.Bits&63) | uint64(s.coder.Letter[x[l-1]])
		if l < shortest {
			continue
		}
		row := s.row(code, l)
		if row == nil {
			break
		}
		shares[l-1] = (row[m] - before) / float64(l)
		before, longest = row[m], l
	}
	share := 0.0
	for l := longest; l >= 1; l-- {
		if l >= shortest {
			share += shares[l-1]
		}
		dst[l-1] += share
	}
}

// SubstituteTo scores the 2K − 1 letters around each position: O(σ K) for each, of explanations O(σ K²).
func (s *scorer) SubstituteTo(scores, contributions []float64, m int, x, letters []byte) {
	compose.SubstituteWithin(scores, contributions, s, m, x, letters, s.coder.K)
}
