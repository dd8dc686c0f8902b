package measure

import (
	"context"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/subset"
)

// Difference is a metric of two models on the same records: A less B with its 95 % interval and p-value.
type Difference struct {
	Metric, Method  string // the method is bootstrap or delong
	A, B            float64
	Difference      float64
	Lower, Upper, P float64
}

// Compare measures the predictions of two models for the records of d, and their differences on samples of the records
// ([Resample]; with no replicates, without intervals). The area under the ROC curve of two classes is compared by
// [metrics.DeLong] too, unless d has groups. What the predictions of one model alone have, probabilities or deviations,
// is left out.
func Compare(ctx context.Context, d *dataset.Dataset, replicates int, seed uint64, a, b []decide.Prediction) (
	list []Difference, err error,
) {
	a, b = alike(a, b), alike(b, a)
	var of [2]metrics.Report
	for i, predictions := range [][]decide.Prediction{a, b} {
		if of[i], err = Predictions(d, subset.Whole(len(predictions)), predictions); err != nil {
			return nil, err
		}
	}
	var samples *metrics.Replicates
	if replicates > 0 {
		if samples, err = Resample(ctx, d, replicates, seed, nil, a, b); err != nil {
			return nil, err
		}
		samples = samples.Differences()
	}
	for m, name := range of[0].Names {
		row := Difference{Metric: name, Method: "bootstrap", A: float64(of[0].Values[m]), B: float64(of[1].Values[m])}
		row.Difference, row.Lower, row.Upper, row.P = row.A-row.B, math.NaN(), math.NaN(), math.NaN()
		if samples != nil {
			row.Lower, row.Upper = samples.Interval95(m, row.Difference, metrics.Real)
			row.P = samples.P(m, row.Difference)
		}
		list = append(list, row)
		if name == "auroc" && d.Groups == nil && len(d.Classes) == 2 {
			row, err := deLong(d, a, b)
			if err != nil {
				return nil, err
			}
			list = append(list, row)
		}
	}
	return list, nil
}

// alike returns predictions without what the others lack.
func alike(predictions, others []decide.Prediction) []decide.Prediction {
	list := slices.Clone(predictions)
	for k := range list {
		if others[0].Probabilities == nil {
			list[k].Probabilities = nil
		}
		if others[0].Deviation == 0 {
			list[k].Deviation = 0
		}
	}
	return list
}

// deLong compares the areas under the ROC curves of scores of the positive class of two.
func deLong(d *dataset.Dataset, a, b []decide.Prediction) (Difference, error) {
	positive, scores := make([]bool, len(a)), [2][]float64{}
	for k := range a {
		positive[k] = d.Y[k] == d.Positive
		scores[0], scores[1] = append(scores[0], a[k].Scores[0]), append(scores[1], b[k].Scores[0])
	}
	of, err := metrics.NewDeLong(scores[0], scores[1], positive)
	row := Difference{Metric: "auroc", Method: "delong", A: of.A, B: of.B, Difference: of.Difference(), P: of.P()}
	row.Lower, row.Upper = of.Interval95()
	return row, err
}
