package metrics

import "fmt"

// Normal95 is the number of standard deviations on either side of the mean within which a normal variable is with
// probability 0.95: a prediction's interval is mean ± Normal95·sd.
const Normal95 = 1.959963984540054

// AddCoverage adds the metric coverage95 to a report: the share of the records whose truth is within its interval, the
// ends included, that a method announced with probability 0.95. Each record has finite ends, lower ≤ upper.
func (r *Report) AddCoverage(truth, lower, upper []float64) error {
	if err := checkPredicted(truth, lower); err != nil {
		return fmt.Errorf("metrics: lower ends: %w", err)
	}
	if err := checkPredicted(truth, upper); err != nil {
		return fmt.Errorf("metrics: upper ends: %w", err)
	}
	var within int64
	for i, t := range truth {
		if lower[i] > upper[i] {
			return fmt.Errorf("metrics: interval %d from %v to %v, want a lower end first", i, lower[i], upper[i])
		}
		if lower[i] <= t && t <= upper[i] {
			within++
		}
	}
	r.add("coverage95", ratio(within, int64(len(truth))))
	return nil
}

// QuantileMetrics returns the names of the metrics of AddQuantile, in order.
func QuantileMetrics() []string { return []string{"pinball", "below"} }

// AddQuantile adds the metrics of a predicted quantile, 0 < quantile < 1, to a report: pinball, the mean of
// max(q(t − p), (q − 1)(t − p)) over truths t and predictions p, which the true quantile makes least (scikit-learn's
// mean_pinball_loss), and below, the share of the truths that are at most their prediction, which should be the
// quantile.
func (r *Report) AddQuantile(truth, predicted []float64, quantile float64) error {
	if err := checkPredicted(truth, predicted); err != nil {
		return fmt.Errorf("metrics: quantile: %w", err)
	}
	if !(quantile > 0 && quantile < 1) {
		return fmt.Errorf("metrics: quantile %v, want a number between 0 and 1", quantile)
	}
	var loss float64
	var below int64
	n := int64(len(truth))
	for i, t := range truth {
		e := t - predicted[i]
		loss += max(quantile*e, (quantile-1)*e)
		if e <= 0 {
			below++
		}
	}
	r.add("pinball", loss/float64(n))
	r.add("below", ratio(below, n))
	return nil
}
