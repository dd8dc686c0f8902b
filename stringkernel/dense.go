package stringkernel

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// Dense is an option of a [Gram] that computes all n² entries faster than row by row. Correct without it; with it, the
// matrix is computed once and held in memory where that takes less time than the products that many problems on one
// matrix, those of many classes or folds, would ask for. Ask [DenseOf].
type Dense interface {
	// DenseCost estimates how long DenseTo and a product K·v take, in nanoseconds on one core. matrix may be +Inf once
	// it is known to take longer than the given number of products, so that the caller can give up early. The estimate
	// depends on the corpus and the kernel only, never on the machine: a choice that is based on it is the same
	// everywhere. It takes the time of a few products. The error is that of ctx.
	DenseCost(ctx context.Context, products float64) (matrix, product float64, err error)
	// DenseTo writes the rows from … to − 1 of K (0-based), n entries each, one after another into dst: those of Row up
	// to rounding, the same bits whichever rows are asked for together and on any number of processors, and K symmetric
	// to the bit. All n at once take the least time. The error is that of ctx.
	DenseTo(ctx context.Context, dst []float64, from, to int) error
}

// DenseOf returns the [Dense] of g, nil if it has none.
func DenseOf(g Gram) Dense {
	return Lookup(g, func(w interface{ Dense() Dense }) Dense { return w.Dense() })
}

// blockEntries is how many entries EachRow computes at a time, 8 MB.
const blockEntries = 1 << 20

// EachRow calls visit with the rows from … to − 1 of K (0-based) in order, n entries each, valid during the call, on
// any goroutine. Rows are computed in blocks of 8 MB, or of one row, while those of the block before are visited, by
// [Dense] where all rows then take less time. A row has the same bits whichever rows are asked for. The error is that
// of ctx, or the first of visit.
func EachRow(ctx context.Context, g Gram, from, to int, visit func(i int, row []float64) error) error {
	n := g.Len()
	some := max(1, blockEntries/max(n, 1))
	rows, err := blockRows(ctx, g, (n+2*some-1)/(2*some))
	if err != nil {
		return err
	}
	next := make([]float64, min(2*some, to-from)*n)
	block := next[min(some, to-from)*n:]
	for first := from; first < to+some; first += some {
		if err := parallel.Do(ctx, 2, func(what int) error {
			if last := min(first+some, to); what == 1 && first < to {
				return rows(ctx, next[:(last-first)*n], first, last)
			}
			for i := max(from, first-some); what == 0 && i < min(first, to); i++ {
				if err := visit(i, block[(i-first+some)*n:][:n]); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
		next, block = block, next
	}
	return nil
}

// blockRows returns the faster of two ways to compute all rows of a matrix in some blocks.
func blockRows(ctx context.Context, g Gram, blocks int) (func(context.Context, []float64, int, int) error, error) {
	if dense := DenseOf(g); dense != nil {
		all, product, err := dense.DenseCost(ctx, float64(g.Len()))
		if blocks > 1 {
			all *= 2 // only within a block are entries mirrored
		}
		if err != nil || all < float64(product*float64(g.Len())) {
			return dense.DenseTo, err
		}
	}
	return func(ctx context.Context, dst []float64, from, to int) error {
		n := g.Len()
		return parallel.Do(ctx, to-from, func(r int) error {
			return cancel.Run(ctx, func() { g.Row(dst[r*n:(r+1)*n], from+r) })
		})
	}, nil
}

// mirrorTile is the number of rows and columns that are mirrored together.
const mirrorTile = 64

// Mirror completes rows from … to − 1 of a symmetric n × n matrix, one after another in dst: it writes the entries
// right of the diagonal as far as column to − 1, from those left of it.
func Mirror(dst []float64, n, from, to int) {
	parallel.Each((to-from+mirrorTile-1)/mirrorTile, func(tile int) {
		top := from + tile*mirrorTile
		for left := top; left < to; left += mirrorTile {
			for i := top; i < min(top+mirrorTile, to); i++ {
				for j := max(left, i+1); j < min(left+mirrorTile, to); j++ {
					dst[(i-from)*n+j] = dst[(j-from)*n+i]
				}
			}
		}
	})
}
