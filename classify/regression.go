package classify

import "github.com/seqsvm/seqsvm/classify/metrics"

// RegressionScheme has one machine, whose decision value is the predicted number.
const RegressionScheme = "regression"

type regression struct{ single }

func (regression) labelling() Labelling { return Numbers }

func (regression) plan(t Trainer, p *plan, d *Dataset, rows []int) {
	p.rule.Quantile = t.Quantile
	p.jobs = []job{{index: rows, y: targetsOf(d, rows), risk: t.targetRisk}}
	switch j := &p.jobs[0]; {
	case t.Relevance > 0:
		j.risk, j.joint = nil, &relevanceProblem{t.Relevance}
	case t.Lambda > 0 && !t.byPlanes():
		j.risk, j.joint = nil, &ridgeProblem{t.Lambda, t.NoBias}
	}
}

func (regression) metricNames(d *Dataset) []string {
	if d.Quantile != 0 {
		return append(metrics.NumberMetrics(), metrics.QuantileMetrics()...)
	}
	return metrics.NumberMetrics()
}

func (regression) defaultMetric() string { return "spearman" }

func (regression) measure(d *Dataset, records []int, tested []Prediction) (metrics.Report, error) {
	truth, predicted := at(d.Targets, records), valuesOf(tested)
	r, err := metrics.EvaluateNumbers(truth, predicted)
	if err == nil && d.Quantile != 0 {
		err = r.AddQuantile(truth, predicted, d.Quantile)
	}
	if err == nil && len(tested) > 0 && tested[0].Deviation > 0 {
		err = addCoverage(&r, truth, tested)
	}
	return r, err
}

// addCoverage adds the share of 95 % intervals that hold the truth.
func addCoverage(r *metrics.Report, truth []float64, tested []Prediction) error {
	lower, upper := make([]float64, len(tested)), make([]float64, len(tested))
	for i, p := range tested {
		half := float64(metrics.Normal95 * p.Deviation)
		lower[i], upper[i] = p.Scores[0]-half, p.Scores[0]+half
	}
	return r.AddCoverage(truth, lower, upper)
}

// targetsOf returns the targets of the records rows (nil: all).
func targetsOf(d *Dataset, rows []int) []float64 {
	if rows == nil {
		return d.Targets
	}
	return at(d.Targets, rows)
}

// recordsOf returns the number of the records rows (nil: all).
func recordsOf(d *Dataset, rows []int) int {
	if rows == nil {
		return d.Len()
	}
	return len(rows)
}

// valuesOf returns the only score of each prediction.
func valuesOf(predictions []Prediction) []float64 {
	values := make([]float64, len(predictions))
	for i, p := range predictions {
		values[i] = p.Scores[0]
	}
	return values
}
