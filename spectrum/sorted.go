package spectrum

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/engine/table"
)

// newSortedPart indexes the k-mers of K letters by sorting them. K-mers that several documents share become features
// with dense ids. A k-mer that one document has is not a feature: it only adds to own.
func newSortedPart(ctx context.Context, k Kernel, c *stringkernel.Corpus) *flatPart {
	n, values, list := c.Len(), countof.New(k.Count), table.NewLister(c.Len())
	own, occurrences, entries := make([]float64, n), make([]int, n), make([]int, n)
	for _, holders := range table.SortedKmers(ctx, c, kmer.New(k.Alphabet, k.K)) {
		if len(holders) == 1 { // as most have
			own[holders[0].Record] += values.Square(holders[0].Count)
			continue
		}
		list.Add(holders)
		for _, h := range holders {
			occurrences[h.Record] += int(h.Count)
			entries[h.Record]++
		}
	}
	table.CollectAfter(c) // sorting
	p := list.Postings(ctx)
	table.CollectAfter(c) // the lists in chunks
	return newSharedPart(ctx, k, p, own, occurrences, entries)
}
