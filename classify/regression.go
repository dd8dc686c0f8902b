package classify

import "github.com/seqsvm/seqsvm/classify/metrics"

// RegressionScheme has one machine, whose decision value is the predicted number.
const RegressionScheme = "regression"

type regression struct{ single }

func (regression) labelling() Labelling { return Numbers }

func (regression) plan(t Trainer, p *plan, d *Dataset, rows []int) {
	p.rule.Quantile = t.Quantile
	p.jobs = []job{{index: rows, y: targetsOf(d, rows), risk: t.targetRisk}}
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
	return r, err
}

// targetsOf returns the targets of the records rows (nil: all).
func targetsOf(d *Dataset, rows []int) []float64 {
	if rows == nil {
		return d.Targets
	}
	return at(d.Targets, rows)
}

// valuesOf returns the only score of each prediction.
func valuesOf(predictions []Prediction) []float64 {
	values := make([]float64, len(predictions))
	for i, p := range predictions {
		values[i] = p.Scores[0]
	}
	return values
}
