package classify

import "github.com/seqsvm/seqsvm/classify/metrics"

// MetricNames lists the metrics that records of d are measured by, in the order of a report, without those of
// probabilities.
func (d *Dataset) MetricNames() []string { return Trainer{}.scheme(d).metricNames(d) }

// DefaultMetric is the area under the ROC curve for two classes, the accuracy for more and in a hierarchy, and the
// micro-averaged F1 of several labels per record.
func (d *Dataset) DefaultMetric() string { return Trainer{}.scheme(d).defaultMetric() }

// Measure reports on some records of d, at least one, given by index; predictions has an entry per record of d. What is
// measured depends on the labels of d: see [metrics.Evaluate], [metrics.Report.AddLevels] for a hierarchy, and
// [metrics.EvaluateLabels] for several labels per record. Calibrated predictions add log_loss, brier and reliability.
func (d *Dataset) Measure(records []int, predictions []Prediction) (metrics.Report, error) {
	return Trainer{}.scheme(d).measure(d, records, at(predictions, records))
}

func (perClass) metricNames(*Dataset) []string { return metrics.ClassMetrics() }

func (perClass) defaultMetric() string { return "accuracy" }

func (perClass) measure(d *Dataset, records []int, tested []Prediction) (metrics.Report, error) {
	truth, predicted := at(d.Y, records), make([]int, len(tested))
	for i, p := range tested {
		predicted[i] = p.Class
	}
	r, err := metrics.Evaluate(d.Classes, truth, predicted, scoresByClass(tested), d.Positive)
	if err == nil && tested[0].Probabilities != nil {
		err = r.AddProbabilities(byClass(tested, func(p Prediction) []float64 { return p.Probabilities }), truth)
	}
	return r, err
}

// at returns the entries of a list with the given indices.
func at[T any](list []T, index []int) []T {
	out := make([]T, len(index))
	for j, i := range index {
		out[j] = list[i]
	}
	return out
}

// scoresByClass returns the scores of predictions as [class][record].
func scoresByClass(predictions []Prediction) [][]float64 {
	return byClass(predictions, func(p Prediction) []float64 { return p.Scores })
}

// byClass lays numbers of predictions, one per class each, out as [class][record].
func byClass(predictions []Prediction, numbers func(Prediction) []float64) [][]float64 {
	rows := make([][]float64, len(numbers(predictions[0])))
	for k := range rows {
		rows[k] = make([]float64, len(predictions))
	}
	for i, p := range predictions {
		for k, value := range numbers(p) {
			rows[k][i] = value
		}
	}
	return rows
}
