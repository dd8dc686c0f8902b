package search

import (
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/measure"
	"github.com/seqsvm/seqsvm/classify/metrics"
)

// Measured is a cross-validation in figures.
type Measured struct {
	Folds    []metrics.Report
	Mean, SD metrics.Scalars // over the folds, those where a metric is undefined left out
}

// MeasureFolds measures every fold of a cross-validation of d.
func MeasureFolds(d *dataset.Dataset, o *classify.CVResult) (m Measured, err error) {
	m.Folds = make([]metrics.Report, o.Folds)
	for f := range m.Folds {
		if m.Folds[f], err = measure.Predictions(d, o.Tested(f), o.Predictions); err != nil {
			return m, err
		}
	}
	m.Mean, m.SD = metrics.MeanSD(m.Folds)
	return m, nil
}
