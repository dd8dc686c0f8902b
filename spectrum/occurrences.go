package spectrum

import (
	"cmp"
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// occurrence is a k-mer in a document: what the sorted regime sorts. 16 bytes.
type occurrence struct {
	key    uint64 // the code, moved up to the width of K letters if the k-mer is shorter
	doc    uint32
	length uint32
}

// occurrencesIn returns the longest k-mer (of at most K letters) at every position of the corpus, in order of
// documents. K-mers of fewer than shortest letters are left out; shortest = K leaves those of exactly K.
func occurrencesIn(ctx context.Context, corpus *stringkernel.Corpus, c coder, shortest int) []occurrence {
	list := make([]occurrence, 0, corpus.Letters())
	for j := range corpus.Len() {
		cancel.Check(ctx)
		for _, code := range c.All(corpus.Seq(j)) {
			list = append(list, occurrence{code, uint32(j), uint32(c.K)})
		}
		if shortest >= c.K {
			continue
		}
		for _, t := range c.tails(corpus.Seq(j)) {
			if t.length >= shortest {
				list = append(list, occurrence{t.code << (c.Bits * uint(c.K-t.length)), uint32(j), uint32(t.length)})
			}
		}
	}
	return list
}

// sortOccurrences sorts by the low keyBits bits of the key, stably: documents stay in order among equal keys. It is a
// radix sort from the lowest digit up that skips digits all keys share; O(n · keyBits / 11) time, 16 bytes per
// occurrence of scratch. It returns the sorted list, which may be in the scratch array.
func sortOccurrences(ctx context.Context, list []occurrence, keyBits uint) []occurrence {
	const (
		digit = 11
		small = 64 // below this, counting 2¹¹ digits costs more than comparing
	)
	if len(list) < small {
		slices.SortStableFunc(list, func(a, b occurrence) int { return cmp.Compare(a.key, b.key) })
		return list
	}
	scratch := make([]occurrence, len(list))
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
	return list
}
