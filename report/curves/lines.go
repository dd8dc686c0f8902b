package curves

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/report/figure"
)

// Tried is a candidate of a search: what it is but for C, and the mean and standard deviation of the metric over folds.
type Tried struct {
	Name        string
	C, Mean, SD float64
}

// limits are the least and the greatest value that a metric has.
func limits(metric string) [2]float64 {
	switch metrics.ScaleOf(metric) {
	case metrics.Unit:
		return [2]float64{0, 1}
	case metrics.Signed:
		return [2]float64{-1, 1}
	case metrics.Positive, metrics.Bounded:
		return [2]float64{0, math.Inf(1)}
	case metrics.AtMost1:
		return [2]float64{math.Inf(-1), 1}
	}
	return [2]float64{math.Inf(-1), math.Inf(1)}
}

// CPath draws a metric against C, a line per name with one standard deviation, and has a point of c_path for each
// candidate. Of many names those of the best means are drawn. Candidates with an undefined mean are left out of the
// picture, which cuts error bars where the metric has no values. C is above 0.
func CPath(metric string, candidates []Tried) *Result {
	r := new(Result)
	lines := map[string]*figure.Layer{}
	var names []string // in the order of the candidates
	best, within := map[string]float64{}, limits(metric)
	for _, c := range candidates {
		at := r.addPoint("c_path", c.Name, c.C, c.Mean, 0)
		at.Lower, at.Upper = c.Mean-c.SD, c.Mean+c.SD
		if math.IsNaN(c.Mean) {
			continue
		}
		merit := c.Mean
		if metrics.IsLoss(metric) {
			merit = -merit
		}
		if lines[c.Name] == nil {
			lines[c.Name], best[c.Name] = &figure.Layer{Name: c.Name, Kind: figure.Whisker}, merit
			names = append(names, c.Name)
		}
		best[c.Name] = max(best[c.Name], merit)
		l := lines[c.Name]
		i, _ := slices.BinarySearch(l.X, c.C)
		l.X, l.Y = slices.Insert(l.X, i, c.C), slices.Insert(l.Y, i, c.Mean)
		l.Lower = slices.Insert(l.Lower, i, max(at.Lower, within[0]))
		l.Upper = slices.Insert(l.Upper, i, min(at.Upper, within[1]))
	}
	chart := figure.Chart{
		Title: "Metric by C", XName: "C", YName: metric, YLimits: within, LogX: true, Wide: true,
	}
	all := len(names)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(best[b], best[a]) })
	for series, name := range names[:min(mostDrawn, all)] {
		lines[name].Series = series
		chart.Layers = append(chart.Layers, *lines[name])
	}
	if all > mostDrawn {
		chart.Note = fmt.Sprintf("The best %d of %d.", mostDrawn, all)
	}
	r.Figure = chart
	return r
}

// Learnt is a metric of models of some records, with the ends of its interval.
type Learnt struct {
	Records            int
	Mean, Lower, Upper float64
}

// AddLearning adds a learning curve to a result: a metric by the number of records of training, ascending, with what
// the error bars are, which are drawn as [CPath] does.
func (r *Result) AddLearning(metric, bars string, points []Learnt) {
	layer, within := figure.Layer{Kind: figure.Whisker}, limits(metric)
	for _, p := range points {
		layer.X, layer.Y = append(layer.X, float64(p.Records)), append(layer.Y, p.Mean)
		layer.Lower = append(layer.Lower, max(p.Lower, within[0]))
		layer.Upper = append(layer.Upper, min(p.Upper, within[1]))
		at := r.addPoint("learning_curve", metric, float64(p.Records), p.Mean, p.Records)
		at.Lower, at.Upper = p.Lower, p.Upper
	}
	r.add(figure.Chart{
		Title: "Learning curve", XName: "records of training", YName: metric, YLimits: within,
		Layers: []figure.Layer{layer}, Note: "Error bars: " + bars + ".",
	})
}
