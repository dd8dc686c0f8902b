package curves

import (
	"fmt"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/report/figure"
)

// calibrationBins is the number of bins of the reliability diagram, that of metrics.Reliability.
const calibrationBins = 10

// calibration draws the reliability diagram of probabilities.
func (s Subject) calibration(r *Result) error {
	if s.Predictions[0].Probabilities == nil {
		return nil
	}
	list := s.contrasts(func(p *decide.Prediction, class int) float64 { return p.Probabilities[class] })
	chart := figure.Chart{
		Title: "Calibration", XName: "mean probability of a bin", YName: "share that is of the class",
		XRange: [2]float64{0, 1}, YRange: [2]float64{0, 1}, Diagonal: true, Note: note(list),
	}
	for k := range list {
		c := &list[k]
		bins, err := metrics.Calibration(c.scores, c.positive, calibrationBins)
		if err != nil {
			return fmt.Errorf("curves: %w", err)
		}
		layer := figure.Layer{Name: c.name, Kind: figure.Marked, Series: c.series}
		for _, b := range bins {
			layer.X, layer.Y = append(layer.X, b.Announced), append(layer.Y, b.Happened)
			r.addPoint("calibration", c.name, b.Announced, b.Happened, b.N)
		}
		if c.drawn {
			chart.Layers = append(chart.Layers, layer)
		}
	}
	r.add(chart)
	return nil
}
