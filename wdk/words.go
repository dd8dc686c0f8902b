package wdk

import (
	"context"
	"runtime"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// words is the sorted k-mers of n windows that begin at a position and some offsets from it: k-mer j·n + i is that of
// window i at offset j.
type words struct {
	order   *order
	corpus  *stringkernel.Corpus
	codes   *[256]int16
	offsets []int
	letter  []uint16
	lengths []int32 // of the k-mers: letters before the next one outside the alphabet, up to most
	most    int32
}

// sorted is the order at one position.
type sorted struct {
	ranks, lcp, lengths []int32 // ranks and lcp by rank, lengths by k-mer
}

// newWords starts after the last position, where k-mers are empty. They have at most d letters.
func newWords(k Kernel, c *stringkernel.Corpus, offsets []int) *words {
	n := c.Len() * len(offsets)
	return &words{
		order: newOrder(n, k.Alphabet.Size(), k.D), corpus: c, codes: k.Alphabet.Codes(), offsets: offsets,
		letter: make([]uint16, n), lengths: make([]int32, n), most: int32(k.D),
	}
}

// prepend moves to position p, from p + 1.
func (w *words) prepend(p int) {
	n, outside := w.corpus.Len(), w.order.outside()
	for j, offset := range w.offsets {
		w.column(w.letter[j*n:(j+1)*n], p+offset)
	}
	for i, c := range w.letter {
		if w.lengths[i] = min(w.lengths[i]+1, w.most); c == outside {
			w.lengths[i] = 0
		}
	}
	w.order.prepend(w.letter)
}

// column writes the codes of all windows at a position; past their ends there are no letters.
func (w *words) column(dst []uint16, p int) {
	outside := w.order.outside()
	for i := range dst {
		dst[i] = outside
		if x := w.corpus.Seq(i); uint(p) < uint(len(x)) {
			if code := w.codes[x[p]]; code != stringkernel.Outside {
				dst[i] = uint16(code)
			}
		}
	}
}

// copyTo copies the current order.
func (w *words) copyTo(s *sorted) {
	s.ranks = append(s.ranks[:0], w.order.ranks...)
	s.lcp = append(s.lcp[:0], w.order.lcp...)
	s.lengths = append(s.lengths[:0], w.lengths...)
}

// sweep calls visit with the order of the k-mers at each position, from right to left, several positions in parallel,
// and collect with each result, in that order. visit must not keep the order.
func sweep[T any](ctx context.Context,
	k Kernel, c *stringkernel.Corpus, length int, offsets []int,
	visit func(p int, w sorted) T, collect func(p int, result T),
) {
	w := newWords(k, c, offsets)
	waiting := make([]sorted, 2*runtime.GOMAXPROCS(0))
	results := make([]T, len(waiting))
	for end := length; end > 0; end -= min(len(waiting), end) {
		count := min(len(waiting), end)
		for i := range count {
			cancel.Check(ctx)
			w.prepend(end - 1 - i)
			w.copyTo(&waiting[i])
		}
		parallel.EachContext(ctx, count, func(i int) { results[i] = visit(end-1-i, waiting[i]) })
		for i, r := range results[:count] {
			collect(end-1-i, r)
		}
	}
}
