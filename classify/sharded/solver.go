package sharded

import (
	"cmp"
	"context"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/classify/svm"
)

// Records are n records and their features, numbered from 0: package shard has some. Their methods may be called from
// several goroutines.
type Records interface {
	// Len returns n.
	Len() int
	// Add adds Σ_i v[m][i]·φ(x_i) to tables[m], for every m, in one pass.
	Add(ctx context.Context, tables, v [][]float64) error
	// Score writes ⟨tables[m], φ(x_i)⟩ into dst[m][i], for every m, in one pass.
	Score(ctx context.Context, dst, tables [][]float64) error
}

// Space is the tables of features: package compose has those of kernels.
type Space interface {
	// Size returns the number of entries of a table.
	Size() int
	// Filter replaces a table of added features by the one that records are scored with. It is linear, and symmetric:
	// of u and v with the tables s and t the inner product uᵀKv is that of s and the filtered t.
	Filter(ctx context.Context, table []float64) error
}

// Solver solves an [svm.Problem] of records in shards. Its zero value is ready to use.
type Solver struct {
	MaxIterations int         // steps, or passes of a descent; zero: 10,000 and 300
	Checkpoint    *Checkpoint // where the state is kept now and then, and taken up again; nil: nowhere
}

// Solution is an approximate solution with its certificate.
type Solution struct {
	Table []float64 // Σ_i β_i φ(x_i), before Filter, for the signed coefficients β of a solution in coefficients
	Rho   float64   // the decision is f(x) − Rho, that is, the bias b is −Rho
	Coef  []float64 // of each record, the latest ones
	svm.Certificate
	Iterations int    // passes of visits, or steps of Newton's method
	Passes     int    // over the records: of visits, adding and scoring, those of an interrupted run included
	Solver     string // "dual-coordinate" or "newton"
}

const (
	mostSteps     = 10_000
	descentPasses = 300 // of a descent, before Newton's method takes over
)

// Solve minimises the problem of p, which has no Risk, to its Tol. Start and CacheBytes of p are ignored. If the gap
// cannot be closed within MaxIterations or within float64 it returns the point reached and no error. The error is that
// of ctx, of reading records, of p, of a checkpoint that belongs to another run, or wraps [svm.ErrIndefinite].
func (s Solver) Solve(ctx context.Context, space Space, records Records, p svm.Problem) (Solution, error) {
	of, err := dual.Of(records.Len(), p, func(p svm.Problem) error {
		return cmp.Or(svm.CheckOption(p.Risk == nil, "Risk", p.Risk, "none"), p.CheckOptions(),
			svm.CheckIterations(s.MaxIterations))
	})
	if err != nil {
		return Solution{}, err
	}
	tol := of.Tol
	state := newSaver(s.Checkpoint, s.digest(p, space))
	var from []float64
	if visited := visitedOf(records); visited != nil {
		sol, err := s.descend(ctx, space, visited, p, tol, state)
		if err != nil || sol.Coef != nil && sol.Gap <= tol {
			return sol, err
		}
		from, state = sol.Coef, state.next()
	}
	ctx = state.unbroken(ctx)
	run, err := newNewton(ctx, space, records, of.Hinges, from)
	if err != nil {
		return Solution{}, err
	}
	if err := state.begin(ctx, run, from == nil); err != nil {
		return Solution{}, err
	}
	return run.solve(ctx, tol, cmp.Or(s.MaxIterations, mostSteps), state.save, p.Progress)
}
