package spectrum

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/ends"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// comparison lists the sequences of a corpus by k-mer, for each length that counts.
type comparison []holders

// holders are the k-mers of one length with the sequences that have them.
type holders struct {
	coder     coder
	codes     []uint64 // ascending
	ends      []int    // ends[i] is one past the postings of k-mer i
	postings  []uint32 // document << countBits | count, documents in order; a greater count takes several
	countBits uint
	places    []int32 // by code: the 1-based number of the k-mer, 0 if it does not occur; nil: found by search
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
	if c.Len() >= mostDocuments {
		return nil, fmt.Errorf("spectrum: %d sequences, want fewer than 2³⁰", c.Len())
	}
	if err := k.checkSorted(c, false); err != nil {
		return nil, err
	}
	if err := stringkernel.CheckIndex(c, k.comparisonBytes(float64(c.Letters()))); err != nil {
		return nil, fmt.Errorf("spectrum: %w", err)
	}
	for length := k.shortest(); length <= k.K; length++ {
		all = append(all, newHolders(ctx, newCoder(k.Alphabet, length), c))
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

func newHolders(ctx context.Context, c coder, corpus *stringkernel.Corpus) holders {
	h := holders{coder: c, countBits: countBitsOf(corpus.Len())}
	for list := range sortedOccurrences(ctx, corpus, c, c.K) {
		h.postings = slices.Grow(h.postings, len(list))
		for i, o := range cancel.All(ctx, list) {
			if i == 0 || o.key != list[i-1].key {
				h.codes, h.ends = append(h.codes, o.key), append(h.ends, len(h.postings))
			}
			h.add(o.doc, uint32(o.count))
		}
	}
	h.postings = slices.Clip(h.postings)
	h.place()
	return h
}

// add adds occurrences in a document to the last k-mer.
func (h *holders) add(doc, count uint32) {
	end, most := &h.ends[len(h.ends)-1], mostCount(h.countBits)
	lo, _ := ends.Bounds(h.ends, len(h.ends)-1)
	if last := len(h.postings) - 1; last >= lo && h.postings[last]>>h.countBits == doc {
		part := min(count, most-h.postings[last]&most)
		h.postings[last] += part
		count -= part
	}
	for count > 0 {
		part := min(count, most)
		h.postings = append(h.postings, doc<<h.countBits|part)
		count -= part
	}
	*end = len(h.postings)
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

// of returns the postings of a k-mer.
func (h *holders) of(code uint64) []uint32 {
	at, found := 0, false
	if h.places != nil {
		at = int(h.places[code]) - 1
		found = at >= 0
	} else {
		at, found = slices.BinarySearch(h.codes, code)
	}
	if !found {
		return nil
	}
	lo, hi := ends.Bounds(h.ends, at)
	return h.postings[lo:hi]
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
		list := h.of(code)
		common = common || len(list) > 0
		shift, mask := h.countBits&31, mostCount(h.countBits)
		for _, posting := range list {
			dst[posting>>shift] += float64(float64(count) * float64(posting&mask))
		}
	})
	return common
}
