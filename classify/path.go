package classify

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// GramFunc gives the Gram matrix over all records of a data set of a kernel fitted to the records train of it, 0-based
// and ascending; nil is all of them. It may be called from several goroutines at once.
type GramFunc func(ctx context.Context, train []int) (stringkernel.Gram, error)

// CrossValidateCosts is [CrossValidate] of t at several costs, in place of its own C, with one outcome each. The
// matrices are the caller's, who may have a cheaper way to them than an index per kernel ([stringkernel.Share]); nil
// stands for those of t.Kernel.
//
// Costs are taken in ascending order, and every machine starts from its solution at the cost before, which is a
// feasible point; SMO and the scheme CrammerSinger, which have no start, do not. The outcomes meet t.Tol like those of
// CrossValidate, and are the same to the bit whatever the number of processors; the coefficients differ within that
// tolerance, those at the least cost by rounding at most.
//
// Measured at five costs from 0.1 to 10 (BenchmarkPath: 2,000 planted records, five folds), the starts save 28 % of the
// passes of coordinate descent and 13 % of the planes. Coefficients times the ratio of the costs, which is feasible
// too, save 4 % and 9 %.
//
// A kernel that depends on nothing but its parameters has one matrix, and the folds of all machines are solved side by
// side; else a matrix is asked for per fold, and as many are in memory as there are processors.
func CrossValidateCosts(
	ctx context.Context, t Trainer, d *Dataset, fold []int, costs []float64, matrix GramFunc,
) ([]*CVResult, error) {
	p, err := newPath(t, d, fold, costs)
	if err != nil {
		return nil, err
	}
	refitted := stringkernel.DependsOnCorpus(t.Kernel)
	if matrix == nil {
		shared, err := parallel.Await(ctx, func() (stringkernel.Shared, error) {
			return stringkernel.Share(ctx, d.Corpus, []stringkernel.Kernel{t.Kernel})
		})
		if err != nil {
			return nil, fmt.Errorf("classify: indexing %d records: %w", d.Len(), err)
		}
		matrix = func(ctx context.Context, train []int) (stringkernel.Gram, error) {
			return shared(ctx, t.Kernel, train)
		}
	}
	solve := p.shared
	if refitted {
		solve = p.refitted
	}
	if err := solve(ctx, matrix); err != nil {
		return nil, err
	}
	return p.outcomes, nil
}

// path is a cross-validation at several costs.
type path struct {
	trainer  Trainer
	data     *Dataset
	order    []int // numbers of costs, ascending
	costs    []float64
	outcomes []*CVResult // per cost
	lock     sync.Mutex  // of progress
}

func newPath(t Trainer, d *Dataset, fold []int, costs []float64) (*path, error) {
	p := &path{trainer: t, data: d, costs: costs, outcomes: make([]*CVResult, len(costs))}
	if len(costs) == 0 {
		return nil, fmt.Errorf("classify: no costs, want at least one")
	}
	for i, c := range costs {
		if err := CheckC(c); err != nil {
			return nil, err
		}
		t.C = c
		if err := t.Check(d); err != nil {
			return nil, err
		}
		var err error
		if p.outcomes[i], err = NewCVResult(d, fold); err != nil {
			return nil, err
		}
		p.order = append(p.order, i)
	}
	slices.SortStableFunc(p.order, func(i, j int) int { return cmp.Compare(costs[i], costs[j]) })
	return p, nil
}

// shared solves all folds on one matrix.
func (p *path) shared(ctx context.Context, matrix GramFunc) error {
	g, err := parallel.Await(ctx, func() (stringkernel.Gram, error) { return matrix(ctx, nil) })
	if err != nil {
		return err
	}
	return p.solve(ctx, g, p.trainer.CacheBytes, p.outcomes[0].allFolds())
}

// refitted solves each fold on a matrix of its own.
func (p *path) refitted(ctx context.Context, matrix GramFunc) error {
	k := p.outcomes[0].Folds
	cache := share(p.trainer.CacheBytes, min(runtime.GOMAXPROCS(0), k)) // as many folds train at the same time
	return parallel.Do(ctx, k, func(f int) error {
		train, _ := p.outcomes[0].Split(f)
		g, err := parallel.Await(ctx, func() (stringkernel.Gram, error) { return matrix(ctx, train) })
		if err != nil {
			return fmt.Errorf("fold %d: %w", f, err)
		}
		return p.solve(ctx, g, cache, []int{f})
	})
}

// solve fills in the outcomes of some folds at every cost.
func (p *path) solve(ctx context.Context, g stringkernel.Gram, cache int64, folds []int) error {
	plans := make([][]*plan, len(p.costs)) // per cost, in order, and fold
	jobs := make([][]job, len(p.costs))
	for s, i := range p.order {
		t := p.trainer
		t.C = p.costs[i]
		for _, f := range folds {
			train, test := p.outcomes[i].Split(f)
			plan, err := t.plan(p.data, train)
			if err != nil {
				return fmt.Errorf("fold %d: %w", f, err)
			}
			for m := range plan.machines {
				plan.jobs[m].test = test
			}
			plans[s] = append(plans[s], plan)
			jobs[s] = append(jobs[s], plan.jobs...)
		}
	}
	results, err := p.run(ctx, g, cache, jobs)
	if err != nil {
		return err
	}
	for s, i := range p.order {
		if err := p.outcomes[i].fill(plans[s], folds, results[s]); err != nil {
			return err
		}
	}
	return nil
}

// run solves jobs[s][i] for all costs s in turn, the problems i in parallel, each from its solution before.
func (p *path) run(ctx context.Context, g stringkernel.Gram, cache int64, jobs [][]job) ([][]result, error) {
	g, err := p.trainer.hold(ctx, g, slices.Concat(jobs...))
	if err != nil {
		return nil, err
	}
	n := len(jobs[0])
	results := make([][]result, len(jobs))
	for s := range results {
		results[s] = make([]result, n)
	}
	cache = share(cache, min(runtime.GOMAXPROCS(0), n))
	err = eachJob(ctx, g, n, p.trainer.sharesProducts(g, jobs[0]), func(i int, g stringkernel.Gram) error {
		if jobs[0][i].joint != nil {
			return p.runJoint(ctx, g, jobs, i, results)
		}
		if jobs[0][i].oneSided {
			for s := range jobs {
				results[s][i] = oneSidedResult(jobs[s][i])
			}
			return nil
		}
		var start []float64
		for s := range jobs {
			j := jobs[s][i]
			settings := p.trainer.settings(cache, p.progress(s*n+i, len(jobs)*n))
			settings.Start = start
			sol, err := p.trainer.solve(ctx, g, j, settings)
			if err != nil {
				return err
			}
			start = sol.Coef
			results[s][i] = result{sol, sol.SupportVectors(), decisionsOf(g, j, sol)}
			results[s][i].Coef = nil
		}
		return nil
	})
	return results, err
}

// runJoint solves the problem of all classes that job i belongs to, at each cost from zeros.
func (p *path) runJoint(ctx context.Context, g stringkernel.Gram, jobs [][]job, i int, results [][]result) error {
	n := len(jobs[0])
	for s := range jobs {
		if err := p.trainer.solveJoint(ctx, g, jobs[s], i, results[s], p.progress(s*n+i, len(jobs)*n)); err != nil {
			return err
		}
	}
	return nil
}

// progress returns the reporter of one of several problems.
func (p *path) progress(problem, problems int) func(svm.Progress) {
	return serialised(p.trainer.Progress, &p.lock, problem, problems)
}
