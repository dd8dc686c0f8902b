package classify

import (
	"cmp"
	"errors"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/internal/subset"
)

type regression struct{ single }

func (regression) plan(t Trainer, p *plan, d *dataset.Dataset, rows []int) {
	p.rule.Quantile = t.Quantile
	p.jobs = []solve.Job{{Index: rows, Y: subset.Of(d.Targets, rows), Risk: t.targetRisk}}
	switch j := &p.jobs[0]; {
	case t.Relevance > 0:
		j.Risk, j.Joint = nil, t.relevance()
	case t.Lambda > 0:
		j.Risk, j.Joint = nil, t.ridge()
	}
}

type ranking struct{ single }

func (ranking) plan(t Trainer, p *plan, d *dataset.Dataset, rows []int) {
	groups := d.Groups
	if groups != nil {
		groups = subset.Of(groups, rows)
	}
	p.jobs = []solve.Job{{Index: rows, Y: subset.Of(d.Targets, rows), Risk: func(y, weights []float64) (risk.Risk, error) {
		r, ok := risk.NewRanking(y, groups, cmp.Or(t.C, 1))
		if !ok {
			return nil, errors.New("classify: among the records to train on no two of a group have different numbers, " +
				"want at least one such pair to rank")
		}
		return r, unweighted("Task", dataset.Ranking, weights)
	}}}
}

// novelty decides as two classes do, and learns from one.
type novelty struct{ twoClass }

func (novelty) plan(t Trainer, p *plan, d *dataset.Dataset, rows []int) {
	known := make([]int, 0, d.Len())
	subset.Each(d.Len(), rows, func(record int) {
		if d.Y[record] == 0 {
			known = append(known, record)
		}
	})
	p.rule.Ball = t.Ball
	nu := cmp.Or(t.Nu, defaultNu)
	j := solve.Job{Index: known, Ball: t.Ball, Y: make([]float64, len(known)), Risk: func(y, w []float64) (risk.Risk, error) {
		return risk.OneClass(len(y), w, nu), nil
	}}
	if t.Ball {
		j.Risk = func(self, w []float64) (risk.Risk, error) { return risk.Ball(self, w, nu), nil }
	}
	p.jobs = []solve.Job{j}
}

func (novelty) check(t Trainer) error { return single{}.check(t) }

type ordinal struct{ single }

func (ordinal) plan(t Trainer, p *plan, d *dataset.Dataset, rows []int) {
	y, _ := d.ClassesOf(rows)
	p.jobs = []solve.Job{{Index: rows, Y: make([]float64, len(y)), Risk: func(_, weights []float64) (risk.Risk, error) {
		return risk.Ordinal(y, len(d.Classes), weights, cmp.Or(t.C, 1)), nil
	}}}
}

// decide turns the free scalars of the solution, minus the thresholds of the scores, into thresholds of decision
// values.
func (ordinal) decide(r *decide.Rule, sol []solve.Result) {
	for _, b := range sol[0].Scalars {
		r.Thresholds = append(r.Thresholds, -b-sol[0].Rho)
	}
	slices.Sort(r.Thresholds) // they are in order, but for rounding
}
