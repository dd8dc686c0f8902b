package curves

import (
	"math"

	"github.com/seqsvm/seqsvm/report/figure"
)

// histogramBins is the number of bars of each class.
const histogramBins = 30

// histogram draws the scores of two classes or, of more, those for the classes that records have and for the others.
func (s Subject) histogram(r *Result) {
	sets := s.scoreSets()
	least, most := math.Inf(1), math.Inf(-1)
	for _, set := range sets {
		for _, x := range set.scores {
			least, most = min(least, x), max(most, x)
		}
	}
	wide := (most - least) / histogramBins
	if !(wide > 0) {
		least, wide = least-0.5, 1./histogramBins
	}
	chart := figure.Chart{Title: "Scores", XName: "decision value", YName: "share of the scores"}
	if len(s.Predictions[0].Scores) == 1 {
		chart.YName = "share of the class"
	}
	for _, set := range sets {
		layer := figure.Layer{Name: set.name, Kind: figure.Bars, Series: set.series, Y: make([]float64, histogramBins)}
		counts := make([]int, histogramBins)
		for _, x := range set.scores {
			counts[min(histogramBins-1, int((x-least)/wide))]++
		}
		for b, n := range counts {
			layer.X = append(layer.X, least+float64(wide*(float64(b)+0.5)))
			layer.Y[b] = float64(n) / float64(max(1, len(set.scores)))
			r.addPoint("scores", set.name, layer.X[b], layer.Y[b], n)
		}
		chart.Layers = append(chart.Layers, layer)
	}
	r.add(chart)
}

// scoreSet is scores that are drawn as one histogram.
type scoreSet struct {
	name   string
	series int // its colour
	scores []float64
}

// The sets of scores of more than two classes.
const (
	ownClass     = "for its class"
	otherClasses = "for another class"
)

// scoreSets divides the scores by class or, of more than two, into those of records for their own classes and for the
// others.
func (s Subject) scoreSets() []scoreSet {
	if len(s.Predictions[0].Scores) > 1 {
		sets := []scoreSet{{name: ownClass}, {name: otherClasses, series: 1}}
		for i, p := range s.Predictions {
			for class, x := range p.Scores {
				set := &sets[1]
				if s.is(i, class) {
					set = &sets[0]
				}
				set.scores = append(set.scores, x)
			}
		}
		return sets
	}
	var sets []scoreSet
	for class, name := range s.Data.Classes {
		set := scoreSet{name: name, series: 1}
		if class == s.Data.Positive {
			set.series = 0
		}
		for i, p := range s.Predictions {
			if s.is(i, class) {
				set.scores = append(set.scores, p.Scores[0])
			}
		}
		sets = append(sets, set)
	}
	return sets
}
