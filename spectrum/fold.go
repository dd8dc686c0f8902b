package spectrum

import (
	"context"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// foldPart is the Gram matrix of all k-mers of 1…depth letters on a ladder of arrays. Every position has one entry, its
// longest k-mer; folding counts down and values up serves the shorter ones.
type foldPart struct {
	steps *ladder
	full  *incidence // codes of k-mers of depth letters
	tails *incidence // ladder indices of the shorter longest k-mers, at the ends of runs
	size  int
	pool  sync.Pool // *[]float64 of that size, zero at rest
	parts sync.Pool // *[]float64
}

// newFoldPart indexes the k-mers of 1…k.K letters and adds their squares to diag.
func newFoldPart(ctx context.Context, k Kernel, c *stringkernel.Corpus, diag []float64) *foldPart {
	coder := newCoder(k.Alphabet, k.K)
	f := &foldPart{steps: newLadder(coder.Bits, k.K)}
	f.full = listCodes(ctx, &coder, c, 1<<(coder.Bits*uint(k.K)), nil)
	f.tails = listTails(ctx, &coder, c, f.steps)
	f.size = f.steps.base(k.K) + f.full.tableSize(1<<(coder.Bits*uint(k.K)))
	f.size = max(f.size, f.tails.tableSize(f.steps.size()))
	parallel.EachContext(ctx, c.Len(), func(j int) { diag[j] += k.SelfEval(c.Seq(j)) })
	return f
}

// listTails lists the ladder indices of the tails of every document.
func listTails(ctx context.Context, c *coder, corpus *stringkernel.Corpus, steps *ladder) *incidence {
	inc := newIncidence(corpus.Len(), steps.size(), 0, false)
	for j := range corpus.Len() {
		cancel.Check(ctx)
		for _, t := range c.tails(corpus.Seq(j)) {
			inc.add(uint32(steps.index(t.code, t.length)), 1)
		}
		inc.end()
	}
	return inc
}

// product scatters v, folds twice and gathers.
func (f *foldPart) product(dst, v []float64) {
	table := scratch.Borrow(&f.pool, f.size)
	defer f.pool.Put(table)
	t := *table
	f.full.scatterAll(t[f.steps.base(f.steps.depth):], v, 1<<(f.steps.bits*uint(f.steps.depth)), &f.parts)
	f.tails.scatterRange(t, v, 0, len(v))
	f.gatherFolded(dst, t)
}

// row is a product with a unit vector.
func (f *foldPart) row(dst []float64, i int) {
	table := scratch.Borrow(&f.pool, f.size)
	defer f.pool.Put(table)
	f.scatter(*table, i, 1)
	f.gatherFolded(dst, *table)
}

func (f *foldPart) scatter(t []float64, j int, a float64) {
	f.full.scatter(t[f.steps.base(f.steps.depth):], j, a)
	f.tails.scatter(t, j, a)
}

// gatherFolded folds the scattered counts, adds what every document gathers, and leaves t zero.
func (f *foldPart) gatherFolded(dst, t []float64) {
	f.steps.foldCounts(t)
	f.steps.foldValues(t, 1)
	gatherAll(dst, t[f.steps.base(f.steps.depth):], f.full)
	for j := range dst {
		dst[j] += f.tails.gather(t, j)
	}
	clear(t[:f.steps.size()])
}
