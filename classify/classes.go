package classify

import (
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/internal/subset"
)

type twoClass struct{ perClass }

func (twoClass) bytes(t Trainer, n, _ float64) float64 { return t.recordBytes() * n }

func (twoClass) plan(t Trainer, p *plan, d *dataset.Dataset, rows []int) {
	y, counts := d.ClassesOf(rows)
	p.jobs = []job{t.job(p.rule.Machines[0], rows, y, counts)}
}

// decide sets a threshold that is a number.
func (twoClass) decide(r *decide.Rule, _ []result) {
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

func (oneVsRest) jobs(t Trainer, index, y, counts []int) []job {
	jobs := make([]job, len(counts))
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
