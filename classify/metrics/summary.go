package metrics

import (
	"gonum.org/v1/gonum/stat"
)

// MeanSD returns the mean and the sample standard deviation (divisor one less than the number of values) of every
// metric over reports with the same metrics, usually the folds of a cross-validation. Reports in which a metric is
// undefined do not count for it. A mean of no values and a deviation of fewer than two are NaN. Reports count equally,
// whatever their N.
func MeanSD(reports []Report) (mean, sd Scalars) {
	if len(reports) == 0 {
		return mean, sd
	}
	mean.levels, sd.levels = reports[0].levels, reports[0].levels
	for m, name := range reports[0].Names {
		var defined []float64
		for _, r := range reports {
			if r.Values[m].Defined() {
				defined = append(defined, float64(r.Values[m]))
			}
		}
		average, deviation := stat.MeanStdDev(defined, nil) // 0/0, NaN, where values are missing
		mean.add(name, average)
		sd.add(name, deviation)
	}
	return mean, sd
}
