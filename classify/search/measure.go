package search

import (
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/metrics"
)

// Measure reports on predictions of records whose classes are truth, indices into classes: see metrics.Evaluate. There is at least one.
func Measure(classes []string, positive int, truth []int, predictions []classify.Prediction) (metrics.Report, error) {
	predicted := make([]int, len(predictions))
	scores := make([][]float64, len(predictions[0].Scores))
	for k := range scores {
		scores[k] = make([]float64, len(predictions))
	}
	for i, p := range predictions {
		predicted[i] = p.Class
		for k, score := range p.Scores {
			scores[k][i] = score
		}
	}
	return metrics.Evaluate(classes, truth, predicted, scores, positive)
}

// FoldReports reports on the records of each fold of a cross-validation of d.
func FoldReports(d *classify.Dataset, o *classify.Outcome) ([]metrics.Report, error) {
	reports := make([]metrics.Report, o.Folds)
	for f := range reports {
		var truth []int
		var predictions []classify.Prediction
		for _, i := range o.Tested(f) {
			truth, predictions = append(truth, d.Y[i]), append(predictions, o.Predictions[i])
		}
		var err error
		if reports[f], err = Measure(o.Classes, o.Positive, truth, predictions); err != nil {
			return nil, err
		}
	}
	return reports, nil
}
