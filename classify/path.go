package classify

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// CrossValidateCosts is [CrossValidate] of t at several costs, in place of its own C, with one outcome each. The
// matrices are the caller's, who may have a cheaper way to them than an index per kernel ([stringkernel.Share]); nil
// means those of t.Kernel.
//
// Costs are taken in ascending order, and every machine starts from its solution at the cost before, which is a
// feasible point; SMO and the scheme CrammerSinger, which have no start, do not. The outcomes meet t.Tol like those of
// CrossValidate, and are the same to the bit whatever the number of processors; the coefficients differ within that
// tolerance, those at the least cost by rounding at most.
//
// A kernel that depends on nothing but its parameters has one matrix, and the folds of all machines are solved side by
// side; else a matrix is asked for per fold, and as many are in memory as there are processors.
func CrossValidateCosts(
	ctx context.Context, t Trainer, d *dataset.Dataset, fold []int, costs []float64, matrix GramFunc,
) ([]*CVResult, error) {
	p, err := newPath(t, d, fold, costs)
	if err != nil {
		return nil, err
	}
	if t.MKL != 0 {
		return p.outcomes, p.mixed(ctx)
	}
	if matrix == nil || t.fewFeatures() {
		matrix = t.matrices(ctx, t.Kernel, d.Corpus)
	}
	run := p.shared
	if stringkernel.DependsOnCorpus(t.Kernel) {
		run = p.refitted
	}
	if err := run(ctx, matrix); err != nil {
		return nil, err
	}
	return p.outcomes, nil
}

// path is a cross-validation at several costs.
type path struct {
	trainer  Trainer
	data     *dataset.Dataset
	order    []int // numbers of costs, ascending
	costs    []float64
	outcomes []*CVResult // per cost
}

func newPath(t Trainer, d *dataset.Dataset, fold []int, costs []float64) (*path, error) {
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
	g, err := matrix(ctx, nil)
	if err != nil {
		return err
	}
	return p.solve(ctx, p.trainer, g, subset.Whole(p.outcomes[0].Folds)...)
}

// refitted solves each fold on its own matrix.
func (p *path) refitted(ctx context.Context, matrix GramFunc) error {
	k := p.outcomes[0].Folds
	t := p.trainer.beside(k)
	return parallel.Do(ctx, k, func(f int) error {
		train, _ := p.outcomes[0].Split(f)
		t := t
		t.refits = t.newRefits(p.data, train, matrix)
		g, err := matrix(ctx, train)
		if err != nil {
			return fmt.Errorf("fold %d: %w", f+1, err)
		}
		return p.solve(ctx, t, g, f)
	})
}

// mixed learns weights for each fold and cost.
func (p *path) mixed(ctx context.Context) error {
	for i, c := range p.costs {
		t := p.trainer
		t.C = c
		if err := p.outcomes[i].refit(ctx, t, p.data); err != nil {
			return err
		}
	}
	return nil
}

// solve fills in the outcomes of some folds at every cost.
func (p *path) solve(ctx context.Context, t Trainer, g stringkernel.Gram, folds ...int) error {
	plans := make([][]*plan, len(p.costs)) // per cost, in order, and fold
	jobs := make([][]solve.Job, len(p.costs))
	for s, i := range p.order {
		t.C = p.costs[i]
		for _, f := range folds {
			train, test := p.outcomes[i].Split(f)
			plan, err := t.plan(p.data, train)
			if err != nil {
				return fmt.Errorf("fold %d: %w", f+1, err)
			}
			plan.rule.Approximations = stringkernel.TraitsOf(g).Approximations
			for m := range plan.rule.Machines {
				plan.jobs[m].Test = test
			}
			plans[s] = append(plans[s], plan)
			jobs[s] = append(jobs[s], plan.jobs...)
		}
	}
	results, err := t.runner().Run(ctx, g, jobs...)
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
