package classify

import (
	"cmp"
	"errors"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/subset"
)

// single is what schemes have in common that have one machine, trained by products alone.
type single struct{ perClass }

func (single) bytes(t Trainer, n, _ float64) float64 { return t.recordBytes() * n }

func (single) check(t Trainer) error {
	if planner, ok := t.solver().(svm.Planner); ok {
		if err := planner.Check(svm.Problem{Risk: &risk.Hinges{}}); err != nil {
			return err
		}
	}
	return cmp.Or(
		t.checkSquares("for this task"),
		svm.CheckOption(t.Loss == "" || t.Loss == svm.Hinge, "Loss", t.Loss, "that of classes only for classes"),
		svm.CheckOption(t.ClassWeight == "" || t.ClassWeight == WeightNone, "ClassWeight", t.ClassWeight,
			"%s for this task", WeightNone),
		svm.CheckOption(!t.Probability, "Probability", t.Probability, "false for this task"),
		svm.CheckOption(t.Multiclass == "", "Multiclass", t.Multiclass, "none for this task"))
}

type regression struct{ single }

func (regression) plan(t Trainer, p *plan, d *dataset.Dataset, rows []int) {
	p.rule.Quantile = t.Quantile
	p.jobs = []job{{index: rows, y: subset.Of(d.Targets, rows), risk: t.targetRisk}}
	switch j := &p.jobs[0]; {
	case t.Relevance > 0:
		j.risk, j.joint = nil, &relevanceProblem{t.Relevance}
	case t.Lambda > 0 && !t.byPlanes():
		j.risk, j.joint = nil, &ridgeProblem{t.Lambda, t.NoBias}
	}
}

type ranking struct{ single }

func (ranking) plan(t Trainer, p *plan, d *dataset.Dataset, rows []int) {
	groups := d.Groups
	if groups != nil {
		groups = subset.Of(groups, rows)
	}
	p.jobs = []job{{index: rows, y: subset.Of(d.Targets, rows), risk: func(y, weights []float64) (risk.Risk, error) {
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
	p.jobs = []job{{index: known, y: make([]float64, len(known)), risk: func(y, weights []float64) (risk.Risk, error) {
		return risk.OneClass(len(y), weights, cmp.Or(t.Nu, defaultNu)), nil
	}}}
}

func (novelty) check(t Trainer) error { return single{}.check(t) }

type ordinal struct{ single }

func (ordinal) plan(t Trainer, p *plan, d *dataset.Dataset, rows []int) {
	y, _ := d.ClassesOf(rows)
	p.jobs = []job{{index: rows, y: make([]float64, len(y)), risk: func(_, weights []float64) (risk.Risk, error) {
		return risk.Ordinal(y, len(d.Classes), weights, cmp.Or(t.C, 1)), nil
	}}}
}

// decide turns the free scalars of the solution, minus the thresholds of the scores, into thresholds of decision
// values.
func (ordinal) decide(r *decide.Rule, sol []result) {
	for _, b := range sol[0].Scalars {
		r.Thresholds = append(r.Thresholds, -b-sol[0].Rho)
	}
	slices.Sort(r.Thresholds) // they are in order, but for rounding
}
