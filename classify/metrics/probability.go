package metrics

import (
	"fmt"
	"math"
)

// LogLoss is the mean of −ln p over the records, p being the probability given to
// what the record is: probability[i] if positive[i], else 1 − probability[i]. In
// nats, ≥ 0, +Inf when an event given probability 0 happens (nothing is clipped;
// scikit-learn clips at the machine's epsilon), NaN without records. Unequal
// lengths and values outside [0, 1] are errors. O(n).
func LogLoss(probability []float64, positive []bool) (float64, error) {
	if err := checkProbabilities(probability, len(positive)); err != nil {
		return math.NaN(), fmt.Errorf("metrics: log loss: %w", err)
	}
	var sum float64
	for i, p := range probability {
		if positive[i] {
			sum -= math.Log(p)
		} else {
			sum -= math.Log1p(-p)
		}
	}
	return sum / float64(len(probability)), nil
}

// Brier is the mean squared difference between probability[i] and the outcome, 1
// if positive[i] else 0. In [0, 1], 0.25 for a constant ½, NaN without records.
// Unequal lengths and values outside [0, 1] are errors. O(n).
func Brier(probability []float64, positive []bool) (float64, error) {
	if err := checkProbabilities(probability, len(positive)); err != nil {
		return math.NaN(), fmt.Errorf("metrics: Brier score: %w", err)
	}
	var sum float64
	for i, p := range probability {
		if positive[i] {
			p = 1 - p
		}
		sum += float64(p * p)
	}
	return sum / float64(len(probability)), nil
}

// LogLossMulti is LogLoss for any number of classes: the mean of −ln of
// probability[truth[i]][i]. The layout is [class][record] and every record's
// probabilities sum to 1 within 1e-6. Other shapes, values outside [0, 1] and
// classes out of range are errors. O(n·classes).
func LogLossMulti(probability [][]float64, truth []int) (float64, error) {
	if err := checkDistributions(probability, truth); err != nil {
		return math.NaN(), fmt.Errorf("metrics: log loss: %w", err)
	}
	var sum float64
	for i, t := range truth {
		sum -= math.Log(probability[t][i])
	}
	return sum / float64(len(truth)), nil
}

// BrierMulti is Brier's original score for any number of classes: the mean over
// records of the squared distance between the record's probabilities and the
// indicator of its class, in [0, 2]. With two classes it is twice Brier. Layout
// and errors are those of LogLossMulti. O(n·classes).
func BrierMulti(probability [][]float64, truth []int) (float64, error) {
	if err := checkDistributions(probability, truth); err != nil {
		return math.NaN(), fmt.Errorf("metrics: Brier score: %w", err)
	}
	var sum float64
	for i, t := range truth {
		for c, row := range probability {
			d := row[i]
			if c == t {
				d = 1 - d
			}
			sum += float64(d * d)
		}
	}
	return sum / float64(len(truth)), nil
}

// checkProbabilities wants one value in [0, 1] per label.
func checkProbabilities(probability []float64, labels int) error {
	if err := checkLengths("probabilities", len(probability), labels); err != nil {
		return err
	}
	for i, p := range probability {
		if !(p >= 0 && p <= 1) { // also refuses NaN
			return fmt.Errorf("probability %d is %v, want 0 … 1", i, p)
		}
	}
	return nil
}

// checkDistributions wants, for every record, a class in range and probabilities
// that sum to 1.
func checkDistributions(probability [][]float64, truth []int) error {
	for c, row := range probability {
		if err := checkProbabilities(row, len(truth)); err != nil {
			return fmt.Errorf("class %d: %w", c, err)
		}
	}
	for i, t := range truth {
		if t < 0 || t >= len(probability) {
			return fmt.Errorf("true class %d of record %d, want 0 … %d", t, i, len(probability)-1)
		}
		var sum float64
		for _, row := range probability {
			sum += row[i]
		}
		if math.Abs(sum-1) > 1e-6 {
			return fmt.Errorf("probabilities of record %d sum to %v, want 1", i, sum)
		}
	}
	return nil
}
