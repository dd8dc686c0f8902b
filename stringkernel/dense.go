package stringkernel

import "context"

// Dense is an option of a [Gram] that computes all n² entries faster than row by row. Correct without it; with it, the
// matrix is computed once and held in memory where that takes less time than the products that many problems on one
// matrix, those of many classes or folds, would ask for. Ask [DenseOf].
type Dense interface {
	// DenseCost estimates how long DenseTo and a product K·v take, in nanoseconds on one core. matrix may be +Inf once
	// it is known to take longer than the given number of products, so that the caller can give up early. The estimate
	// depends on the corpus and the kernel only, never on the machine: a choice that is based on it is the same
	// everywhere. It takes the time of a few products. The error is
	// that of ctx.
	DenseCost(ctx context.Context, products float64) (matrix, product float64, err error)
	// DenseTo writes K, n × n, row by row, into dst: the rows of Row up to rounding, symmetric to the bit, the same for
	// any number of processors. The error is that of ctx.
	DenseTo(ctx context.Context, dst []float64) error
}

// DenseOf returns the [Dense] of g, nil if it has none.
func DenseOf(g Gram) Dense {
	return Lookup(g, func(w interface{ Dense() Dense }) Dense { return w.Dense() })
}
