package metrics

import "math"

// MeanSD returns the mean and the sample standard deviation (divisor one less
// than the number of values) of every scalar metric over reports, usually the
// folds of a cross-validation. Reports in which a metric is undefined do not
// count for it. A mean of no values and a deviation of fewer than two are NaN.
// Reports count equally, whatever their N.
func MeanSD(reports []Report) (mean, sd Scalars) {
	means, sds := mean.fields(), sd.fields()
	for m := range scalarNames {
		var values []float64
		for r := range reports {
			scalars := reports[r].Scalars
			if f := *scalars.fields()[m]; f.Defined() {
				values = append(values, float64(f))
			}
		}
		average, deviation := meanAndDeviation(values)
		*means[m], *sds[m] = Float(average), Float(deviation)
	}
	return mean, sd
}

// meanAndDeviation sums the deviations from the mean, not the squares, lest close
// values cancel.
func meanAndDeviation(values []float64) (mean, sd float64) {
	n := float64(len(values))
	var sum float64
	for _, v := range values {
		sum += v
	}
	mean = sum / n // 0/0 is NaN
	if n < 2 {
		return mean, math.NaN()
	}
	var squares float64
	for _, v := range values {
		d := v - mean
		squares += float64(d * d)
	}
	return mean, math.Sqrt(squares / (n - 1))
}
