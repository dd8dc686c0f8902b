package newton

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel/shard"
)

// vector is a table and what Filter makes of it.
type vector struct{ table, filtered []float64 }

func newVector(size int) vector {
	return vector{make([]float64, size), make([]float64, size)}
}

func inner(a, b *vector) float64 { return vectors.Dot(a.table, b.filtered) }

func (v *vector) clear() {
	clear(v.table)
	clear(v.filtered)
}

// addScaled adds scale·u to v.
func (v *vector) addScaled(scale float64, u *vector) {
	parallel.For(len(v.table), func(lo, hi int) {
		vectors.AddScaled(v.table[lo:hi], scale, u.table[lo:hi])
		vectors.AddScaled(v.filtered[lo:hi], scale, u.filtered[lo:hi])
	})
}

// follow makes v scale·v + u.
func (v *vector) follow(scale float64, u *vector) {
	parallel.For(len(v.table), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			v.table[i] = u.table[i] + float64(scale*v.table[i])
			v.filtered[i] = u.filtered[i] + float64(scale*v.filtered[i])
		}
	})
}

// filter writes the filtered table into dst.
func filter(ctx context.Context, space svm.Space, dst, table []float64) error {
	if i := vectors.FirstNonFinite(table); i >= 0 {
		return fmt.Errorf("svm: entry %d of a table is %v, want finite features", i, table[i])
	}
	copy(dst, table)
	if err := space.Filter(ctx, dst); err != nil {
		return fmt.Errorf("svm: filtering a table: %w", err)
	}
	return nil
}

// addError says what an error of adding features is, if there is one.
func addError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("svm: adding features: %w", err)
}

// mostScore is beyond all that kernel values and costs in their ranges lead to.
const mostScore = 1e300

// scoreRecords scores all records with a filtered table.
func scoreRecords(ctx context.Context, records shard.Shard, dst, filtered []float64) error {
	if err := records.Score(ctx, [][]float64{dst}, [][]float64{filtered}); err != nil {
		return fmt.Errorf("svm: scoring records: %w", err)
	}
	for i, f := range dst {
		if !(math.Abs(f) <= mostScore) {
			return fmt.Errorf("svm: the score of record %d is %v, want a number of at most %g", i, f, float64(mostScore))
		}
	}
	return nil
}

// checkSquare returns an error if a square is negative beyond rounding, that of greater squares too, given a table of
// its size, filtered too.
func checkSquare(square, rounding float64, table, filtered []float64) error {
	if square >= -rounding {
		return nil
	}
	size := 0.0
	for i, t := range table {
		size += math.Abs(t * filtered[i])
	}
	if square < -max(1e-7*size, svm.TinyPrimal) {
		return fmt.Errorf("%w: ⟨w, w⟩ = %g for some w", svm.ErrIndefinite, square)
	}
	return nil
}
