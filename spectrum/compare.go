package spectrum

import (
	"context"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/ends"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// comparison lists the sequences of a corpus by k-mer, for each length that counts.
type comparison []holders

// holders are the k-mers of one length with the sequences that have them.
type holders struct {
	coder  coder
	codes  []uint64 // ascending
	ends   []int    // ends[i] is one past the sequences of k-mer i
	docs   []uint32
	counts []uint32 // of the k-mer in the sequence
}

// Compare lists the sequences by k-mer, in order: 8 bytes for each k-mer that a sequence has and 16 for each k-mer, of
// every length that counts. A row takes one step for each k-mer that x has in common with a sequence.
func (k Kernel) Compare(
	ctx context.Context, c *stringkernel.Corpus,
) (values stringkernel.Comparison, err error) {
	defer cancel.Catch(&err)
	if err := k.Check(); err != nil {
		return nil, err
	}
	if err := stringkernel.CheckIndex(c, k.comparisonBytes(float64(c.Letters()))); err != nil {
		return nil, fmt.Errorf("spectrum: %w", err)
	}
	var all comparison
	for length := k.shortest(); length <= k.K; length++ {
		all = append(all, newHolders(ctx, newCoder(k.Alphabet, length), c))
	}
	return all.rowTo, nil
}

// comparisonBytes returns the memory of a letter at the peak of listing.
func (k Kernel) comparisonBytes(letters float64) float64 {
	const sorting = 36
	bytes, kmers := float64(sorting), 1.0
	for length := 1; length <= k.K; length++ {
		kmers *= float64(k.Alphabet.Size())
		if length >= k.shortest() {
			bytes += 8 + float64(16*min(1, kmers/max(letters, 1)))
		}
	}
	return bytes
}

func newHolders(ctx context.Context, c coder, corpus *stringkernel.Corpus) holders {
	h := holders{coder: c}
	for list := range sortedOccurrences(ctx, corpus, c, c.K) {
		h.docs, h.counts = slices.Grow(h.docs, len(list)), slices.Grow(h.counts, len(list))
		for i, o := range cancel.All(ctx, list) {
			switch {
			case i == 0 || o.key != list[i-1].key:
				h.codes, h.ends = append(h.codes, o.key), append(h.ends, len(h.docs))
			case o.doc == list[i-1].doc:
				h.counts[len(h.counts)-1] += uint32(o.count)
				continue
			}
			h.docs, h.counts = append(h.docs, o.doc), append(h.counts, uint32(o.count))
			h.ends[len(h.ends)-1] = len(h.docs)
		}
	}
	h.docs, h.counts = slices.Clone(h.docs), slices.Clone(h.counts)
	return h
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
	h.coder.eachCount(x, func(code uint64, count int) {
		at, found := slices.BinarySearch(h.codes, code)
		if !found {
			return
		}
		common = true
		lo, hi := ends.Bounds(h.ends, at)
		counts := h.counts[lo:hi]
		for i, doc := range h.docs[lo:hi] {
			dst[doc] += float64(float64(count) * float64(counts[i]))
		}
	})
	return common
}
