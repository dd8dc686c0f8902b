package shard

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/parallel"
)

// Squares is an option of a Shard that can leave records out of a pass.
type Squares interface {
	// AddSquares adds Σ_i weights[i]·⟨table, φ(x_i)⟩·φ(x_i) to dst, in the time of the records whose weight is not 0.
	AddSquares(ctx context.Context, dst, table, weights []float64) error
}

// AddSquares adds the product of Σ_i weights[i] φ(x_i) φ(x_i)ᵀ and a filtered table to dst, another table: Σ_i
// weights[i]·⟨table, φ(x_i)⟩·φ(x_i). See [Squares].
func AddSquares(ctx context.Context, records Shard, dst, table, weights []float64) error {
	if r, ok := records.(Squares); ok {
		return r.AddSquares(ctx, dst, table, weights)
	}
	f := make([]float64, records.Len())
	if err := records.Score(ctx, [][]float64{f}, [][]float64{table}); err != nil {
		return err
	}
	parallel.For(len(f), func(lo, hi int) {
		for i, w := range weights[lo:hi] {
			f[lo+i] *= w
		}
	})
	return records.Add(ctx, [][]float64{dst}, [][]float64{f})
}

// AddSquares adds up the products of the shards in the order of the list.
func (l List) AddSquares(ctx context.Context, dst, table, weights []float64) error {
	return l.sum(ctx, [][]float64{dst}, [][]float64{weights},
		func(ctx context.Context, s Shard, dst, weights [][]float64) error {
			return AddSquares(ctx, s, dst[0], table, weights[0])
		})
}
