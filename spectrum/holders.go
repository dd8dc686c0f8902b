package spectrum

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/engine/table"
)

// comparison lists the sequences of a corpus by k-mer, for each length that counts.
type comparison []*holders

// holders are the k-mers of one length with the sequences that have them.
type holders struct {
	*table.Postings
	coder  kmer.Coder
	codes  []uint64 // ascending
	places []int32  // by code: the 1-based number of the k-mer, 0 if it does not occur; nil: found by search
}

// compareAll lists the sequences by k-mer, in order: 4 bytes for each k-mer that a sequence has and 16 for each k-mer, of
// every length that counts. A row takes one step for each k-mer that x has in common with a sequence.
func (k Kernel) compareAll(
	ctx context.Context, c *stringkernel.Corpus,
) (values stringkernel.Comparison, err error) {
	defer cancel.Catch(&err)
	if err := k.Check(); err != nil {
		return nil, err
	}
	if k.TFIDF {
		return byFrequency(k).compare(ctx, c)
	}
	all, err := k.compare(ctx, c)
	return all.rowTo, err
}

// compare lists the sequences of a corpus. It is an error if that would take too much memory.
func (k Kernel) compare(ctx context.Context, c *stringkernel.Corpus) (all comparison, err error) {
	if c.Len() >= table.MostRecords {
		return nil, fmt.Errorf("spectrum: %d sequences, want fewer than 2³⁰", c.Len())
	}
	if err := k.checkSorted(c, false); err != nil {
		return nil, err
	}
	if err := stringkernel.CheckIndex(c, k.comparisonBytes(float64(c.Letters()))); err != nil {
		return nil, fmt.Errorf("spectrum: %w", err)
	}
	for length := k.shortest(); length <= k.K; length++ {
		h := newHolders(ctx, kmer.New(k.Alphabet, length), c)
		h.place()
		all = append(all, h)
	}
	return all, nil
}

// comparisonBytes returns the memory of a letter at the peak of listing.
func (k Kernel) comparisonBytes(letters float64) float64 {
	const sorting = 32
	bytes := float64(sorting)
	for length := k.shortest(); length <= k.K; length++ {
		bytes += 4 + float64(16*min(1, k.kmers(length)/max(letters, 1)))
	}
	return bytes
}

// kmers returns the number of k-mers of a length.
func (k Kernel) kmers(length int) float64 {
	return math.Pow(float64(k.Alphabet.Size()), float64(length))
}

// newHolders lists the k-mers of a corpus.
func newHolders(ctx context.Context, c kmer.Coder, corpus *stringkernel.Corpus) *holders {
	var codes table.Chunks[uint64]
	l := table.NewLister(corpus.Len())
	for code, list := range table.SortedKmers(ctx, corpus, c) {
		codes.Add(code)
		l.Add(list)
	}
	table.CollectAfter(corpus) // sorting
	h := &holders{coder: c, codes: codes.List(ctx)}
	table.CollectAfter(corpus) // the list of codes
	h.Postings = l.Postings(ctx)
	table.CollectAfter(corpus) // the lists of postings
	return h
}

// place makes the table of places if most of its entries are used.
func (h *holders) place() {
	const mostEmpty = 4 // entries of a k-mer
	width := h.coder.Bits * uint(h.coder.K)
	if width > gramBits || 1<<width > mostEmpty*len(h.codes) {
		return
	}
	h.places = make([]int32, 1<<width)
	for i, code := range h.codes {
		h.places[code] = int32(i + 1)
	}
}

// number returns that of a k-mer.
func (h *holders) number(code uint64) (number int, found bool) {
	if h.places != nil {
		at := int(h.places[code]) - 1
		return at, at >= 0
	}
	return slices.BinarySearch(h.codes, code)
}

// rowTo adds up products of counts, which are whole numbers: the bits of Eval.
func (c comparison) rowTo(dst []float64, x []byte) {
	clear(dst)
	for i := range c {
		if !c[i].addTo(dst, x) {
			break // a longer common k-mer would have a common prefix
		}
	}
}

// addTo adds the products of the k-mers of x, and reports whether there is one.
func (h *holders) addTo(dst []float64, x []byte) (common bool) {
	h.coder.EachCount(x, func(code uint64, count int) {
		if number, found := h.number(code); found {
			common = true
			h.AddTo(dst, uint32(number), float64(count))
		}
	})
	return common
}
