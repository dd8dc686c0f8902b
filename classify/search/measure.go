package search

import (
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/metrics"
)

// Measured is a cross-validation in figures.
type Measured struct {
	Folds    []metrics.Report
	Mean, SD metrics.Scalars // over the folds, those where a metric is undefined left out
}

// MeasureFolds measures every fold of a cross-validation of d.
func MeasureFolds(d *classify.Dataset, o *classify.CVResult) (m Measured, err error) {
	m.Folds = make([]metrics.Report, o.Folds)
	for f := range m.Folds {
		if m.Folds[f], err = Measure(d, o.Tested(f), o.Predictions); err != nil {
			return m, err
		}
	}
	m.Mean, m.SD = metrics.MeanSD(m.Folds)
	return m, nil
}

// MetricNames lists the metrics that records of d are measured by, in the order of a report, without those of
// probabilities.
func MetricNames(d *classify.Dataset) []string {
	if d.LabelSets != nil {
		return metrics.LabelMetrics()
	}
	names := metrics.ClassMetrics()
	if d.Hierarchy != "" {
		for level := range metrics.Levels(d.Classes, d.Hierarchy) {
			names = append(names, metrics.LevelName(level))
		}
	}
	return names
}

// Measure reports on some records of d, at least one, given by index; predictions has an entry per record of d. What is
// measured depends on the labels of d: see [metrics.Evaluate], [metrics.LevelAccuracies] for a hierarchy, and
// [metrics.EvaluateLabels] for several labels per record. Calibrated predictions add log_loss and brier.
func Measure(d *classify.Dataset, records []int, predictions []classify.Prediction) (metrics.Report, error) {
	tested := at(predictions, records)
	scores := byClass(tested, func(p classify.Prediction) []float64 { return p.Scores })
	if d.LabelSets != nil {
		predicted := make([][]int, len(tested))
		for i, p := range tested {
			predicted[i] = p.Labels
		}
		return metrics.EvaluateLabels(d.Classes, at(d.LabelSets, records), predicted, scores)
	}
	truth, predicted := at(d.Y, records), make([]int, len(tested))
	for i, p := range tested {
		predicted[i] = p.Class
	}
	r, err := metrics.Evaluate(d.Classes, truth, predicted, scores, d.Positive)
	if err == nil && tested[0].Probabilities != nil {
		err = r.AddProbabilities(byClass(tested, func(p classify.Prediction) []float64 { return p.Probabilities }), truth)
	}
	if err == nil && d.Hierarchy != "" {
		err = r.AddLevels(d.Hierarchy, truth, predicted)
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

// byClass lays numbers of predictions, one per class each, out as [class][record].
func byClass(predictions []classify.Prediction, numbers func(classify.Prediction) []float64) [][]float64 {
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
