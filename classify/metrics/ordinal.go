package metrics

import "math"

// OrdinalMetrics returns the names of the metrics of ordered classes, in order: mae, the mean distance of the numbers
// of the true and the predicted class (MeanDistance), kappa (QuadraticKappa) and accuracy.
func OrdinalMetrics() []string { return []string{"mae", "kappa", "accuracy"} }

// EvaluateOrdinal compares predicted classes with the truth where classes are in their order, least first. Entries of
// truth and predicted are indices into classes, one per record. Errors are those of Evaluate.
func EvaluateOrdinal(classes []string, truth, predicted []int) (Report, error) {
	r, err := Evaluate(classes, truth, predicted, nil, 0)
	if err == nil {
		r.Scalars = Scalars{Names: OrdinalMetrics(), Values: []Float{
			Float(r.Confusion.MeanDistance()), Float(r.Confusion.QuadraticKappa()), Float(r.Confusion.Accuracy()),
		}}
	}
	return r, err
}

// MeanDistance is the mean over the records of |true class − predicted class|, classes being numbers; NaN without
// records. O(classes²).
func (m Confusion) MeanDistance() float64 {
	var sum float64
	for t := range m.classes {
		for p, count := range m.row(t) {
			sum += float64(math.Abs(float64(t-p)) * float64(count))
		}
	}
	return sum / float64(m.Total())
}

// QuadraticKappa is Cohen's kappa with weights (true class − predicted class)²: one minus the mean weight over that of
// the same predictions in random order (Cohen 1968, doi:10.1037/h0026256; scikit-learn's cohen_kappa_score with
// quadratic weights). 1 is agreement, 0 chance; NaN where all truths and predictions are one class. O(classes²).
func (m Confusion) QuadraticKappa() float64 {
	support, predicted := m.Support(), m.Predicted()
	var observed, expected float64
	for t := range m.classes {
		for p, count := range m.row(t) {
			weight := float64((t - p) * (t - p))
			observed += float64(weight * float64(count))
			expected += float64(weight * float64(support[t]) * float64(predicted[p]))
		}
	}
	if expected == 0 {
		return math.NaN()
	}
	return 1 - observed*float64(m.Total())/expected
}
