package substring

import (
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// TrackTo writes score m of all windows of x: see [stringkernel.Tracker]. The matching statistics of x are those of its
// windows, but for matches that a window's end cuts short. These begin at the last positions of the window, since the
// end i + v_i of the match at i never falls; from the first of them on the window is a substring of the support
// vectors, and is scored alone. The part before is a sliding sum of terms. O(v) per window that ends in a match of
// v letters, whatever its length.
func (s *compactScorer) TrackTo(dst []float64, m int, x []byte, window int) {
	terms, ends := make([]float64, len(x)), subset.Whole(len(x)) // of the match at each position
	symbols := encode[uint8](s.encoding, nil, x)
	var way climb
	for c := s.index.Begin(symbols); s.index.Next(&c); {
		way.from(s, &c)
		start, length, _ := c.Match()
		terms[start] = way.term(s, m)
		ends[start] += int(length)
	}
	sum, cut := movingSum{terms: terms}, make([]float64, len(s.coef))
	for p := range dst[:len(x)-window+1] {
		sum.first, sum.end = p, max(sum.end, p)
		for sum.end < p+window && ends[sum.end] <= p+window {
			sum.grow()
		}
		dst[p] = sum.value()
		if sum.end < p+window {
			s.ScoreTo(cut, x[sum.end:p+window])
			dst[p] += cut[m]
		}
	}
}

// Tracker returns s if a window's symbols are symbols of the whole, letters without marks, else nil.
func (s *compactScorer) Tracker() stringkernel.Tracker {
	if s.encoding.marks > 0 {
		return nil
	}
	return s
}

// movingSum is the sum of terms first … end−1, both of which only rise. Like [stringkernel.SlidingSumsTo] it subtracts
// nothing: it is the end of a block up to some position, and what comes after.
type movingSum struct {
	terms      []float64
	first, end int
	block      []float64 // block[i] is the sum of terms from i on up to the position where the block ends
	from, to   int       // the block is of the terms from … to−1
	after      float64
}

// grow takes the next term.
func (s *movingSum) grow() {
	s.after += s.terms[s.end]
	s.end++
}

// value returns the sum. A block is made when the one before is used up: two additions per term in all.
func (s *movingSum) value() float64 {
	if s.first >= s.to {
		s.from, s.to, s.after = s.first, s.end, 0
		s.block = scratch.Resize(s.block, s.to-s.from)
		sum := 0.0
		for i := s.to - 1; i >= s.from; i-- {
			sum += s.terms[i]
			s.block[i-s.from] = sum
		}
	}
	if s.first < s.to {
		return s.block[s.first-s.from] + s.after
	}
	return s.after
}
