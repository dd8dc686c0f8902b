package substring

import (
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/suffix"
)

// TrackTo writes score m of all windows of x: see [stringkernel.Tracker]. The matching statistics of x are those of its
// windows, but for matches that a window's end cuts short. These begin at the last positions of the window, since the
// end i + v_i of the match at i never falls; from the first of them on the window is a substring of the support
// vectors, and is scored alone. The part before is a sliding sum of terms. O(v) per window that ends in a match of
// v letters, whatever its length.
func (s *scorer[S]) TrackTo(dst []float64, m int, x []byte, window int) {
	cut := make([]float64, s.outputs)
	slideTo(dst, x, window, func(terms []float64, ends []int) {
		s.match(x, func(at suffix.Match) {
			terms[at.Start] = s.term(at, m)
			ends[at.Start] += int(at.Length)
		})
	}, func(x []byte) float64 {
		s.ScoreTo(cut, x)
		return cut[m]
	})
}

// slideTo writes a score of all windows of x. match adds to the terms of positions what their matches give, and to the
// ends of these, which are the positions themselves before, their lengths; score is that of a short sequence.
func slideTo(dst []float64, x []byte, window int, match func(terms []float64, ends []int),
	score func(x []byte) float64) {
	terms, ends := scratch.Borrow(&scratch.Pool, len(x)), make([]int, len(x)) // of the match at each position
	defer scratch.Pool.Put(terms)
	clear(*terms)
	for i := range ends {
		ends[i] = i
	}
	match(*terms, ends)
	sum := movingSum{terms: *terms}
	for p := range dst[:len(x)-window+1] {
		sum.first, sum.end = p, max(sum.end, p)
		for sum.end < p+window && ends[sum.end] <= p+window {
			sum.grow()
		}
		dst[p] = sum.value()
		if sum.end < p+window {
			dst[p] += score(x[sum.end : p+window])
		}
	}
}

// Tracker returns s if a window's symbols are symbols of the whole, letters without marks, else nil.
func (s *scorer[S]) Tracker() stringkernel.Tracker {
	if s.encoding.reader != nil || s.encoding.marks > 0 {
		return nil
	}
	return s
}

// term returns what a match adds to score m. ScoreTo has the same inline, which makes it a tenth faster.
func (s *scorer[S]) term(at suffix.Match, m int) float64 {
	omega := s.weights.upTo(at.Length)
	if at.Below >= 0 {
		return s.edges[int(at.Below)*s.outputs+m].at(omega)
	}
	above := s.weights.upTo(s.index.Depth(at.Node))
	leaf := s.leaf[int(s.index.DocAt(at.Pos))*s.outputs+m]
	return s.edges[int(at.Node)*s.outputs+m].at(above) + float64((omega-above)*leaf)
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
