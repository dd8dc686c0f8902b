package metrics

import "gonum.org/v1/gonum/stat"

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
		average, deviation := stat.MeanStdDev(values, nil) // 0/0, NaN, where values are missing
		*means[m], *sds[m] = Float(average), Float(deviation)
	}
	return mean, sd
}
