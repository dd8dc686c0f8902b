package spectrum

import (
	"context"
	"iter"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// holding is the documents that have a k-mer, and how often each has it.
type holding struct {
	docs   []uint32 // in order of the longest k-mers that begin with it, and then of their numbers
	counts []int
	places []uint32 // of each document, one more than its place in docs; zero at rest
}

// kmers yields the lengths from shortest on, again for each range of codes, with the k-mers of that length and range in
// order of their codes, each with what holds it.
func (k throughCount) kmers(
	ctx context.Context, records *stringkernel.Corpus, shortest int,
) iter.Seq2[int, iter.Seq2[uint64, *holding]] {
	return func(yield func(length int, kmers iter.Seq2[uint64, *holding]) bool) {
		coder, h := newCoder(k.Alphabet, k.K), &holding{places: make([]uint32, records.Len())}
		for list := range sortedOccurrences(ctx, records, coder, shortest) {
			for length := shortest; length <= k.K; length++ {
				if !yield(length, h.each(ctx, list, length, coder.Bits*uint(k.K-length))) {
					return
				}
			}
		}
		collectAfter(records)
	}
}

// each yields the k-mers of a length in a sorted list: of codes those that are equal but for the last bits, shift of
// them.
func (h *holding) each(
	ctx context.Context, list []occurrence, length int, shift uint,
) iter.Seq2[uint64, *holding] {
	return func(yield func(code uint64, h *holding) bool) {
		for lo, hi := 0, 0; lo < len(list); lo = hi {
			code := list[lo].key >> (shift & 63)
			for hi = lo + 1; hi < len(list) && list[hi].key>>(shift&63) == code; {
				hi++
			}
			if lo == 0 || lo/leastStretch != hi/leastStretch {
				cancel.Check(ctx)
			}
			if h.hold(list[lo:hi], length, shift == 0 || hi == lo+1); len(h.docs) > 0 && !yield(code, h) {
				return
			}
		}
	}
}

// hold counts the occurrences that are not shorter than a length. Documents may be in order.
func (h *holding) hold(list []occurrence, length int, inOrder bool) {
	h.docs, h.counts = h.docs[:0], h.counts[:0]
	for i := range list {
		o, last := &list[i], len(h.docs)-1
		switch {
		case int(o.length) < length:
		case last >= 0 && h.docs[last] == o.doc:
			h.counts[last] += int(o.count)
		case !inOrder && h.places[o.doc] > 0:
			h.counts[h.places[o.doc]-1] += int(o.count)
		default:
			h.docs, h.counts = append(h.docs, o.doc), append(h.counts, int(o.count))
			if !inOrder {
				h.places[o.doc] = uint32(len(h.docs))
			}
		}
	}
	if !inOrder {
		for _, doc := range h.docs {
			h.places[doc] = 0
		}
	}
}

// levels returns the k-mers of all lengths from shortest on with the rows that add gives them. It is an error if these,
// and so many rows there are before, would take too much memory.
func (k throughCount) levels(
	ctx context.Context, records *stringkernel.Corpus, shortest, outputs, before int,
	add func(rows *countedRows, code uint64, h *holding),
) (levels []countedLevel, err error) {
	if shortest > k.K {
		return nil, nil
	}
	rows, total := make([]countedRows, k.K+1), before
	for length, kmers := range k.kmers(ctx, records, shortest) {
		r := &rows[length]
		total -= r.codes.len()
		for code, h := range kmers {
			add(r, code, h)
		}
		total += r.codes.len()
		if err := checkWeights(total, outputs); err != nil {
			return nil, err
		}
	}
	for length := shortest; length <= k.K; length++ {
		levels = append(levels, rows[length].level(ctx, newCoder(k.Alphabet, length)))
		collectAfter(records) // the rows
	}
	return levels, nil
}
