package bow

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/sparse"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// gramOf returns the matrix of a corpus, given as rows of values, of the kernel fitted to the documents train of it, nil
// for all.
func (k Kernel) gramOf(ctx context.Context, rows *sparse.Rows, train []int) (stringkernel.Gram, error) {
	rows, err := k.products(ctx, rows)
	if err != nil {
		return nil, err
	}
	return &fittedGram{sparse.NewGram(ctx, rows), k, train}, nil
}

// fittedGram is the matrix of a corpus that has the documents the kernel was fitted to.
type fittedGram struct {
	*sparse.Gram
	kernel Kernel
	train  []int
}

// Refitter returns the matrix if the weights of features depend on numbers of documents alone, and no feature that has
// none gets one where documents are left out.
func (g *fittedGram) Refitter() stringkernel.Refitter {
	k := g.kernel
	others := k.Open || k.LogEntropy || k.Laplace || k.L1 || !k.Count.Separable()
	if others || k.MaxDF > 0 || k.MinDF > 0 && k.MinDF < 1 {
		return nil
	}
	return g
}

// Refit weighs the features anew: O(entries).
func (g *fittedGram) Refit(ctx context.Context, train []int) (gram stringkernel.Gram, err error) {
	defer cancel.Catch(&err)
	if train == nil {
		train = g.train
	}
	return g.Gram.Refit(ctx, g.train, train, g.kernel.weight), nil
}
