// Package search finds by cross-validation which kernel and which way of learning suit a data set.
//
// A candidate is a [classify.Trainer]: a kernel, a cost C and all other options. [Search.Run] cross-validates every
// candidate on the same folds and returns a [Table] of their metrics. It avoids doing work twice:
//
//   - candidates are taken family by family, and the kernels of a family share one index of the corpus
//     ([stringkernel.Share]), so that memory is that of one family at a time, however many candidates there are;
//   - candidates that differ in C alone are solved together in the order of C, each from the solution before
//     ([classify.CrossValidateCosts]);
//   - a kernel that depends on a corpus is fitted to the training part of each fold, on counts that were made once.
//
// So the values of a kernel may differ in their last bits from those that classify.CrossValidate computes, and
// solutions within the solver's tolerance: figures are the same but where scores are equal, or nearly. One candidate
// alone has those figures to the last bit if its kernel depends on nothing but its parameters.
//
// Records may have several labels, or be in a hierarchy: the metrics are then those of [MeasureFolds].
//
// The best candidate has the greatest mean over the folds, of a loss the least. Since that mean is uncertain, a simpler
// candidate that is within one standard error of it is often the wiser choice (Breiman, Friedman, Olshen & Stone 1984,
// Classification and Regression Trees, section 3.4.3, doi:10.1201/9781315139470). Of two candidates the simpler one has
// the smaller C; with the same C, it comes earlier in the list.
//
// The mean of the best is an optimistic estimate of its accuracy on new data, since it was chosen by that mean.
// [Search.Nested] gives an honest one of the whole procedure, search included: it searches on all folds but one, and
// measures the winner on that one, which the search has not seen (Varma & Simon 2006, doi:10.1186/1471-2105-7-91).
package search

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/measure"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Search is a list of candidates and how to choose among them.
type Search struct {
	Candidates []classify.Trainer // those of equal C: simpler ones first; their Progress is not used
	// one of Dataset.MetricNames, or of probabilities with the logistic loss; empty: Dataset.DefaultMetric
	Metric string
	By     By   // what the metric is of; empty: Folds
	Pick   Pick // the candidate that Nested trains; empty: Best
	// called after each group of candidates that differ in C alone, never by two goroutines at once; may be nil
	Progress func(Progress)
	Log      *Log // takes the results, and gives those that it has; may be nil

	threshold threshold.Criterion   // nil, or what Result.Threshold is chosen by
	indexes   *stringkernel.Indexes // of the records, held by whoever has further searches on them; nil: one per family
}

// Pick says which candidate of a table to take.
type Pick string

// The picks.
const (
	Best  Pick = "best" // the best mean
	OneSE Pick = "1se"  // the simplest whose mean is at most one standard error behind the best
)

// By says what candidates are measured by. But for Folds that is for ridge regression and Gaussian processes, which are
// solved once on all records; there is one report of each then, and no standard error.
type By string

// The ways to measure candidates.
const (
	Folds       By = "folds"    // the folds of a cross-validation
	Evidence    By = "evidence" // the logarithm of the evidence, under the metric LogEvidence
	LeaveOneOut By = "loo"      // each record, predicted by the machine of all others
)

// LogEvidence is the metric of Evidence.
const LogEvidence = "log_evidence"

// whole reports whether candidates are measured without folds.
func (s Search) whole() bool { return s.By == Evidence || s.By == LeaveOneOut }

// Progress is how far a search has come.
type Progress struct {
	Done, Candidates int // of this search
	Outer, Outers    int // which of how many searches of Nested, from 1; 0 of 0 in Run
}

// Result is what cross-validation says of a candidate.
type Result struct {
	Measured
	Gap       float64 // greatest relative duality gap of its machines
	Threshold float64 // of two classes, by the criterion of Halving, or 0
}

// CandidateError is why a candidate could not be tried.
type CandidateError struct {
	Candidate int // its number, from 0
	Err       error
}

// Error returns the reason; callers know the names of their candidates.
func (e *CandidateError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *CandidateError) Unwrap() error { return e.Err }

// Run cross-validates every candidate. fold numbers the fold of each record from 0, as classify.CrossValidate takes it;
// without folds it is not used.
// The table is the same to the bit whatever the number of processors.
//
// Time: an index per family of kernels, and for every fold and candidate the solvers'. Memory: the index of one family,
// and that of a cross-validation of one kernel.
func (s Search) Run(ctx context.Context, d *dataset.Dataset, fold []int) (*Table, error) {
	return s.run(ctx, d, fold, Progress{Candidates: len(s.Candidates)})
}

func (s Search) run(ctx context.Context, d *dataset.Dataset, fold []int, progress Progress) (*Table, error) {
	if err := s.Check(d); err != nil {
		return nil, err
	}
	t := &Table{Metric: s.metric(d), Results: make([]Result, len(s.Candidates))}
	for _, family := range s.families() {
		if err := s.runFamily(ctx, d, fold, family, t, &progress); err != nil {
			return nil, err
		}
	}
	return t, t.choose(s.Candidates)
}

// metric returns what candidates are compared by.
func (s Search) metric(d *dataset.Dataset) string {
	switch {
	case s.By == Evidence:
		return LogEvidence
	case s.Metric == "":
		return d.DefaultMetric()
	}
	return s.Metric
}

// Check returns the error that Run would return before any work: no candidates, an unknown metric, or a
// [CandidateError] of a candidate that is not for the data or would take too much memory on them.
func (s Search) Check(d *dataset.Dataset) error {
	if len(s.Candidates) == 0 {
		return fmt.Errorf("search: no candidates, want at least one")
	}
	names := d.MetricNames()
	if !slices.ContainsFunc(s.Candidates, func(t classify.Trainer) bool { return t.Loss != classify.LossLogistic }) {
		names = append(names, metrics.ProbabilityMetrics()...)
	}
	if s.Metric != "" && !slices.Contains(names, s.Metric) {
		return fmt.Errorf("search: metric %q is unknown, want one of %q", s.Metric, names)
	}
	if s.By != "" && s.By != Folds && !s.whole() {
		return fmt.Errorf("search: by %q is unknown, want %q, %q or %q", s.By, Folds, Evidence, LeaveOneOut)
	}
	if s.Pick != "" && s.Pick != Best && s.Pick != OneSE {
		return fmt.Errorf("search: pick %q is unknown, want %q or %q", s.Pick, Best, OneSE)
	}
	for i, c := range s.Candidates {
		if c.Kernel == nil {
			return fmt.Errorf("search: candidate %d has no kernel", i+1)
		}
		err := c.Check(d)
		if err == nil && s.whole() {
			err = c.HasEvidence(d)
		}
		if err != nil {
			return &CandidateError{i, err}
		}
	}
	return nil
}

// alike returns a candidate without what those that are solved together differ in.
func (s Search) alike(c classify.Trainer) classify.Trainer {
	c.C, c.Progress = 0, nil
	if s.whole() {
		c.Lambda = 0
	}
	return c
}

// families groups the candidates by family of kernels, and within by all but C, or but λ where there are no folds:
// numbers of candidates in the order of the list.
func (s Search) families() [][][]int {
	var families [][][]int
	for i, c := range s.Candidates {
		f := slices.IndexFunc(families, func(family [][]int) bool {
			return stringkernel.FamilyOf(s.Candidates[family[0][0]].Kernel) == stringkernel.FamilyOf(c.Kernel)
		})
		if f < 0 {
			f, families = len(families), append(families, nil)
		}
		g := slices.IndexFunc(families[f], func(group []int) bool {
			return reflect.DeepEqual(s.alike(s.Candidates[group[0]]), s.alike(c))
		})
		if g < 0 {
			g, families[f] = len(families[f]), append(families[f], nil)
		}
		families[f][g] = append(families[f][g], i)
	}
	return families
}

// runFamily fills in the results of the groups of a family, which share an index.
func (s Search) runFamily(ctx context.Context, d *dataset.Dataset, fold []int, groups [][]int, t *Table,
	progress *Progress) error {
	kernels := make([]stringkernel.Kernel, len(groups))
	for g, group := range groups {
		kernels[g] = s.Candidates[group[0]].Kernel
		if err := kernels[g].Check(); err != nil {
			return &CandidateError{group[0], err}
		}
	}
	indexes := s.indexes
	if indexes == nil {
		indexes = &stringkernel.Indexes{Corpus: d.Corpus}
	}
	// Of all kernels, whichever are needed: the bits may depend on that.
	share := sync.OnceValues(func() (stringkernel.Shared, error) {
		return indexes.Share(ctx, kernels)
	})
	reports, run := 1, s.runWhole
	if !s.whole() {
		reports, run = slices.Max(fold)+1, s.runGroup
	}
	for g, group := range groups {
		if !s.Log.load(progress.Outer, group, reports, t.Results) {
			shared, err := share()
			if err != nil {
				return &CandidateError{groups[0][0], fmt.Errorf("search: indexing %d records: %w", d.Len(), err)}
			}
			matrix := func(ctx context.Context, train []int) (stringkernel.Gram, error) {
				return shared(ctx, kernels[g], train)
			}
			if err := run(ctx, d, fold, group, t, matrix); err != nil {
				return &CandidateError{group[0], err}
			}
			if err := s.Log.save(progress.Outer, group, t.Results); err != nil {
				return err
			}
		}
		progress.Done += len(group)
		if s.Progress != nil {
			s.Progress(*progress)
		}
	}
	return nil
}

// runGroup fills in the results of candidates that differ in C alone.
func (s Search) runGroup(ctx context.Context, d *dataset.Dataset, fold, group []int, t *Table,
	matrix classify.GramFunc) error {
	trainer := s.Candidates[group[0]]
	trainer.Progress = nil
	costs := make([]float64, len(group))
	for i, candidate := range group {
		costs[i] = cmp.Or(s.Candidates[candidate].C, 1) // as a Trainer has it
	}
	outcomes, err := classify.CrossValidateCosts(ctx, trainer, d, fold, costs, matrix)
	if err != nil {
		return err
	}
	for i, candidate := range group {
		if t.Results[candidate], err = resultOf(d, outcomes[i]); err != nil {
			return err
		}
		if s.threshold != nil && d.Labelling() == dataset.TwoClasses {
			t.Results[candidate].Threshold = s.threshold(leftOut(d, outcomes[i]))
		}
	}
	return nil
}

// leftOut returns the decision values of two classes.
func leftOut(d *dataset.Dataset, o *classify.CVResult) (m threshold.LeftOut) {
	for i, p := range o.Predictions {
		y := -1.0
		if d.Y[i] == d.Positive {
			y = 1
		}
		m.Decisions, m.Y = append(m.Decisions, p.Scores[0]), append(m.Y, y)
	}
	return m
}

// runWhole fills in the results of candidates that differ in λ alone, without folds.
func (s Search) runWhole(ctx context.Context, d *dataset.Dataset, _, group []int, t *Table,
	matrix classify.GramFunc) error {
	g, err := matrix(ctx, nil)
	if err != nil {
		return err
	}
	trainer, lambdas := s.Candidates[group[0]], make([]float64, len(group))
	for i, candidate := range group {
		lambdas[i] = s.Candidates[candidate].Lambda
	}
	reports := make([]metrics.Report, len(group))
	if s.By == Evidence {
		values, err := trainer.LogEvidences(ctx, d, g, lambdas)
		if err != nil {
			return err
		}
		for i, value := range values {
			reports[i] = metrics.Report{N: d.Len(),
				Scalars: metrics.NewScalars([]string{LogEvidence}, []metrics.Float{metrics.Float(value)})}
		}
	} else {
		predictions, err := trainer.LeaveOneOut(ctx, d, g, lambdas)
		if err != nil {
			return err
		}
		for i := range reports {
			if reports[i], err = measure.Predictions(d, subset.Whole(d.Len()), predictions[i]); err != nil {
				return err
			}
		}
	}
	for i, candidate := range group {
		r := &t.Results[candidate]
		r.Folds = reports[i : i+1]
		r.Mean, r.SD = metrics.MeanSD(r.Folds)
	}
	return nil
}

func resultOf(d *dataset.Dataset, o *classify.CVResult) (r Result, err error) {
	if r.Measured, err = MeasureFolds(d, o); err != nil {
		return r, err
	}
	for _, decision := range o.Rules {
		for _, m := range decision.Machines {
			r.Gap = max(r.Gap, m.Gap)
		}
	}
	return r, nil
}

// Measured is a cross-validation in figures.
type Measured struct {
	Folds    []metrics.Report
	Mean, SD metrics.Scalars // over the folds, those where a metric is undefined left out
}

// MeasureFolds measures every fold of a cross-validation of d.
func MeasureFolds(d *dataset.Dataset, o *classify.CVResult) (m Measured, err error) {
	m.Folds = make([]metrics.Report, o.Folds)
	for f := range m.Folds {
		if m.Folds[f], err = measure.Predictions(d, o.Tested(f), o.Predictions); err != nil {
			return m, err
		}
	}
	m.Mean, m.SD = metrics.MeanSD(m.Folds)
	return m, nil
}
