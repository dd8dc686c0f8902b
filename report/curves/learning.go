package curves

import (
	"github.com/seqsvm/seqsvm/report/figure"
)

// Learnt is a metric of models of some records, with the ends of its interval.
type Learnt struct {
	Records            int
	Mean, Lower, Upper float64
}

// AddLearning adds a learning curve to a result: a metric by the number of records of training, ascending, with what
// the error bars are.
func (r *Result) AddLearning(metric, bars string, points []Learnt) {
	layer := figure.Layer{Kind: figure.Whisker}
	for _, p := range points {
		layer.X, layer.Y = append(layer.X, float64(p.Records)), append(layer.Y, p.Mean)
		layer.Lower, layer.Upper = append(layer.Lower, p.Lower), append(layer.Upper, p.Upper)
		at := r.addPoint("learning_curve", metric, float64(p.Records), p.Mean, p.Records)
		at.Lower, at.Upper = p.Lower, p.Upper
	}
	r.add(figure.Chart{
		Title: "Learning curve", XName: "records of training", YName: metric, Layers: []figure.Layer{layer},
		Note: "Error bars: " + bars + ".",
	})
}
