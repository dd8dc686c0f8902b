package spectrum

import (
	"context"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/engine/table"
)

// foldPart is the Gram matrix of all k-mers of 1…depth letters on a ladder of arrays. Every position has one entry, its
// longest k-mer; folding counts down and values up serves the shorter ones. Where counts are seen through a function, a
// record has besides what the function makes of its repeats.
type foldPart struct {
	steps   *ladder
	full    *table.List // codes of k-mers of depth letters
	tails   *table.List // ladder indices of the shorter longest k-mers, at the ends of runs
	surplus *table.List // on the ladder, that of repeats; nil: counts are raw
	size    int
	tables  sync.Pool // *[]float64 of that size, zero at rest
	parts   sync.Pool // *[]float64
}

// newFoldPart indexes the k-mers of 1…k.K letters of records.
func newFoldPart(ctx context.Context, k Kernel, c *stringkernel.Corpus) *foldPart {
	coder := kmer.New(k.Alphabet, k.K)
	f := &foldPart{steps: newLadder(coder.Bits, k.K)}
	f.full = listCodes(ctx, &coder, c, stringkernel.CountRaw)
	f.tails = listTails(ctx, &coder, c, f.steps)
	if !k.Count.Linear() {
		f.surplus = listRepeats(ctx, k, c, f.steps)
	}
	f.size = f.steps.base(k.K) + f.full.TableSize()
	f.size = max(f.size, f.tails.TableSize())
	return f
}

// listTails lists the ladder indices of the tails of every record.
func listTails(ctx context.Context, c *kmer.Coder, corpus *stringkernel.Corpus, steps *ladder) *table.List {
	return table.Collect(steps.size(), corpus.Len(), false, func(add func(j int, index, weight uint32)) {
		for j := range corpus.Len() {
			cancel.Check(ctx)
			for _, t := range c.Tails(ctx, corpus.Seq(j)) {
				add(j, uint32(steps.index(t.Code, t.Length)), 1)
			}
		}
	})
}

// listRepeats lists the repeats of every record on the ladder, with what a function makes of their counts beyond.
func listRepeats(ctx context.Context, k Kernel, corpus *stringkernel.Corpus, steps *ladder) *table.List {
	coder, values := kmer.New(k.Alphabet, k.K), countof.New(k.Count)
	list := table.Collect(steps.size(), corpus.Len(), true, func(add func(j int, index, weight uint32)) {
		parallel.EachContext(ctx, corpus.Len(), func(j int) {
			c := counters.Get().(*counter)
			c.findRepeats(ctx, &coder, 1, false, corpus.Seq(j))
			for _, r := range c.repeats {
				add(j, uint32(steps.index(r.code, int(r.length))), r.count)
			}
			counters.Put(c)
		})
	})
	list.Weigh(values.Surplus)
	return list
}

func (f *foldPart) prepare(context.Context) {}

// product scatters v, folds twice and gathers.
func (f *foldPart) product(dst, v []float64) {
	space := scratch.Borrow(&f.tables, f.size)
	defer f.tables.Put(space)
	t := *space
	longest := t[f.steps.base(f.steps.depth):]
	f.full.ScatterAll(longest, v, &f.parts)
	f.tails.ScatterAll(t, v, &f.parts)
	foldCounts(f.steps, t)
	if f.surplus != nil {
		for j, a := range v {
			f.surplus.Scatter(t, j, a)
		}
	}
	f.gatherFolded(dst, t)
}

// row is a product with a unit vector.
func (f *foldPart) row(dst []float64, i int) {
	space := scratch.Borrow(&f.tables, f.size)
	defer f.tables.Put(space)
	t := *space
	f.full.Scatter(t[f.steps.base(f.steps.depth):], i, 1)
	f.tails.Scatter(t, i, 1)
	foldCounts(f.steps, t)
	if f.surplus != nil {
		f.surplus.Scatter(t, i, 1)
	}
	f.gatherFolded(dst, t)
}

// gatherFolded adds what every record gathers of folded counts, and leaves t zero.
func (f *foldPart) gatherFolded(dst, t []float64) {
	if f.surplus != nil {
		parallel.Each(len(dst), func(j int) { dst[j] += f.surplus.Gather(t, j) })
	}
	f.steps.foldValues(t, 1)
	f.full.GatherAll(dst, t[f.steps.base(f.steps.depth):])
	for j := range dst {
		dst[j] += f.tails.Gather(t, j)
	}
	clear(t[:f.steps.size()])
}
