package svm

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Whole returns the matrix in memory if computing all entries at once takes less time than that many rows, and there is
// memory for them, otherwise g. The choice depends on the data and the limit of memory alone.
func Whole(ctx context.Context, g stringkernel.Gram, rows int) (stringkernel.Gram, error) {
	n, dense := g.Len(), stringkernel.DenseOf(g)
	if dense == nil || memory.Check(8*float64(n)*float64(n)) != nil {
		return g, nil
	}
	all, product, err := dense.DenseCost(ctx, float64(rows))
	if err != nil || !(all < float64(product*float64(rows))) {
		return g, err
	}
	whole := &Precomputed{N: n, K: make([]float64, n*n)}
	return whole, dense.DenseTo(ctx, whole.K)
}
