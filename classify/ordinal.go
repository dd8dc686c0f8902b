package classify

import (
	"cmp"
	"slices"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/risk"
)

// OrdinalScheme has one machine and a threshold between any two neighbouring classes.
const OrdinalScheme = "ordinal"

type ordinal struct{ single }

func (ordinal) labelling() Labelling { return OrderedClasses }

func (ordinal) count(*Rule) (int, error) { return 1, nil }

func (ordinal) binaries(r *Rule) []Binary {
	return []Binary{{Positive: len(r.Classes) - 1, Negative: 0}}
}

func (ordinal) plan(t Trainer, p *plan, d *Dataset, rows []int) {
	y, _ := d.classesOf(rows)
	p.jobs = []job{{index: rows, y: make([]float64, len(y)), risk: func(_, weights []float64) (risk.Risk, error) {
		return risk.Ordinal(y, len(d.Classes), weights, cmp.Or(t.C, 1)), nil
	}}}
}

// decide turns the free scalars of the solution, minus the thresholds of the scores, into thresholds of decision
// values.
func (ordinal) decide(r *Rule, sol []result) {
	for _, b := range sol[0].Scalars {
		r.Thresholds = append(r.Thresholds, -b-sol[0].Rho)
	}
	slices.Sort(r.Thresholds) // they are in order, but for rounding
}

func (ordinal) predict(r *Rule, decisions []float64, to *Prediction) {
	to.Scores = decisions
	for to.Class < len(r.Thresholds) && decisions[0] > r.Thresholds[to.Class] {
		to.Class++
	}
}

func (ordinal) terms(*Rule, int) []Term { return []Term{{Machine: 0, Sign: 1}} }

func (ordinal) metricNames(*Dataset) []string { return metrics.OrdinalMetrics() }

func (ordinal) defaultMetric() string { return "kappa" }

func (ordinal) measure(d *Dataset, records []int, tested []Prediction) (metrics.Report, error) {
	predicted := make([]int, len(tested))
	for i, p := range tested {
		predicted[i] = p.Class
	}
	return metrics.EvaluateOrdinal(d.Classes, at(d.Y, records), predicted)
}
