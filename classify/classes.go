package classify

import (
	"cmp"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/subset"
)

type twoClass struct{ perClass }

func (twoClass) bytes(t Trainer, n, _ float64) float64 { return t.recordBytes() * n }

func (twoClass) plan(t Trainer, p *plan, d *dataset.Dataset, rows []int) {
	y, counts := d.ClassesOf(rows)
	p.jobs = []solve.Job{t.job(p.rule.Machines[0], rows, y, counts)}
}

// decide sets a threshold that is a number.
func (twoClass) decide(r *decide.Rule, _ []solve.Result) {
	r.Machines[0].Threshold, _, _ = threshold.Parse(r.Criterion)
}

// calibrate also chooses a threshold that is not.
func (s twoClass) calibrate(p *plan, machines []decide.Binary, left []threshold.LeftOut) error {
	if _, criterion, _ := threshold.Parse(p.rule.Criterion); criterion != nil {
		machines[0].Threshold = criterion(left[0])
	}
	return s.perClass.calibrate(p, machines, left)
}

type oneVsRest struct{ perClass }

func (s oneVsRest) plan(t Trainer, p *plan, d *dataset.Dataset, rows []int) {
	y, counts := d.ClassesOf(rows)
	p.jobs = s.jobs(t, rows, y, counts)
}

func (oneVsRest) jobs(t Trainer, index, y, counts []int) []solve.Job {
	jobs := make([]solve.Job, len(counts))
	for c := range jobs {
		jobs[c] = t.job(decide.Binary{Positive: c, Negative: decide.Rest}, index, y, counts)
	}
	return jobs
}

type oneVsOne struct{ perClass }

// bytes counts besides the coefficients of a model and of its merged scorer: a machine has one for every record, also
// 0.
func (oneVsOne) bytes(t Trainer, n, k float64) float64 {
	const coefficientBytes = 20
	return float64(t.recordBytes()*((k-1)*n)) + float64(coefficientBytes*(k*(k-1)/2)*n)
}

func (oneVsOne) plan(t Trainer, p *plan, d *dataset.Dataset, rows []int) {
	_, counts := d.ClassesOf(rows)
	for _, m := range p.rule.Machines {
		var index, y []int
		subset.Each(d.Len(), rows, func(i int) {
			if c := d.Y[i]; c == m.Positive || c == m.Negative {
				index, y = append(index, i), append(y, c)
			}
		})
		p.jobs = append(p.jobs, t.job(m, index, y, counts))
	}
}

type multiLabel struct{}

func (multiLabel) check(t Trainer) error {
	return cmp.Or(
		svm.CheckOption(cmp.Or(t.Multiclass, decide.OneVsRest) == decide.OneVsRest, "Multiclass", t.Multiclass,
			"%s for records of several labels", decide.OneVsRest),
		svm.CheckOption(!t.Probability, "Probability", true, "false for records of several labels"),
		svm.CheckOption(slices.Contains(threshold.Names(), cmp.Or(t.Thresholds, threshold.FBR)), "Thresholds", t.Thresholds,
			"one of %q", threshold.Names()))
}

func (multiLabel) bytes(_ Trainer, n, k float64) float64 { return calibratedRecordBytes * (k * n) }

func (multiLabel) calibrate(p *plan, machines []decide.Binary, left []threshold.LeftOut) error {
	for i, at := range threshold.OfLabels(p.thresholds, left) {
		machines[i].Threshold = at
	}
	return nil
}

// plan also lists the jobs of the cross-validation for the thresholds, of classes that at least two records have and
// two have not.
func (multiLabel) plan(t Trainer, p *plan, d *dataset.Dataset, rows []int) {
	n := len(subset.Of(d.Y, rows))
	for c, members := range d.LabelCounts(rows) {
		j := solve.Job{Index: rows, Y: make([]float64, 0, n), OneSided: members == 0 || members == n}
		subset.Each(d.Len(), rows, func(i int) {
			sign := -1.0
			if d.Has(i, c) {
				sign = 1
			}
			j.Y = append(j.Y, sign)
		})
		if !j.OneSided {
			j.Costs = t.costs(decide.Binary{Negative: 1}, []int{members, n - members})
		}
		p.jobs = append(p.jobs, j)
	}
	if p.thresholds = cmp.Or(t.Thresholds, threshold.FBR); p.thresholds == threshold.Zero {
		return
	}
	t.planCalibrations(p, d, true) // where there are too few records the threshold stays 0
}

type hierarchy struct{ perClass }

func (hierarchy) check(t Trainer) error {
	_, perNode := t.nodeLearner()
	return cmp.Or(
		svm.CheckOption(perNode, "Multiclass", t.Multiclass, "%s or %s in a hierarchy", decide.OneVsRest,
			decide.CrammerSinger),
		svm.CheckOption(!t.Probability, "Probability", true, "false in a hierarchy"))
}

// plan lists the jobs of each node on the records below it.
func (hierarchy) plan(t Trainer, p *plan, d *dataset.Dataset, rows []int) {
	byNode, _ := t.nodeLearner()
	for _, n := range p.rule.Nodes() {
		var index, y []int
		counts := make([]int, n.Children())
		subset.Each(d.Len(), rows, func(i int) {
			if k := n.Of(d.Y[i]); k >= 0 {
				index, y = append(index, i), append(y, k)
				counts[k]++
			}
		})
		if n.Children() == 2 {
			p.jobs = append(p.jobs, t.job(decide.Binary{Positive: 1, Negative: 0}, index, y, counts))
		} else {
			p.jobs = append(p.jobs, byNode.jobs(t, index, y, counts)...)
		}
	}
}

// mostScaled bounds the probabilities that a scaling is fitted to.
const mostScaled = 1 << 20

// scaling fits that of the probabilities of one-vs-rest to records that all machines left out, nil where one left out
// none.
func (p *plan) scaling(r *decide.Rule, results []solve.Result) *decide.Scaling {
	if !p.sigmoids || r.Scheme != decide.OneVsRest || slices.ContainsFunc(p.folds, func(f []calibration) bool {
		return f == nil
	}) {
		return nil
	}
	records := p.jobs[0].Y
	every := 1 + len(records)*len(r.Classes)/mostScaled
	place := map[int]int{} // of every so many records
	for i := 0; i < len(records); i += every {
		place[p.jobs[0].Record(i)] = i / every
	}
	decisions, truth := scratch.Vectors(len(place), len(r.Machines)), make([]int, len(place))
	for m, folds := range p.folds {
		for _, c := range folds {
			for i, record := range p.jobs[c.job].Test {
				if at, taken := place[record]; taken {
					decisions[at][m] = results[c.job].Decisions[i]
					if c.y[i] > 0 {
						truth[at] = m
					}
				}
			}
		}
	}
	decider, to := r.Decider(), decide.Prediction{}
	for i, d := range decisions {
		decider(d, &to)
		decisions[i] = to.Probabilities
	}
	return decide.FitScaling(decisions, truth)
}
