package sharded

import (
	"cmp"
	"context"
	"errors"
	"math"

	"github.com/seqsvm/seqsvm/classify/internal/bundle"
	"github.com/seqsvm/seqsvm/classify/risk"
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
	MaxIterations int         // planes or steps, or passes of a descent; zero: 10,000 and 300
	Planes        bool        // cutting planes, whatever the problem
	Checkpoint    *Checkpoint // where the state is kept now and then, and taken up again; nil: nowhere
}

// Solution is an approximate solution with its certificate.
type Solution struct {
	Table   []float64 // Σ_i β_i φ(x_i), before Filter, for the signed coefficients β of a solution in coefficients
	Rho     float64   // the decision is f(x) − Rho, that is, the bias b is −Rho
	Scalars []float64 // the free scalars of the risk; Rho is minus their mean
	Coef    []float64 // of each record, the latest ones; nil of planes, which have none
	svm.Certificate
	Iterations int    // passes of visits, steps of Newton's method, or planes added
	Passes     int    // over the records: of visits, adding and scoring, those of an interrupted run included
	Solver     string // "dual-coordinate", "newton" or "cutting-plane"
}

const (
	mostIterations = 10_000
	name           = "cutting-plane" // as svm.CuttingPlane says in its Progress
	newtonName     = "newton"
)

// Solve minimises the problem of p to its Tol. Start and CacheBytes of p are ignored, and so are Sparse solutions. The
// squared hinge is solved too. The error is that of ctx, of reading records, of p, of a checkpoint that belongs to
// another run, or wraps [svm.ErrIndefinite].
func (s Solver) Solve(ctx context.Context, space Space, records Records, p svm.Problem) (Solution, error) {
	r, tol, err := p.Minimised(records.Len())
	if err != nil {
		return Solution{}, err
	}
	if err := svm.CheckOption(s.MaxIterations >= 0, "MaxIterations", s.MaxIterations, "≥ 0"); err != nil {
		return Solution{}, err
	}
	if visited := visitedOf(records); visited != nil && p.Risk == nil && !s.Planes {
		return s.descend(ctx, space, records, visited, p)
	}
	var state *saver
	if s.Checkpoint != nil {
		state = newSaver(s.Checkpoint, s.digest(r, space, tol))
	}
	if h, ok := r.(*risk.Hinges); ok && risk.ProximalOf(h) != nil && !s.Planes {
		return s.approach(ctx, space, records, h, p.Progress, tol, state, nil)
	}
	return s.touch(ctx, newTables(space, records, r), p.Progress, tol, state, true)
}

// approach solves by Newton's method, from coefficients or, if these are nil, from the state that is kept in a saver,
// unless that is nil; and by cutting planes if that leaves a gap, as where the optimum is 0.
func (s Solver) approach(ctx context.Context, space Space, records Records, h *risk.Hinges,
	progress func(svm.Progress), tol float64, state *saver, from []float64) (Solution, error) {
	ended := ctx
	ctx = state.unbroken(ended)
	taken := from == nil && state.next().written()
	if !taken {
		run, err := newNewton(ctx, space, records, h, from)
		if err != nil {
			return Solution{}, err
		}
		if err := state.begin(ctx, run, from == nil); err != nil {
			return Solution{}, err
		}
		sol, err := run.solve(ctx, tol, s.mostSteps(), state.save, progress)
		if !errors.Is(err, errRounding) {
			return sol, err
		}
	}
	return s.touch(ended, newTables(space, records, h), progress, tol, state.next(), taken)
}

// touch solves by cutting planes, from the state that is kept if they are resumed. state becomes their saver.
func (s Solver) touch(ctx context.Context, points *tables, progress func(svm.Progress), tol float64, state *saver,
	resumed bool) (Solution, error) {
	ctx = state.unbroken(ctx)
	options := bundle.Options{
		Tol: tol, MaxIterations: s.mostSteps(), Nonnegative: points.source.Nonnegative(),
		Origin:   points.lossOf(points.best.f),
		Progress: reporter(progress),
	}
	if state != nil {
		options.Save = func(*bundle.Run) error { return state.save() }
	}
	run := bundle.New(points, options)
	if err := state.begin(ctx, &planesState{points: points, run: run}, resumed); err != nil {
		return Solution{}, err
	}
	result, err := run.Solve(ctx)
	if err != nil {
		return Solution{}, err
	}
	return points.solution(result), nil
}

func (s Solver) mostSteps() int { return cmp.Or(s.MaxIterations, mostIterations) }

// reporter returns what a run of planes calls after each iteration.
func reporter(progress func(svm.Progress)) func(iterations int, primal, dual float64, done bool) {
	return func(iterations int, primal, dual float64, done bool) {
		c := svm.Certificate{Primal: primal, Dual: dual, Gap: math.Inf(1)}
		if !math.IsInf(dual, 0) {
			c.Gap = bundle.RelativeGap(primal, dual)
		}
		report(progress, name, iterations, c, done)
	}
}

// report calls progress, if there is one.
func report(progress func(svm.Progress), solver string, iterations int, c svm.Certificate, done bool) {
	if progress != nil {
		progress(svm.Progress{
			Solver: solver, Machines: 1, Iterations: iterations, Primal: c.Primal, Dual: c.Dual, Gap: c.Gap, Done: done,
		})
	}
}

// solution returns the point with which a run has ended.
func (s *tables) solution(r bundle.Result) Solution {
	p := s.point(r.Point)
	out := Solution{
		Table: p.table, Scalars: s.risk.ScalarsOf(scoresOf(p.f)), Certificate: svm.Certificate(r.Certificate),
		Iterations: r.Iterations, Passes: s.passes, Solver: name,
	}
	for _, b := range out.Scalars {
		out.Rho -= b / float64(len(out.Scalars))
	}
	return out
}

// whole is a risk that needs all scores at once, in memory.
type whole struct {
	risk.Risk
	a, f []float64
}

// dividedOf returns r as a divided risk.
func dividedOf(r risk.Risk) risk.Divided {
	if d := risk.DividedOf(r); d != nil {
		return d
	}
	return &whole{r, make([]float64, r.Len()), make([]float64, r.Len())}
}

func (w *whole) PlaneOf(scores risk.Scores, take func(a []float64, lo int)) (value, offset float64) {
	scores(w.f, 0)
	value, offset = w.Plane(w.a, w.f)
	for lo := 0; lo < len(w.a); lo += risk.PartLen {
		take(w.a[lo:min(len(w.a), lo+risk.PartLen)], lo)
	}
	return value, offset
}

func (w *whole) ScalarsOf(scores risk.Scores) []float64 {
	scores(w.f, 0)
	return w.Scalars(w.f)
}
