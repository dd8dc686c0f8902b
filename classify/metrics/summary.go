package metrics

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// MeanSD returns the mean and the sample standard deviation (divisor one less
// than the number of values) of every scalar metric over reports, usually the
// folds of a cross-validation. Reports in which a metric is undefined do not
// count for it. A mean of no values and a deviation of fewer than two are NaN.
// Reports count equally, whatever their N.
func MeanSD(reports []Report) (mean, sd Scalars) {
	values := make([][]float64, len(reports))
	for r := range reports {
		values[r] = reports[r].Scalars.Values()
	}
	means, sds := mean.fields(), sd.fields()
	summarise(means[:], sds[:], values)
	return mean, sd
}

// summarise sets means and standard deviations of metrics over reports, of which values has a row each. NaN does not count.
func summarise(means, sds []*Float, values [][]float64) {
	for m := range means {
		var defined []float64
		for _, row := range values {
			if !math.IsNaN(row[m]) {
				defined = append(defined, row[m])
			}
		}
		average, deviation := stat.MeanStdDev(defined, nil) // 0/0, NaN, where values are missing
		*means[m], *sds[m] = Float(average), Float(deviation)
	}
}

// valuesOf returns what metrics are.
func valuesOf(fields []*Float) []float64 {
	values := make([]float64, len(fields))
	for i, f := range fields {
		values[i] = float64(*f)
	}
	return values
}
