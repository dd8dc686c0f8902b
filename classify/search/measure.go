package search

import (
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/metrics"
)

// Scalars are metrics that are single numbers, NaN where undefined, with their names in the same order. What they are depends on the labels: metrics.Scalars of one class per record,
// metrics.LabelScalars of several labels, metrics.LevelScalars of a hierarchy.
type Scalars interface {
	Names() []string
	Values() []float64
}

// Report is everything measured on some records: a metrics.Report, metrics.LabelReport or metrics.LevelReport.
type Report interface{ Scalars }

// Measured is a cross-validation in figures.
type Measured struct {
	Reports  []Report  // per fold
	Folds    []Scalars // the single numbers of each report
	Mean, SD Scalars   // over the folds, those where a metric is undefined left out
}

// MeasureFolds measures every fold of a cross-validation of d, by what its labels are.
func MeasureFolds(d *classify.Dataset, o *classify.CVResult) (*Measured, error) {
	switch {
	case d.LabelSets != nil:
		reports, err := LabelFolds(d, o)
		mean, sd := metrics.LabelMeanSD(reports)
		return measured(reports, func(r metrics.LabelReport) Scalars { return r.LabelScalars }, mean, sd), err
	case d.Hierarchy != "":
		reports, err := LevelFolds(d, o)
		mean, sd := metrics.LevelMeanSD(reports)
		return measured(reports, func(r metrics.LevelReport) Scalars { return r.LevelScalars() }, mean, sd), err
	default:
		reports, err := FoldReports(d, o)
		mean, sd := metrics.MeanSD(reports)
		return measured(reports, func(r metrics.Report) Scalars { return r.Scalars }, mean, sd), err
	}
}

func measured[R Report](reports []R, scalars func(R) Scalars, mean, sd Scalars) *Measured {
	m := &Measured{Mean: mean, SD: sd}
	for _, r := range reports {
		m.Reports, m.Folds = append(m.Reports, r), append(m.Folds, scalars(r))
	}
	return m
}

// MetricNames lists the metrics that records of d are measured by, in the order of their Scalars.
func MetricNames(d *classify.Dataset) []string {
	switch {
	case d.LabelSets != nil:
		return metrics.LabelScalarNames()
	case d.Hierarchy != "":
		return metrics.LevelScalars{Levels: make([]metrics.Float, metrics.Levels(d.Classes, d.Hierarchy))}.Names()
	default:
		return metrics.ScalarNames()
	}
}

// FoldReports reports on the records of each fold of a cross-validation of d, by their one class.
func FoldReports(d *classify.Dataset, o *classify.CVResult) ([]metrics.Report, error) {
	return eachFold(o, d.Y, func(truth []int, p []classify.Prediction) (metrics.Report, error) {
		return Measure(o.Classes, o.Positive, truth, p)
	})
}

// LabelFolds is FoldReports of several labels per record.
func LabelFolds(d *classify.Dataset, o *classify.CVResult) ([]metrics.LabelReport, error) {
	return eachFold(o, d.LabelSets, func(truth [][]int, p []classify.Prediction) (metrics.LabelReport, error) {
		return MeasureLabels(o.Classes, truth, p)
	})
}

// LevelFolds is FoldReports of a hierarchy.
func LevelFolds(d *classify.Dataset, o *classify.CVResult) ([]metrics.LevelReport, error) {
	return eachFold(o, d.Y, func(truth []int, p []classify.Prediction) (metrics.LevelReport, error) {
		return MeasureLevels(o.Classes, d.Hierarchy, o.Positive, truth, p)
	})
}

// eachFold measures each fold. truth has an entry per record.
func eachFold[T, R any](o *classify.CVResult, truth []T, measure func([]T, []classify.Prediction) (R, error)) ([]R, error) {
	reports := make([]R, o.Folds)
	for f := range reports {
		var tested []T
		var predictions []classify.Prediction
		for _, i := range o.Tested(f) {
			tested, predictions = append(tested, truth[i]), append(predictions, o.Predictions[i])
		}
		var err error
		if reports[f], err = measure(tested, predictions); err != nil {
			return nil, err
		}
	}
	return reports, nil
}

// Measure reports on predictions of records whose classes are truth, indices into classes: see metrics.Evaluate. There is at least one.
func Measure(classes []string, positive int, truth []int, predictions []classify.Prediction) (metrics.Report, error) {
	return metrics.Evaluate(classes, truth, predictedClasses(predictions), scoresByClass(predictions), positive)
}

// MeasureLabels reports on predictions of records with several labels each, lists of indices into classes: see metrics.EvaluateLabels. There is at least one.
func MeasureLabels(classes []string, truth [][]int, predictions []classify.Prediction) (metrics.LabelReport, error) {
	predicted := make([][]int, len(predictions))
	for i, p := range predictions {
		predicted[i] = p.Labels
	}
	return metrics.EvaluateLabels(classes, truth, predicted, scoresByClass(predictions))
}

// MeasureLevels is Measure of classes that are paths in a hierarchy, with a separator between their names, and their levels: see metrics.LevelAccuracies.
func MeasureLevels(classes []string, separator string, positive int, truth []int, predictions []classify.Prediction) (metrics.LevelReport, error) {
	r, err := Measure(classes, positive, truth, predictions)
	if err != nil {
		return metrics.LevelReport{}, err
	}
	levels, err := metrics.LevelAccuracies(classes, separator, truth, predictedClasses(predictions))
	return metrics.LevelReport{Report: r, Levels: levels}, err
}

func predictedClasses(predictions []classify.Prediction) []int {
	predicted := make([]int, len(predictions))
	for i, p := range predictions {
		predicted[i] = p.Class
	}
	return predicted
}

// scoresByClass lays scores out as [class][record].
func scoresByClass(predictions []classify.Prediction) [][]float64 {
	scores := make([][]float64, len(predictions[0].Scores))
	for k := range scores {
		scores[k] = make([]float64, len(predictions))
	}
	for i, p := range predictions {
		for k, score := range p.Scores {
			scores[k][i] = score
		}
	}
	return scores
}
