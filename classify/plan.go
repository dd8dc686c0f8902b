package classify

import (
	"context"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// job is one two-class problem on some records of the indexed corpus, and the records to score with its solution.
type job struct {
	index []int     // records; nil is all
	y     []float64 // ±1 per record of index, or what the risk is made of
	costs svm.Costs
	test  []int        // records to score, none of index; may be empty
	joint jointProblem // nil for a separate problem of the trainer's solver
	// nil, or what is minimised in place of the losses of two classes
	risk      riskOf
	weights   []float64  // nil, or one per record of index
	reference *reference // not nil: what the kernel is fitted to for this job, whose matrix is that then

	solved *solved // of a machine that is calibrated: where it leaves its solution
	whole  *solved // of a fold of its calibration: what that begins from

	start    []float64 // nil, or feasible coefficients to begin from
	tol      float64   // not zero: the relative gap to stop at, unless the trainer's is greater
	oneSided bool      // all of y is the same, which has a meaning for records of several labels only
}

// jointProblem is one problem for several machines, whose jobs follow one another and share it.
type jointProblem interface {
	// solve returns a solution for each machine, given the matrix of the records of the first job.
	solve(ctx context.Context, t Trainer, g stringkernel.Gram, settings svm.Problem, first job) ([]svm.Solution, error)
	// bytes estimates the memory of solve for n records, besides the matrix and the coefficients of the machines.
	bytes(n int) float64
}

// record returns the record of a label.
func (j *job) record(i int) int {
	if j.index == nil {
		return i
	}
	return j.index[i]
}

// result is a job's solution and f(x) − Rho of its test records. Jobs with test records are done with their
// coefficients then, so that cross-validation keeps those of the running jobs only.
type result struct {
	svm.Solution
	supportVectors int
	weights        []float64 // of the features, of a listed matrix
	decisions      []float64
}

// plan is what a training run on some records of an indexed corpus has to solve: a job per machine, then, if
// machines are calibrated, the jobs of each machine's cross-validation.
type plan struct {
	rule       decide.Rule // with untrained machines
	jobs       []job       // the first are the machines'
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
		if _, ok := j.joint.(*crammerSingerProblem); ok {
			return svm.CheckOption(false, "Weights", fmt.Sprintf("%d weights", len(d.Weights)), "none with the scheme %s",
				p.rule.Scheme)
		}
		j.weights = subset.Of(d.Weights, j.index)
	}
	return nil
}

// problems lists the first machine of each problem.
func (p *plan) problems(rule decide.Rule) (first []decide.Binary) {
	for i, m := range rule.Machines {
		if j := p.jobs[i].joint; j == nil || i == 0 || j != p.jobs[i-1].joint {
			first = append(first, m)
		}
	}
	return first
}

// job returns that of a machine for the records index (nil: all), whose classes are y. counts are those of the data
// set.
func (t Trainer) job(m decide.Binary, index, y, counts []int) job {
	return job{index: index, y: signs(y, m.Positive), costs: t.costs(m, counts), risk: t.classRisk()}
}

// calibrates reports whether the log odds of logistic regression are calibrated: those of machines of their own, whose
// penalty is not that of most evidence.
func (t Trainer) calibrates(p *plan) bool { return p.jobs[0].joint == nil && t.Relevance == 0 }

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
	fold, k, err := t.calibrationFolds(p, d, m)
	if err != nil {
		return nil, err
	}
	references := t.referencesOf(p, d, m, fold, k)
	labels := p.thresholds != "" // of records that have several
	if !labels && !p.logistic && whole.risk == nil {
		whole.solved = &solved{index: whole.index}
		p.jobs[m].solved = whole.solved
	}
	for f := range k {
		j := job{costs: whole.costs, risk: whole.risk, whole: whole.solved}
		if !labels {
			j.tol = t.calibrationTol(p.logistic)
		}
		var testY []float64
		for i, y := range whole.y {
			if record := whole.record(i); fold[i] == f {
				j.test, testY = append(j.test, record), append(testY, y)
			} else {
				j.index, j.y = append(j.index, record), append(j.y, y)
			}
		}
		if references != nil {
			j.reference = references[f]
		}
		folds = append(folds, calibration{len(p.jobs), testY})
		p.jobs = append(p.jobs, j)
	}
	return folds, nil
}

// calibrationFolds returns the fold of each record of machine m and the number of folds.
func (t Trainer) calibrationFolds(p *plan, d *dataset.Dataset, m int) (fold []int, k int, err error) {
	whole := p.jobs[m]
	sides := &dataset.Dataset{Classes: []string{"negative", "positive"}, Y: make([]int, len(whole.y))}
	for i, y := range whole.y {
		if y > 0 {
			sides.Y[i] = 1
		}
		if d.Groups != nil {
			sides.Groups = append(sides.Groups, d.Groups[whole.record(i)])
		}
	}
	counts := sides.Counts()
	k = min(calibrationFolds, counts[0], counts[1])
	if k < 2 {
		return nil, 0, fmt.Errorf("classify: %s has 1 training record; probabilities and thresholds need at least 2",
			p.sideName(m, counts[1] < 2))
	}
	if d.Groups == nil && p.refits != nil && k == calibrationFolds {
		for i := range sides.Y {
			fold = append(fold, p.refits.fold[whole.record(i)])
		}
		return fold, k, nil
	}
	// A few large groups may leave a fold nothing to train on; fewer folds may not.
	for ; k >= 2; k-- {
		if fold, err := sides.Folds(k, t.Seed); err == nil {
			return fold, k, nil
		}
	}
	return nil, 0, fmt.Errorf(
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

// decide makes the decision of the results of the plan's jobs.
func (p *plan) decide(results []result) (decide.Rule, error) {
	d, s := p.rule, learners[p.rule.Scheme]
	d.Machines = slices.Clone(d.Machines)
	left := make([]threshold.LeftOut, len(d.Machines))
	for i := range d.Machines {
		m, sol := &d.Machines[i], &results[i].Solution
		m.Rho, m.SupportVectors, m.Solver, m.Reason = sol.Rho, results[i].supportVectors, sol.Solver, sol.Reason
		m.Primal, m.Dual, m.Gap, m.Iterations = sol.Primal, sol.Dual, sol.Gap, sol.Iterations
		if p.logistic {
			m.Sigmoid = &decide.Sigmoid{A: -1}
		}
		if p.folds == nil {
			continue
		}
		for _, c := range p.folds[i] {
			left[i].Decisions = append(left[i].Decisions, results[c.job].decisions...)
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
	}
	return d, d.Check()
}
