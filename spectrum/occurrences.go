package spectrum

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// occurrence is a k-mer in a document, so many times in a row: what the sorted regime sorts. 16 bytes.
type occurrence struct {
	key    uint64 // the code, moved up to the width of K letters if the k-mer is shorter
	doc    uint32
	length uint16
	count  uint16
}

// mostInARow is the largest count of an occurrence.
const mostInARow = 1<<16 - 1

// The sorted regime sorts a corpus of up to wholeLetters at once. Of a larger one it sorts about a keyRanges-th at a
// time, 4 bytes per letter with the scratch of sorting, and passes over the corpus for each.
const (
	wholeLetters = 1 << 20
	keyRanges    = 8
)

// sortedOccurrences yields the longest k-mer (of at most K letters) at every position of the corpus in lists sorted by
// key, stably: documents are in order among equal keys. Each list has the keys of one range, and the ranges ascend;
// k-mers of one range share no prefix of shortest letters with those of another. K-mers of fewer than shortest letters
// are left out; shortest = K leaves those of exactly K.
func sortedOccurrences(
	ctx context.Context, corpus *stringkernel.Corpus, c coder, shortest int,
) iter.Seq[[]occurrence] {
	return func(yield func([]occurrence) bool) {
		room := min(corpus.Letters(), max(wholeLetters, corpus.Letters()/keyRanges))
		list, scratch := make([]occurrence, 0, room), make([]occurrence, 0, room)
		for _, r := range rangesOf(ctx, corpus, c, shortest) {
			list = r.collect(ctx, list[:0], corpus, c, shortest)
			list, scratch = sortOccurrences(ctx, list, scratch, c.Bits*uint(c.K))
			if !yield(list) {
				return
			}
		}
	}
}

// keyRange is the keys from first to last, which occur size times.
type keyRange struct {
	first, last uint64
	size        int
}

// rangesOf cuts the keys of a corpus into ranges of about the same number of occurrences.
func rangesOf(ctx context.Context, corpus *stringkernel.Corpus, c coder, shortest int) []keyRange {
	if corpus.Letters() <= wholeLetters {
		return []keyRange{{0, c.Mask, corpus.Letters()}}
	}
	const mostBits = 16
	cellBits := c.Bits * uint(min(shortest, mostBits/int(c.Bits)))
	shift := c.Bits*uint(c.K) - cellBits
	sizes := make([]int, 1<<cellBits)
	eachKeys(ctx, corpus, c, shortest, func(keys []uint64, doc uint32, length uint16) {
		for _, key := range keys {
			sizes[key>>shift]++
		}
	})
	var ranges []keyRange
	var r keyRange
	for cell, size := range sizes {
		if r.size > 0 && r.size+size > corpus.Letters()/keyRanges {
			ranges = append(ranges, r)
			r = keyRange{first: uint64(cell) << shift}
		}
		r.size += size
		r.last = uint64(cell)<<shift + (1<<shift - 1)
	}
	return append(ranges, r)
}

// collect appends the occurrences of a range in order of documents and positions. Equal ones in a row are one, so that
// a long run of a letter is short.
func (r keyRange) collect(
	ctx context.Context, list []occurrence, corpus *stringkernel.Corpus, c coder, shortest int,
) []occurrence {
	var last occurrence
	eachKeys(ctx, corpus, c, shortest, func(keys []uint64, doc uint32, length uint16) {
		for _, key := range keys {
			if key-r.first > r.last-r.first {
				continue
			}
			if key == last.key && doc == last.doc && length == last.length && last.count < mostInARow {
				last.count++
				list[len(list)-1].count = last.count
				continue
			}
			last = occurrence{key, doc, length, 1}
			list = append(list, last)
		}
	})
	return list
}

// eachKeys calls visit with the longest k-mers at all positions of the corpus, in order of documents, some of one
// document and length at a time.
func eachKeys(
	ctx context.Context, corpus *stringkernel.Corpus, c coder, shortest int,
	visit func(keys []uint64, doc uint32, length uint16),
) {
	var codes []uint64
	for j := range corpus.Len() {
		c.eachPiece(&codes, corpus.Seq(j), false, func(codes []uint64) {
			cancel.Check(ctx)
			visit(codes, uint32(j), uint16(c.K))
		})
		if shortest >= c.K {
			continue
		}
		for _, t := range c.tails(corpus.Seq(j)) {
			if t.length >= shortest {
				codes = append(codes[:0], t.code<<(c.Bits*uint(c.K-t.length)))
				visit(codes, uint32(j), uint16(t.length))
			}
		}
	}
}

// sortOccurrences sorts by the low keyBits bits of the key, stably: documents stay in order among equal keys. It is a
// radix sort from the lowest digit up that skips digits all keys share; O(n · keyBits / 11) time. It returns the sorted
// list, which may be in the scratch array, and the other one.
func sortOccurrences(
	ctx context.Context, list, scratch []occurrence, keyBits uint,
) (sorted, other []occurrence) {
	const (
		digit = 11
		small = 64 // below this, counting 2¹¹ digits costs more than comparing
	)
	if len(list) < small {
		slices.SortStableFunc(list, func(a, b occurrence) int { return cmp.Compare(a.key, b.key) })
		return list, scratch
	}
	scratch = slices.Grow(scratch[:0], len(list))[:len(list)]
	for shift := uint(0); shift < keyBits; shift += digit {
		var next [1 << digit]int
		cancel.Check(ctx)
		for i := range list {
			next[list[i].key>>shift&(1<<digit-1)]++
		}
		if next[list[0].key>>shift&(1<<digit-1)] == len(list) {
			continue
		}
		sum := 0
		for d, n := range next {
			next[d] = sum
			sum += n
		}
		for _, o := range cancel.All(ctx, list) {
			d := o.key >> shift & (1<<digit - 1)
			scratch[next[d]] = o
			next[d]++
		}
		list, scratch = scratch, list
	}
	return list, scratch
}
