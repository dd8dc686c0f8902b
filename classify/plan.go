package classify

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/subset"
)

// plan is what a training run on some records of an indexed corpus has to solve: a job per machine, then, if
// machines are calibrated, the jobs of each machine's cross-validation.
type plan struct {
	rule       decide.Rule // with untrained machines
	jobs       []solve.Job // the first are the machines'
	folds      [][]calibration
	thresholds string  // of MultiLabel
	logistic   bool    // decision values are log odds
	sigmoids   bool    // folds are to give machines sigmoids
	refits     *refits // not nil: the kernel is fitted anew for each fold of a calibration
}

// calibration is one fold of a machine's cross-validation.
type calibration struct {
	job int       // index into jobs
	y   []float64 // labels of the job's test records
}

// calibrationFolds is the number of folds of calibration, unless a class has fewer members.
const calibrationFolds = 5

// rule returns that of training on the records rows (nil: all) of the data set, with its untrained machines.
func (t Trainer) rule(d *dataset.Dataset, rows []int) (r decide.Rule, err error) {
	scheme := t.schemeFor(d.Labelling())
	r = decide.Rule{
		Classes: d.Classes, Scheme: scheme, Positive: d.Positive, Separator: d.Hierarchy, Known: d.Known,
		Criterion: t.Threshold, Process: t.process(scheme, len(subset.Of(d.Y, rows))),
	}
	r.Machines, err = r.Untrained()
	return r, err
}

// weigh gives the records of all jobs their weights.
func (p *plan) weigh(d *dataset.Dataset) error {
	if d.Weights == nil {
		return nil
	}
	for i := range p.jobs {
		j := &p.jobs[i]
		if j.ByFeatures {
			return svm.CheckOption(false, "Weights", fmt.Sprintf("%d weights", len(d.Weights)), "none with the scheme %s",
				p.rule.Scheme)
		}
		j.Weights = subset.Of(d.Weights, j.Index)
	}
	return nil
}

// problems lists the first machine of each problem.
func (p *plan) problems(rule decide.Rule) (first []decide.Binary) {
	for i, m := range rule.Machines {
		if j := p.jobs[i].Joint; j == nil || i == 0 || j != p.jobs[i-1].Joint {
			first = append(first, m)
		}
	}
	return first
}

// job returns that of a machine for the records index (nil: all), whose classes are y. counts are those of the data
// set.
func (t Trainer) job(m decide.Binary, index, y, counts []int) solve.Job {
	return solve.Job{Index: index, Y: signs(y, m.Positive), Costs: t.costs(m, counts), Risk: t.classRisk()}
}

// calibrates reports whether the log odds of logistic regression are calibrated: those of machines of their own, whose
// penalty is not that of most evidence.
func (t Trainer) calibrates(p *plan) bool { return p.jobs[0].Joint == nil && t.Relevance == 0 }

// planCalibrations adds the jobs of all machines' cross-validations. Where they are optional, a machine whose records,
// or groups of them, are too few has none.
func (t Trainer) planCalibrations(p *plan, d *dataset.Dataset, optional bool) error {
	for m := range p.rule.Machines {
		folds, err := t.planCalibration(p, d, m)
		if err != nil && !optional {
			return err
		}
		p.folds = append(p.folds, folds)
	}
	return nil
}

// planCalibration adds the jobs of machine m's cross-validation: stratified, and by groups if the data set has any.
func (t Trainer) planCalibration(p *plan, d *dataset.Dataset, m int) (folds []calibration, err error) {
	whole := p.jobs[m]
	sides, fold, k, err := t.calibrationFolds(p, d, m)
	if err != nil {
		return nil, err
	}
	references := t.referencesOf(p, d, m, fold, k)
	labels := p.thresholds != "" // of records that have several
	if !labels && !p.logistic && whole.Risk == nil {
		whole.Solved = &solve.Solved{Index: whole.Index}
		p.jobs[m].Solved = whole.Solved
	}
	for f := range k {
		j := solve.Job{Costs: whole.Costs, Risk: whole.Risk, Whole: whole.Solved}
		if !labels {
			j.Tol = t.calibrationTol(p.logistic)
		}
		var testY []float64
		train, test := sides.Split(fold, f)
		for _, i := range train {
			j.Index, j.Y = append(j.Index, whole.Record(i)), append(j.Y, whole.Y[i])
		}
		for _, i := range test {
			j.Test, testY = append(j.Test, whole.Record(i)), append(testY, whole.Y[i])
		}
		if references != nil {
			j.Reference = references[f]
		}
		folds = append(folds, calibration{len(p.jobs), testY})
		p.jobs = append(p.jobs, j)
	}
	return folds, nil
}

// calibrationFolds returns the sides of machine m as two classes, with the fold of each of its records and the number
// of folds.
func (t Trainer) calibrationFolds(
	p *plan, d *dataset.Dataset, m int,
) (sides *dataset.Dataset, fold []int, k int, err error) {
	whole := p.jobs[m]
	sides = &dataset.Dataset{Classes: []string{"negative", "positive"}, Y: make([]int, len(whole.Y))}
	for i, y := range whole.Y {
		if y > 0 {
			sides.Y[i] = 1
		}
		if d.Groups != nil {
			sides.Groups = append(sides.Groups, d.Groups[whole.Record(i)])
		}
		if d.Others != nil {
			sides.Others = append(sides.Others, d.Others[whole.Record(i)])
		}
	}
	counts := sides.Counts()
	k = min(calibrationFolds, counts[0], counts[1])
	if k < 2 {
		return nil, nil, 0, fmt.Errorf("classify: %s has 1 training record; probabilities and thresholds need at least 2",
			p.sideName(m, counts[1] < 2))
	}
	if d.Groups == nil && p.refits != nil && k == calibrationFolds {
		for i := range sides.Y {
			fold = append(fold, p.refits.fold[whole.Record(i)])
		}
		return sides, fold, k, nil
	}
	// A few large groups may leave a fold nothing to train on; fewer folds may not.
	for ; k >= 2; k-- {
		if fold, err := sides.Folds(k, t.Seed); err == nil {
			return sides, fold, slices.Max(fold) + 1, nil
		}
	}
	return nil, nil, 0, fmt.Errorf(
		"classify: the groups of %s and %s cannot be divided into folds; "+
			"probabilities and thresholds need several groups of each",
		p.sideName(m, true), p.sideName(m, false))
}

// sideName returns the name of a side of machine m.
func (p *plan) sideName(m int, positive bool) string {
	machine := p.rule.Machines[m]
	switch {
	case positive:
		return fmt.Sprintf("class %.80q", p.rule.Classes[machine.Positive])
	case machine.Negative == decide.Rest:
		return fmt.Sprintf("the rest of class %.80q", p.rule.Classes[machine.Positive])
	default:
		return fmt.Sprintf("class %.80q", p.rule.Classes[machine.Negative])
	}
}

// calibrationTol is the relative gap of logistic machines that calibrate another, and the greatest of other ones: log
// loss is the same as with 1e-6.
const calibrationTol = 1e-2

// calibrationTols is the relative gap of the folds of a calibration over that of the machine.
const calibrationTols = 10

// calibrationTol returns the relative gap of the folds of the calibration of machines.
func (t Trainer) calibrationTol(logistic bool) float64 {
	if logistic {
		return calibrationTol
	}
	return min(calibrationTol, calibrationTols*cmp.Or(t.Tol, defaultTol))
}

// signs returns +1 for the members of class positive and −1 for the rest.
func signs(y []int, positive int) []float64 {
	out := make([]float64, len(y))
	for i, c := range y {
		if out[i] = -1; c == positive {
			out[i] = 1
		}
	}
	return out
}
