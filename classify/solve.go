package classify

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
	"github.com/seqsvm/seqsvm/stringkernel"
)

// run solves jobs[s][i] for all s in turn, the problems i in parallel on one Gram matrix, each from its solution
// before, or from that of the machine that it calibrates: the results are in the same order. Every job writes its own
// result, and the solvers give the same bits whatever their share of the cache, so the number of processors changes
// nothing. A matrix of zeros is an error.
func (t Trainer) run(ctx context.Context, g stringkernel.Gram, jobs ...[]job) ([][]result, error) {
	g, err := t.prepare(ctx, g, slices.Concat(jobs...))
	if err != nil {
		return nil, err
	}
	n, results := len(jobs[0]), make([][]result, len(jobs))
	t = t.beside(n)
	blocks, err := t.planSolvers(g, jobs[len(jobs)-1])
	if err != nil {
		return nil, err
	}
	for s := range results {
		results[s] = make([]result, n)
	}
	task := func(i int, g stringkernel.Gram) error {
		p := t.settings()
		for s := range jobs {
			if progress := t.Progress; progress != nil {
				p.Progress = func(report svm.Progress) {
					report.Machine, report.Machines = s*n+i, len(jobs)*n
					progress(report)
				}
			}
			coef, err := t.solve(ctx, g, p, jobs[s], i, results[s])
			if err != nil {
				return err
			}
			p.Start = coef
		}
		return nil
	}
	for _, stage := range t.stages(g, jobs) {
		err := eachJob(ctx, g, len(stage), blocks, func(i int, g stringkernel.Gram) error { return task(stage[i], g) })
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

// prepare returns the matrix in the form that serves some jobs best. A matrix of zeros is an error.
func (t Trainer) prepare(ctx context.Context, g stringkernel.Gram, jobs []job) (stringkernel.Gram, error) {
	if err := stringkernel.CheckFeatures(g); err != nil {
		return nil, fmt.Errorf("classify: %w", err)
	}
	g, err := t.hold(ctx, g, jobs)
	if err != nil {
		return nil, err
	}
	return g, stringkernel.Prepare(ctx, g)
}

// beside returns the trainer for one of n parts of a task that run at the same time.
func (t Trainer) beside(n int) Trainer {
	parts := int64(max(1, min(runtime.GOMAXPROCS(0), n)))
	const share = 4 // rows may take a quarter of the memory allowed
	t.CacheBytes = max(1, min(cmp.Or(t.CacheBytes, svm.DefaultCacheBytes), memory.Limit()/share)/parts)
	if progress := t.Progress; progress != nil {
		var lock sync.Mutex
		t.Progress = func(p svm.Progress) {
			lock.Lock()
			defer lock.Unlock()
			progress(p)
		}
	}
	return t
}

// solve solves job i of a list, with settings p, stores the result and returns the coefficients. The first of the jobs
// of a joint problem solves it for all of them.
func (t Trainer) solve(
	ctx context.Context, g stringkernel.Gram, p svm.Problem, jobs []job, i int, results []result,
) (coef []float64, err error) {
	j := jobs[i]
	if j.reference != nil {
		m := j.reference.Get(ctx)
		if g = m.gram; m.err != nil {
			return nil, m.err
		}
	}
	switch {
	case j.joint != nil && i > 0 && jobs[i-1].joint == j.joint:
		return nil, nil
	case j.joint != nil:
		return nil, t.solveJoint(ctx, g, p, jobs[i:], results[i:])
	case j.oneSided: // so will every other record be
		sol := svm.Solution{Coef: make([]float64, len(j.y)), Rho: -j.y[0], Solver: "none"}
		results[i], err = resultOf(ctx, g, j, sol)
		return nil, err
	}
	if t.fewFeatures() {
		results[i], err = t.solveFew(ctx, g, p, j)
		return nil, err
	}
	if err := j.state(&p); err != nil {
		return nil, err
	}
	if j.start != nil {
		p.Start = j.start
	}
	if j.whole != nil {
		p.Start = j.whole.part(j.index)
		dual.Repair(p, p.Start)
	}
	p.Tol = max(p.Tol, j.tol)
	if len(j.test) > 0 && svm.UsesOf(t.solver(), partOf(g, j.index), t.settings()) == svm.Products {
		g = &lastProduct{Gram: g} // that of the solver's certificate is the one wanted of its result
	}
	sol, err := t.solver().Solve(ctx, partOf(g, j.index), p)
	if err != nil {
		return nil, err
	}
	if j.solved != nil {
		j.solved.coef = sol.Coef
	}
	results[i], err = resultOf(ctx, g, j, sol)
	return sol.Coef, err
}

// solveJoint solves the problem that begins at the first of some jobs, for all of its machines.
func (t Trainer) solveJoint(
	ctx context.Context, g stringkernel.Gram, p svm.Problem, jobs []job, results []result,
) error {
	solutions, err := jobs[0].joint.solve(ctx, t, partOf(g, jobs[0].index), p, jobs[0])
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

// state fills in the data of a job's problem.
func (j *job) state(p *svm.Problem) (err error) {
	if j.risk != nil {
		p.Risk, err = j.risk(j.y, j.weights)
		return err
	}
	data, err := svm.Classify(j.y, j.costs)
	if err != nil {
		return err
	}
	p.Linear, p.Weights, p.Costs = data.Linear, data.Weights, data.Costs
	if j.weights != nil {
		p.Weights = make([]float64, len(j.y))
		for i, y := range j.y {
			p.Weights[i] = float64(y * j.weights[i])
		}
	}
	return nil
}

// resultOf returns a solution with the decision values of a job's test records.
func resultOf(ctx context.Context, g stringkernel.Gram, j job, sol svm.Solution) (result, error) {
	r := result{Solution: sol, supportVectors: sol.SupportVectors()}
	if len(j.test) == 0 {
		return r, nil
	}
	r.Coef, r.decisions = nil, make([]float64, len(j.test))
	if r.supportVectors > 0 {
		if err := cancel.Run(ctx, func() { j.scoreTest(r.decisions, g, sol.Coef) }); err != nil {
			return result{}, err
		}
	}
	for i := range r.decisions {
		r.decisions[i] -= sol.Rho
	}
	return r, nil
}

// scoreTest computes f(x) of a job's test records: by the rows of these and of the support vectors, or by a product
// with the whole matrix.
func (j *job) scoreTest(dst []float64, g stringkernel.Gram, coef []float64) {
	if rows := stringkernel.FeatureRowsOf(g); rows != nil {
		table := make([]float64, rows.Width())
		for i, a := range coef {
			if a != 0 {
				rows.Scatter(table, j.record(i), a)
			}
		}
		for i, record := range j.test {
			dst[i] = rows.Gather(table, record)
		}
		return
	}
	f, v := make([]float64, g.Len()), make([]float64, g.Len())
	expand(v, coef, j.index)
	g.MulVecTo(f, v)
	for i, record := range j.test {
		dst[i] = f[record]
	}
}
