package classify

import (
	"cmp"
	"errors"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/risk"
)

// RankingScheme has one machine, whose decision values order records.
const RankingScheme = "ranking"

type ranking struct{ single }

func (ranking) labelling() Labelling { return Grades }

func (ranking) plan(t Trainer, p *plan, d *Dataset, rows []int) {
	groups := d.Groups
	if groups != nil && rows != nil {
		groups = at(groups, rows)
	}
	p.jobs = []job{{index: rows, y: targetsOf(d, rows), risk: func(y, weights []float64) (risk.Risk, error) {
		r, ok := risk.NewRanking(y, groups, cmp.Or(t.C, 1))
		if !ok {
			return nil, errors.New("classify: among the records to train on no two of a group have different numbers, " +
				"want at least one such pair to rank")
		}
		return r, unweighted("Task", Ranking, weights)
	}}}
}

func (ranking) metricNames(*Dataset) []string { return metrics.RankMetrics() }

func (ranking) defaultMetric() string { return "ndcg" }

func (ranking) measure(d *Dataset, records []int, tested []Prediction) (metrics.Report, error) {
	var groups []string
	if d.Groups != nil {
		groups = at(d.Groups, records)
	}
	return metrics.EvaluateRanking(at(d.Targets, records), valuesOf(tested), groups, metrics.PrecisionDepth)
}
