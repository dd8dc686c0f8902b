package compose

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// explain asks the scorer inside a wrapper. It leaves zeros where there is none that explains, which CanExplain tells.
func explain(s stringkernel.Scorer, dst []float64, m int, x []byte) {
	if e, ok := s.(stringkernel.Explainer); ok {
		e.ExplainTo(dst, m, x)
		return
	}
	clear(dst[:len(x)])
}

// restore rebuilds a scorer of a kernel that is a Restorer.
func restore(k stringkernel.Kernel, arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	r, ok := k.(stringkernel.Restorer)
	if !ok {
		return nil, fmt.Errorf("%T has no stored form", k)
	}
	return r.Restore(arrays)
}

// denseTo asks the matrix inside a wrapper, whose DenseCost is finite.
func denseTo(g stringkernel.Gram, dst []float64) { g.(stringkernel.Dense).DenseTo(dst) }

// eachEntry replaces the entries of an n × n matrix.
func eachEntry(dst []float64, n int, value func(i, j int, inner float64) float64) {
	parallel.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := dst[i*n : (i+1)*n]
			for j, inner := range row {
				row[j] = value(i, j, inner)
			}
		}
	})
}

// shareInside indexes the corpus for what is inside the members.
func shareInside(ctx context.Context, c *stringkernel.Corpus, members []stringkernel.Kernel, inside func(stringkernel.Kernel) stringkernel.Kernel) (stringkernel.Shared, error) {
	inner := make([]stringkernel.Kernel, len(members))
	for i, m := range members {
		inner[i] = inside(m)
	}
	return stringkernel.Share(ctx, c, inner)
}

// listTop asks the scorer inside a wrapper, and returns nothing if it does not list.
func listTop(s stringkernel.Scorer, mix []float64, n int) []stringkernel.Feature {
	if l, ok := s.(stringkernel.FeatureLister); ok {
		return l.TopFeatures(mix, n)
	}
	return nil
}

// listOf is listTop for a sequence.
func listOf(s stringkernel.Scorer, mix []float64, x []byte, n int) []stringkernel.Feature {
	if l, ok := s.(stringkernel.FeatureLister); ok {
		return l.FeaturesOf(mix, x, n)
	}
	return nil
}
