package descent

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Walk is the features of records that are visited block by block, such as those of a file: see
// [Solver.Descent]. Tables have an entry for each feature. Load is for one goroutine; Scatter, Gather and
// Prefetch may be called by several between two calls of it.
type Walk interface {
	// Width returns the number of entries of a table.
	Width() int
	// Blocks returns the number of records up to the end of each block, the last of which is that of all; nil where all
	// records can be visited at any time, by any goroutine.
	Blocks() []int
	// Load makes the records of some blocks, in ascending order, those that can be visited.
	Load(ctx context.Context, blocks []int) error
	// Scatter adds a·φ(x_i) to a table.
	Scatter(table []float64, i int, a float64)
	// Gather returns ⟨table, φ(x_i)⟩.
	Gather(table []float64, i int) float64
	// Prefetch asks for some of record i, so that visiting it soon finds it in the caches.
	Prefetch(i int)
	// Norms writes K_ii, of all records.
	Norms(ctx context.Context, dst []float64) error
	// Scale returns by what the inner product of the tables of u and v exceeds uᵀKv: 1, or 4 where k-mers of both strands
	// are added to tables.
	Scale() float64
	// Sum writes Σ_i v_i φ(x_i), over all records, into a table.
	Sum(ctx context.Context, table, v []float64) error
	// Score writes ⟨table, φ(x_i)⟩ for all records.
	Score(ctx context.Context, dst, table []float64) error
}

// gramRows are the rows of a matrix in memory.
type gramRows struct {
	stringkernel.FeatureRows
	gram stringkernel.Gram
}

// rowsOf returns the rows of g, and the part of K_ii that is not in them.
func rowsOf(g stringkernel.Gram) (rows Walk, own []float64, err error) {
	features := stringkernel.FeatureRowsOf(g)
	if features == nil {
		return nil, nil, fmt.Errorf("%w, which dual coordinate descent needs", ErrNoRows)
	}
	own = make([]float64, g.Len())
	features.Own(own)
	return gramRows{features, g}, own, nil
}

func (gramRows) Blocks() []int { return nil }

func (gramRows) Prefetch(int) {}

func (gramRows) Load(context.Context, []int) error { return nil }

func (r gramRows) Norms(_ context.Context, dst []float64) error {
	r.gram.Diag(dst)
	return nil
}

func (gramRows) Scale() float64 { return 1 }

func (r gramRows) Sum(_ context.Context, table, v []float64) error {
	clear(table)
	for i, a := range v {
		if a != 0 {
			r.Scatter(table, i, a)
		}
	}
	return nil
}

func (r gramRows) Score(_ context.Context, dst, table []float64) error {
	parallel.Each(len(dst), func(i int) { dst[i] = r.Gather(table, i) })
	return nil
}
