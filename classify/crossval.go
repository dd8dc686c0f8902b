package classify

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// CVResult is the result of a cross-validation.
type CVResult struct {
	Classes     []string
	Positive    int                 // the class that two-class scores speak for
	Folds       int                 // k
	Fold        []int               // per record, 0 … k−1: the fold it was tested in
	Predictions []decide.Prediction // per record, by the classifier trained on the other folds
	Rules       []decide.Rule       // per fold: the machines with their certificates
	Data        *dataset.Dataset    // if not nil, what says which records share a group with those tested
}

// CrossValidate trains on all folds but one and predicts the records of that one, for every fold. fold numbers the fold
// of each record from 0 without gaps; make it with [dataset.Dataset.Folds] or by hand. Every class must occur in at
// least two folds.
//
// A kernel that depends on nothing but its parameters indexes the whole corpus once; the folds train on parts of that
// index, and the scores of the records left out come from the same product. A stringkernel.Fitter that depends on its
// corpus is fitted for each fold, on counts that were made once ([stringkernel.Share]), so that the records left out
// have no influence on it.
//
// Folds and machines run in parallel; the outcome is the same to the bit whatever the number of processors.
func CrossValidate(ctx context.Context, t Trainer, d *dataset.Dataset, fold []int) (*CVResult, error) {
	if packing, records, err := t.pack(ctx, d); err != nil || records != nil {
		if err != nil {
			return nil, err
		}
		return CrossValidateShards(ctx, packing, records, d, fold, nil)
	}
	outcomes, err := CrossValidateCosts(ctx, t, d, fold, []float64{cmp.Or(t.C, 1)}, nil)
	if err != nil {
		return nil, err
	}
	return outcomes[0], nil
}

// NewCVResult checks the folds and returns an outcome still to be filled in.
func NewCVResult(d *dataset.Dataset, fold []int) (*CVResult, error) {
	if err := d.CheckFolds(fold); err != nil {
		return nil, err
	}
	k := slices.Max(fold) + 1
	return &CVResult{
		Classes: d.Classes, Positive: d.Positive, Folds: k, Fold: append([]int(nil), fold...),
		Predictions: make([]decide.Prediction, d.Len()), Rules: make([]decide.Rule, k), Data: d,
	}, nil
}

// Tested returns the records of fold f, ascending.
func (o *CVResult) Tested(f int) []int {
	_, test := o.Split(f)
	return test
}

// Split returns the records not in and in fold f, as Data splits them.
func (o *CVResult) Split(f int) (train, test []int) { return o.Data.Split(o.Fold, f) }

// refit trains each fold from its own sequences.
func (o *CVResult) refit(ctx context.Context, t Trainer, d *dataset.Dataset) error {
	t = t.beside(o.Folds)
	return parallel.Do(ctx, o.Folds, func(f int) error {
		if err := o.TrainFold(ctx, t, d, f); err != nil {
			return fmt.Errorf("fold %d: %w", f+1, err)
		}
		return nil
	})
}

// TrainFold trains on the records that are not in fold f, and fills in the rule and the predictions of the fold.
func (o *CVResult) TrainFold(ctx context.Context, t Trainer, d *dataset.Dataset, f int) error {
	train, test := o.Split(f)
	return o.trainOn(ctx, t, d, f, train, test)
}

// trainOn trains on some records, and fills in the rule and the predictions of fold f, whose records are given.
func (o *CVResult) trainOn(ctx context.Context, t Trainer, d *dataset.Dataset, f int, train, test []int) error {
	model, err := t.Train(ctx, d.Subset(train))
	if err != nil {
		return err
	}
	c, err := model.Classifier(ctx)
	if err != nil {
		return err
	}
	predictions, err := c.Predict(ctx, d.Corpus.Subset(test))
	if err != nil {
		return err
	}
	o.Rules[f] = model.Rule
	for j, i := range test {
		o.Predictions[i] = predictions[j]
	}
	return nil
}

// fill makes decisions and predictions of some folds from the results of the jobs of their plans, one after the other.
func (o *CVResult) fill(plans []*plan, folds []int, results []solve.Result) error {
	for i, p := range plans {
		f := folds[i]
		mine := results[:len(p.jobs)]
		results = results[len(p.jobs):]
		var err error
		if o.Rules[f], err = p.decide(mine); err != nil {
			return fmt.Errorf("fold %d: %w", f+1, err)
		}
		o.predict(f, p.jobs[0].Test, mine)
	}
	return nil
}

// predict combines the machines' decision values of the test records of a fold.
func (o *CVResult) predict(f int, test []int, results []solve.Result) {
	decider := o.Rules[f].Decider()
	for j, i := range test {
		decisions := make([]float64, len(o.Rules[f].Machines))
		for m := range decisions {
			decisions[m] = results[m].Decisions[j]
		}
		decider(decisions, &o.Predictions[i])
	}
}

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
