package spectrum

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/engine/table"
)

// compare returns k(x, ·) of a corpus. It lists the sequences by k-mer, in order: 4 bytes for each k-mer that a
// sequence has and 16 for each k-mer, of every length that counts. A row takes one step for each k-mer that x has in
// common with a sequence.
func (k Kernel) compare(ctx context.Context, c *stringkernel.Corpus) (values stringkernel.Comparison, err error) {
	defer cancel.Catch(&err)
	if err := k.Check(); err != nil {
		return nil, err
	}
	if k.TFIDF {
		return tfidf(k).compare(ctx, c)
	}
	all, err := newComparison(ctx, k, c)
	return all.rowTo, err
}

// comparison lists the sequences of a corpus by k-mer, for each length that counts.
type comparison []*holders

// newComparison lists the sequences of a corpus. It is an error if that would take too much memory.
func newComparison(ctx context.Context, k Kernel, c *stringkernel.Corpus) (all comparison, err error) {
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
		h.makePlaces()
		all = append(all, h)
	}
	return all, nil
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

// comparisonBytes returns the memory of a letter at the peak of listing.
func (k Kernel) comparisonBytes(letters float64) float64 {
	const sorting = 32
	bytes := float64(sorting)
	for length := k.shortest(); length <= k.K; length++ {
		bytes += 4 + float64(16*min(1, k.kmers(length)/max(letters, 1)))
	}
	return bytes
}
