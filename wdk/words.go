package wdk

import (
	"context"
	"math"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// words is the sorted k-mers of n windows that begin at a position and some offsets from it: k-mer j·n + i is that of
// window i at offset j.
type words struct {
	order   *order
	corpus  *stringkernel.Corpus
	length  int // of the windows
	codes   *[256]int16
	offsets []int
	columns [][]uint16 // codes of the k-mers' letters at positions from, from + 1, …
	from    int
	lengths []int32 // of the k-mers: letters before the next one outside the alphabet, up to most
	most    int32
}

// sorted is the order at one position.
type sorted struct {
	ranks, lcp, lengths []int32 // ranks and lcp by rank, lengths by k-mer
}

// newWords starts after the last position, where k-mers are empty. They have at most d letters.
func newWords(k Kernel, c *stringkernel.Corpus, length int, offsets []int) *words {
	n := c.Len() * len(offsets)
	columns := make([][]uint16, max(1, readTogether/len(offsets)))
	for i := range columns {
		columns[i] = make([]uint16, n)
	}
	return &words{
		columns: columns, from: math.MaxInt,
		order: newOrder(n, k.Alphabet.Size(), k.D), corpus: c, length: length, codes: k.Alphabet.Codes(), offsets: offsets,
		lengths: make([]int32, n), most: int32(k.D),
	}
}

// readTogether is the number of letters of a window that are read at a time: they are of one line of the cache.
const readTogether = 16

// prepend moves to position p, from p + 1.
func (w *words) prepend(p int) {
	outside := w.order.outside()
	if p < w.from {
		w.read(p)
	}
	letter := w.columns[p-w.from]
	for i, c := range letter {
		if w.lengths[i] = min(w.lengths[i]+1, w.most); c == outside {
			w.lengths[i] = 0
		}
	}
	w.order.prepend(letter)
}

// read fills the columns up to position p.
func (w *words) read(p int) {
	w.from = p + 1 - len(w.columns)
	n := w.corpus.Len()
	for j, offset := range w.offsets {
		within := func(p int) int { return max(0, min(p, w.length)) }
		first, end := within(w.from+offset), within(w.from+offset+len(w.columns))
		for i := range n {
			x := w.corpus.Seq(i)[first:end]
			for k, column := range w.columns {
				column[j*n+i] = w.code(x, w.from+k+offset-first)
			}
		}
	}
}

// code returns the code of a letter of x; past its ends there are no letters.
func (w *words) code(x []byte, p int) uint16 {
	if uint(p) < uint(len(x)) {
		if code := w.codes[x[p]]; code != stringkernel.Outside {
			return uint16(code)
		}
	}
	return w.order.outside()
}

// copyTo copies the current order.
func (w *words) copyTo(s *sorted) {
	s.ranks = append(s.ranks[:0], w.order.ranks...)
	s.lcp = append(s.lcp[:0], w.order.lcp...)
	s.lengths = append(s.lengths[:0], w.lengths...)
}

// sweep calls visit with the order of the k-mers at each position, from right to left, several positions in parallel,
// and collect with each result, in that order and one at a time. visit must not keep the order. One processor moves on
// to the next position while others visit those before.
func sweep[T any](ctx context.Context,
	k Kernel, c *stringkernel.Corpus, length int, offsets []int,
	visit func(p int, w sorted) T, collect func(p int, result T),
) {
	type position struct {
		p int
		*sorted
	}
	words := newWords(k, c, length, offsets)
	var space sync.Pool // of *sorted
	err := parallel.Pipeline(ctx, length,
		func(i int) position {
			w, _ := space.Get().(*sorted)
			if w == nil {
				w = new(sorted)
			}
			p := length - 1 - i
			words.prepend(p)
			words.copyTo(w)
			return position{p, w}
		},
		func(at position) (T, error) {
			defer space.Put(at.sorted)
			return visit(at.p, *at.sorted), nil
		},
		func(i int, result T) error {
			collect(length-1-i, result)
			return nil
		})
	if err != nil {
		cancel.Check(ctx) // there is no other error
	}
}
