package classify

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Train fits the kernel to the corpus (if it is a stringkernel.Fitter that depends on one), indexes the corpus once,
// trains all machines on that index in parallel and calibrates them if asked to, with the same index; a kernel that
// depends on the corpus is fitted to the training part of each fold of the calibration. The model is the same to the
// bit whatever the number of processors. A machine that did not reach Tol is not an error: see its Gap.
//
// When ctx is done Train stops its work and returns: kernels of this module look at it every fraction of a millisecond
// while they index, solvers between rows and products. A row or product that has begun is left to end by itself, within
// a second or so; nothing else is left running.
//
// Time: that of the index and of the machines' solvers. Memory: the index, the data set, per processor a solver's
// ([svm.BytesOf]; training is refused where these do not fit), up to 512 MiB where the Gram matrix is held in memory
// (twice that while the matrix of a sum is made), and what grows with the number of machines: 40 to 60 bytes for each
// record of each, 140 more with Probability or several labels. A training that would need more for those than the limit
// of package memory, by default half of the machine's memory, is refused before it begins, and so is one whose model
// the kernel would refuse to merge ([stringkernel.Traits]): it has too many classes, most often because the labels are
// not classes.
func (t Trainer) Train(ctx context.Context, d *dataset.Dataset) (*decide.Model, error) {
	if err := t.Check(d); err != nil {
		return nil, err
	}
	if packing, records, err := t.pack(ctx, d); err != nil || records != nil {
		if err != nil {
			return nil, err
		}
		return packing.TrainShards(ctx, records, d, nil)
	}
	t, mixture, err := t.withMixture(ctx, d)
	if err != nil {
		return nil, err
	}
	kernel, g, err := t.index(ctx, d)
	if err != nil {
		return nil, err
	}
	if stringkernel.DependsOnCorpus(t.Kernel) {
		t.refits = t.newRefits(d, nil, t.matrices(ctx, kernel, d.Corpus))
	}
	plan, err := t.plan(d, nil)
	if err != nil {
		return nil, err
	}
	if check := stringkernel.TraitsOf(kernel).CheckOutputs; check != nil {
		if err := check(len(plan.rule.Machines)); err != nil {
			return nil, fmt.Errorf("classify: %d classes of %d records: %w", len(d.Classes), d.Len(), err)
		}
	}
	results, rule, err := t.solvePlan(ctx, g, plan)
	if err != nil {
		return nil, err
	}
	runtime.GC() // what solvers took, before support vectors are copied
	rule.Mixture = mixture
	m := &decide.Model{Rule: rule, Kernel: kernel, Problems: plan.problems(rule)}
	if all, is := g.(*solve.Listed); is {
		m.Support, m.Coef, err = all.Support(kernel, results[:len(plan.rule.Machines)])
	} else {
		setSupport(m, d.Corpus, plan, results)
		if scale := stringkernel.TraitsOf(g).Scale; scale != nil {
			m.Coef.Scale = subset.At(scale, m.Index)
		}
	}
	if err != nil {
		return nil, err
	}
	if t.Conformal {
		if m.Rule.Conformal, err = t.conformal(ctx, d, kernel, g); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// solvePlan solves the jobs of a plan.
func (t Trainer) solvePlan(ctx context.Context, g stringkernel.Gram, p *plan) ([]solve.Result, decide.Rule, error) {
	p.rule.Approximations = stringkernel.TraitsOf(g).Approximations
	results, err := t.runner().Run(ctx, g, p.jobs)
	if err != nil {
		return nil, decide.Rule{}, err
	}
	rule, err := p.decide(results[0])
	return results[0], rule, err
}

// fitted returns the kernel as it is fitted to a corpus.
func (t Trainer) fitted(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	kernel, err := stringkernel.Compile(t.Kernel)
	if err != nil {
		return nil, fmt.Errorf("classify: %w", err)
	}
	if kernel, err = stringkernel.Fit(ctx, kernel, c); err != nil {
		return nil, fmt.Errorf("classify: fitting the kernel: %w", err)
	}
	return kernel, nil
}

// index fits the kernel to the corpus and builds its Gram matrix.
func (t Trainer) index(ctx context.Context, d *dataset.Dataset) (stringkernel.Kernel, stringkernel.Gram, error) {
	kernel, err := t.fitted(ctx, d.Corpus)
	if err != nil {
		return nil, nil, err
	}
	if t.fewFeatures() {
		g, err := solve.Listing(ctx, kernel, d.Corpus)
		return kernel, g, err
	}
	g, err := kernel.Gram(ctx, d.Corpus)
	if err != nil {
		return nil, nil, fmt.Errorf("classify: indexing %d records: %w", d.Len(), err)
	}
	return kernel, g, nil
}

// matrices returns a function that fits the kernel to some records of a corpus. That is read once, when it is first
// asked for, or not at all where what the fitted kernel has learned of it serves.
func (t Trainer) matrices(ctx context.Context, fitted stringkernel.Kernel, corpus *stringkernel.Corpus) GramFunc {
	if t.fewFeatures() {
		return t.listings(corpus)
	}
	shared := sync.OnceValues(func() (stringkernel.Shared, error) {
		x := &stringkernel.Indexes{Corpus: corpus}
		return x.ShareBy(ctx, fitted, []stringkernel.Kernel{t.Kernel})
	})
	return func(ctx context.Context, train []int) (stringkernel.Gram, error) {
		index, err := shared()
		if err != nil {
			return nil, fmt.Errorf("classify: indexing %d records: %w", corpus.Len(), err)
		}
		return index(ctx, t.Kernel, train)
	}
}

// TrainOn trains the machines of a data set on a Gram matrix of its records that the caller made, such as that of
// explicit features, and returns their decision rule and the coefficients of each, one per record. Of Kernel it uses no
// more than what Multiclass needs if empty.
func (t Trainer) TrainOn(
	ctx context.Context, g stringkernel.Gram, d *dataset.Dataset,
) (decide.Rule, [][]float64, error) {
	plan, err := t.plan(d, nil)
	if err != nil {
		return decide.Rule{}, nil, err
	}
	results, rule, err := t.solvePlan(ctx, g, plan)
	if err != nil {
		return decide.Rule{}, nil, err
	}
	coef := scratch.Vectors(len(plan.rule.Machines), d.Len())
	for m := range coef {
		solve.Expand(coef[m], results[m].Coef, plan.jobs[m].Index)
	}
	return rule, coef, nil
}

// setSupport collects the union of the support vectors. A model without any keeps the first record without
// coefficients, since kernels may reject an empty merge.
func setSupport(m *decide.Model, corpus *stringkernel.Corpus, plan *plan, results []solve.Result) {
	each := func(visit func(record, machine int, a float64)) {
		for i := range plan.rule.Machines {
			for j, a := range results[i].Coef {
				if a != 0 {
					visit(plan.jobs[i].Record(j), i, a)
				}
			}
		}
	}
	ends, entries := make([]int, corpus.Len()), 0 // of each record, its number of coefficients first
	each(func(record, _ int, _ float64) { ends[record]++ })
	m.Coef = &stringkernel.Coefficients{Outputs: len(plan.rule.Machines)}
	for record, count := range ends {
		ends[record] = entries // where the next coefficient goes
		if entries += count; count > 0 {
			m.Index, m.Coef.Ends = append(m.Index, record), append(m.Coef.Ends, entries)
		}
	}
	if len(m.Index) == 0 {
		m.Index, m.Coef.Ends = []int{0}, []int{0}
	}
	m.Coef.Output, m.Coef.Values = make([]int32, entries), make([]float64, entries)
	each(func(record, machine int, a float64) {
		m.Coef.Output[ends[record]], m.Coef.Values[ends[record]] = int32(machine), a
		ends[record]++
	})
	m.Support = corpus.Subset(m.Index)
}

// plan lists the problems of training on the records rows (nil: all) of the data set.
func (t Trainer) plan(d *dataset.Dataset, rows []int) (p *plan, err error) {
	if t.weights, err = t.classWeights(d); err != nil {
		return nil, err
	}
	p = new(plan)
	if p.rule, err = t.rule(d, rows); err != nil {
		return nil, err
	}
	t.learner(d).plan(t, p, d, rows)
	probable := p.rule.Probable()
	p.logistic = probable && t.Loss == LossLogistic
	p.sigmoids = probable && (t.Probability || p.logistic && t.calibrates(p))
	_, criterion, err := threshold.Parse(p.rule.Criterion)
	if err != nil {
		return nil, err
	}
	if p.sigmoids || criterion != nil {
		p.refits = t.refits
		if err := t.planCalibrations(p, d, p.logistic && criterion == nil); err != nil {
			return nil, err
		}
	}
	return p, p.weigh(d)
}

// decide makes the decision of the results of the plan's jobs.
func (p *plan) decide(results []solve.Result) (decide.Rule, error) {
	d, s := p.rule, learners[p.rule.Scheme]
	d.Machines = slices.Clone(d.Machines)
	left := make([]threshold.LeftOut, len(d.Machines))
	for i := range d.Machines {
		m, sol := &d.Machines[i], &results[i].Solution
		m.Rho, m.SupportVectors, m.Solver, m.Reason = sol.Rho, results[i].SupportVectors, sol.Solver, sol.Reason
		m.Primal, m.Dual, m.Gap, m.Iterations = sol.Primal, sol.Dual, sol.Gap, sol.Iterations
		if p.logistic {
			m.Sigmoid = &threshold.Sigmoid{A: -1}
		}
		if p.folds == nil {
			continue
		}
		for _, c := range p.folds[i] {
			left[i].Decisions = append(left[i].Decisions, results[c.job].Decisions...)
			left[i].Y = append(left[i].Y, c.y...)
		}
	}
	if t, ok := s.(thresholded); ok {
		t.decide(&d, results)
	}
	if p.folds != nil {
		if err := s.calibrate(p, d.Machines, left); err != nil {
			return decide.Rule{}, err
		}
		d.Scaling = p.scaling(&d, results)
	}
	return d, d.Check()
}
