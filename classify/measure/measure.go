// Package measure compares predictions with the labels of a data set, on all records or on samples of them.
package measure

import (
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/subset"
)

// Predictions reports on some records of d, at least one, given by index; predictions has an entry per record of d.
// What is measured depends on the labels of d: see [metrics.Evaluate], [metrics.Report.AddLevels] for a hierarchy, and
// [metrics.EvaluateLabels] for several labels per record. Calibrated predictions add log_loss, brier and reliability.
func Predictions(d *dataset.Dataset, records []int, predictions []decide.Prediction) (metrics.Report, error) {
	tested := subset.At(predictions, records)
	switch d.Labelling() {
	case dataset.LabelSets:
		return ofLabelSets(d, records, tested)
	case dataset.Numbers:
		return ofNumbers(d, records, tested)
	case dataset.Grades:
		return ofGrades(d, records, tested)
	case dataset.OrderedClasses:
		return metrics.EvaluateOrdinal(d.Classes, subset.At(d.Y, records), classesOf(tested))
	}
	return ofClasses(d, records, tested)
}

func ofClasses(d *dataset.Dataset, records []int, tested []decide.Prediction) (metrics.Report, error) {
	truth, predicted := subset.At(d.Y, records), classesOf(tested)
	r, err := metrics.Evaluate(d.Classes, truth, predicted, scoresByClass(tested), d.Positive)
	if err == nil && tested[0].Probabilities != nil {
		err = r.AddProbabilities(byClass(tested, func(p decide.Prediction) []float64 { return p.Probabilities }), truth)
	}
	if err == nil && d.Hierarchy != "" {
		err = r.AddLevels(d.Hierarchy, truth, predicted)
	}
	return r, err
}

// classesOf returns the class of each prediction.
func classesOf(predictions []decide.Prediction) []int {
	classes := make([]int, len(predictions))
	for i, p := range predictions {
		classes[i] = p.Class
	}
	return classes
}

func ofLabelSets(d *dataset.Dataset, records []int, tested []decide.Prediction) (metrics.Report, error) {
	predicted := make([][]int, len(tested))
	for i, p := range tested {
		predicted[i] = p.Labels
	}
	scores := scoresByClass(tested)
	for len(scores) < len(d.Classes) { // labels that no machine is for come last
		scores = append(scores, slices.Repeat([]float64{-math.MaxFloat64}, len(tested)))
	}
	return metrics.EvaluateLabels(d.Classes, subset.At(d.LabelSets, records), predicted, scores)
}

func ofNumbers(d *dataset.Dataset, records []int, tested []decide.Prediction) (metrics.Report, error) {
	truth, predicted := subset.At(d.Targets, records), scoresByClass(tested)[0]
	r, err := metrics.EvaluateNumbers(truth, predicted)
	if err == nil && d.Quantile != 0 {
		err = r.AddQuantile(truth, predicted, d.Quantile)
	}
	if err == nil && tested[0].Deviation > 0 {
		err = addCoverage(&r, truth, tested)
	}
	return r, err
}

// addCoverage adds the share of 95 % intervals that hold the truth.
func addCoverage(r *metrics.Report, truth []float64, tested []decide.Prediction) error {
	lower, upper := make([]float64, len(tested)), make([]float64, len(tested))
	for i, p := range tested {
		half := float64(metrics.Normal95 * p.Deviation)
		lower[i], upper[i] = p.Scores[0]-half, p.Scores[0]+half
	}
	return r.AddCoverage(truth, lower, upper)
}

func ofGrades(d *dataset.Dataset, records []int, tested []decide.Prediction) (metrics.Report, error) {
	var groups []string
	if d.Groups != nil {
		groups = subset.At(d.Groups, records)
	}
	truth, predicted := subset.At(d.Targets, records), scoresByClass(tested)[0]
	return metrics.EvaluateRanking(truth, predicted, groups, metrics.PrecisionDepth)
}

// scoresByClass returns the scores of predictions as [class][record].
func scoresByClass(predictions []decide.Prediction) [][]float64 {
	return byClass(predictions, func(p decide.Prediction) []float64 { return p.Scores })
}

// byClass lays numbers of predictions, one per class each, out as [class][record].
func byClass(predictions []decide.Prediction, values func(decide.Prediction) []float64) [][]float64 {
	rows := scratch.Vectors(len(values(predictions[0])), len(predictions))
	for i, p := range predictions {
		for k, value := range values(p) {
			rows[k][i] = value
		}
	}
	return rows
}

// Regions compares the regions of predictions with the labels of records (0-based).
func Regions(d *dataset.Dataset, records []int, tested []decide.Prediction) *metrics.Regions {
	r := metrics.NewRegions(d.Classes)
	for j, i := range records {
		region := tested[j].Region
		if d.Targets != nil {
			r.Add(0, region.Lower <= d.Targets[i] && d.Targets[i] <= region.Upper, region.Upper-region.Lower, false)
			continue
		}
		_, held := slices.BinarySearch(region.Classes, d.Y[i])
		r.Add(d.Y[i], held, float64(len(region.Classes)), region.Abstains())
	}
	return r.Mean()
}
