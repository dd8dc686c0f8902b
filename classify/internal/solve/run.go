// Package solve solves the problems of many machines on one Gram matrix: side by side, on a matrix held in memory where
// that is faster, each from the solution of another where it can.
package solve

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Runner solves jobs.
type Runner struct {
	Solver   svm.Solver
	Problem  svm.Problem        // without data
	Progress func(svm.Progress) // may be nil; never called by two goroutines at once
	Seed     uint64
	Cost     float64 // C
	Logistic bool    // the loss is that of logistic regression
	Features bool    // weights of features have the penalty of a sum: matrices are listed
	FewRows  bool    // the solver takes few rows of a matrix
}

// Run solves jobs[s][i] for all s in turn, the problems i in parallel on one Gram matrix, each from its solution
// before, or from that of the machine that it calibrates: the results are in the same order. Every job writes its own
// result, and the solvers give the same bits whatever their share of the cache, so the number of processors changes
// nothing. A matrix of zeros is an error.
func (r Runner) Run(ctx context.Context, g stringkernel.Gram, jobs ...[]Job) ([][]Result, error) {
	g, err := r.Prepare(ctx, g, slices.Concat(jobs...))
	if err != nil {
		return nil, err
	}
	n, results := len(jobs[0]), make([][]Result, len(jobs))
	r = r.Beside(n)
	if err := r.CheckSolvers(g, jobs[len(jobs)-1]); err != nil {
		return nil, err
	}
	for s := range results {
		results[s] = make([]Result, n)
	}
	task := func(i int) error {
		p := r.Problem
		for s := range jobs {
			if progress := r.Progress; progress != nil {
				p.Progress = func(report svm.Progress) {
					report.Machine, report.Machines = s*n+i, len(jobs)*n
					progress(report)
				}
			}
			coef, err := r.solve(ctx, g, p, jobs[s], i, results[s])
			if err != nil {
				return err
			}
			p.Start = coef
		}
		return nil
	}
	for _, stage := range r.stages(g, jobs) {
		if err := parallel.Do(ctx, len(stage), func(i int) error { return task(stage[i]) }); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// Prepare returns the matrix in the form that serves some jobs best. A matrix of zeros is an error.
func (r Runner) Prepare(ctx context.Context, g stringkernel.Gram, jobs []Job) (stringkernel.Gram, error) {
	if err := stringkernel.CheckFeatures(ctx, g); err != nil {
		return nil, fmt.Errorf("classify: %w", err)
	}
	g, err := r.Hold(ctx, g, jobs)
	if err != nil {
		return nil, err
	}
	return g, stringkernel.Prepare(ctx, g)
}

// Beside returns the runner for one of n parts of a task that run at the same time.
func (r Runner) Beside(n int) Runner {
	parts := int64(max(1, min(runtime.GOMAXPROCS(0), n)))
	const share = 4 // rows may take a quarter of the memory allowed
	r.Problem.CacheBytes = max(1, min(cmp.Or(r.Problem.CacheBytes, svm.DefaultCacheBytes), memory.Limit()/share)/parts)
	if progress := r.Progress; progress != nil {
		var lock sync.Mutex
		r.Progress = func(p svm.Progress) {
			lock.Lock()
			defer lock.Unlock()
			progress(p)
		}
	}
	return r
}

// solve solves job i of a list, with settings p, stores the result and returns the coefficients. The first of the jobs
// of a joint problem solves it for all of them.
func (r Runner) solve(
	ctx context.Context, g stringkernel.Gram, p svm.Problem, jobs []Job, i int, results []Result,
) (coef []float64, err error) {
	j := jobs[i]
	if j.Reference != nil {
		m := j.Reference.Get(ctx)
		if g = m.Gram; m.Err != nil {
			return nil, m.Err
		}
	}
	switch {
	case j.Joint != nil && i > 0 && jobs[i-1].Joint == j.Joint:
		return nil, nil
	case j.Joint != nil:
		return nil, r.solveJoint(ctx, g, p, jobs[i:], results[i:])
	case j.OneSided: // so will every other record be
		sol := svm.Solution{Coef: make([]float64, len(j.Y)), Rho: -j.Y[0], Solver: "none"}
		results[i], err = resultOf(ctx, g, j, sol)
		return nil, err
	}
	if r.Features {
		results[i], err = r.solveFew(ctx, g, p, j)
		return nil, err
	}
	if j.Ball {
		if j.Y, err = selfOf(ctx, g, j.Index); err != nil {
			return nil, err
		}
	}
	if err := j.State(&p); err != nil {
		return nil, err
	}
	if j.Start != nil {
		p.Start = j.Start
	}
	if j.Whole != nil {
		p.Start = j.Whole.part(j.Index)
		dual.Repair(p, p.Start)
	}
	p.Tol = max(p.Tol, j.Tol)
	sol, err := r.Solver.Solve(ctx, PartOf(g, j.Index), p)
	if err != nil {
		return nil, err
	}
	if j.Solved != nil {
		j.Solved.coef = sol.Coef
	}
	results[i], err = resultOf(ctx, g, j, sol)
	return sol.Coef, err
}

// solveJoint solves the problem that begins at the first of some jobs, for all of its machines.
func (r Runner) solveJoint(
	ctx context.Context, g stringkernel.Gram, p svm.Problem, jobs []Job, results []Result,
) error {
	solutions, err := jobs[0].Joint.Solve(ctx, PartOf(g, jobs[0].Index), p, jobs[0])
	if err != nil {
		return err
	}
	for m, sol := range solutions {
		if results[m], err = resultOf(ctx, g, jobs[m], sol); err != nil {
			return err
		}
	}
	return nil
}

// resultOf returns a solution with the decision values of a job's test records.
func resultOf(ctx context.Context, g stringkernel.Gram, j Job, sol svm.Solution) (Result, error) {
	r := Result{Solution: sol, SupportVectors: sol.SupportVectors()}
	if len(j.Test) == 0 {
		return r, nil
	}
	r.Coef, r.Decisions = nil, make([]float64, len(j.Test))
	if r.SupportVectors > 0 {
		if err := cancel.Run(ctx, func() { j.scoreTest(r.Decisions, g, sol.Coef) }); err != nil {
			return Result{}, err
		}
	}
	if j.Ball {
		self, err := selfOf(ctx, g, j.Test)
		if err != nil {
			return Result{}, err
		}
		vectors.AddScaled(r.Decisions, 0.5, self)
	}
	for i := range r.Decisions {
		r.Decisions[i] -= sol.Rho
	}
	return r, nil
}

// selfOf returns k(x, x) of some records.
func selfOf(ctx context.Context, g stringkernel.Gram, index []int) (self []float64, err error) {
	g = PartOf(g, index)
	self = make([]float64, g.Len())
	return self, cancel.Run(ctx, func() { g.Diag(self) })
}

// scoreTest computes f(x) of a job's test records: by the rows of these and of the support vectors, or by a product
// with the whole matrix.
func (j *Job) scoreTest(dst []float64, g stringkernel.Gram, coef []float64) {
	if rows := stringkernel.FeatureRowsOf(g); rows != nil {
		table := make([]float64, rows.Width())
		for i, a := range coef {
			if a != 0 {
				rows.Scatter(table, j.Record(i), a)
			}
		}
		for i, record := range j.Test {
			dst[i] = rows.Gather(table, record)
		}
		return
	}
	f, v := make([]float64, g.Len()), make([]float64, g.Len())
	Expand(v, coef, j.Index)
	g.MulVecTo(f, v)
	for i, record := range j.Test {
		dst[i] = f[record]
	}
}

// stages divides jobs into those that are solved first and those that start from the solution of one of these: the
// folds of a calibration, if their solver can start anywhere.
func (r Runner) stages(g stringkernel.Gram, jobs [][]Job) (stages [2][]int) {
	for i, j := range jobs[0] {
		stage := 0
		if j.Whole != nil && svm.UsesOf(r.Solver, PartOf(g, j.Index), r.Problem)&svm.Rows == 0 {
			stage = 1
		}
		stages[stage] = append(stages[stage], i)
		for s := range jobs {
			if stage == 0 {
				jobs[s][i].Whole = nil
			}
		}
	}
	return stages
}
