package curves

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/report/figure"
)

// histogramBins is the number of bars of each class.
const histogramBins = 30

// histogram draws the scores of two classes or, of more, those for the classes that records have and for the others.
func (s Subject) histogram(r *Result) {
	sets := s.scoreSets()
	least, most := math.Inf(1), math.Inf(-1)
	for _, predictions := range [][]decide.Prediction{s.Predictions, s.Beside} {
		for _, p := range predictions {
			least, most = min(least, slices.Min(p.Scores)), max(most, slices.Max(p.Scores))
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

// calibrationBins is the number of bins of the reliability diagram, that of metrics.Reliability.
const calibrationBins = 10

// fewInBin is a number of records below which the share of a bin says little: its standard error is up to 1/6.
const fewInBin = 10

// calibration draws the reliability diagram of probabilities.
func (s Subject) calibration(r *Result) error {
	if s.Predictions[0].Probabilities == nil {
		return nil
	}
	list := s.contrasts(func(p *decide.Prediction, class int) float64 { return p.Probabilities[class] })
	chart := figure.Chart{
		Title: "Calibration", XName: "mean probability of a bin", YName: "share that is of the class",
		XRange: [2]float64{0, 1}, YRange: [2]float64{0, 1}, Diagonal: true, Note: strings.TrimSpace(note(list) + fmt.Sprintf(
			" Larger points: more records; pale: fewer than %d.", fewInBin)),
	}
	for k := range list {
		c := &list[k]
		bins, err := metrics.Calibration(c.scores, c.positive, calibrationBins)
		if err != nil {
			return fmt.Errorf("curves: %w", err)
		}
		few := figure.Layer{Kind: figure.Points, Series: c.series}
		many := figure.Layer{Name: c.name, Kind: figure.Marked, Series: c.series}
		var size []float64
		for _, b := range bins {
			r.addPoint("calibration", c.name, b.Announced, b.Happened, b.N)
			few.X, few.Y, many.Y = append(few.X, b.Announced), append(few.Y, nan), append(many.Y, b.Happened)
			if size = append(size, float64(b.N)/float64(len(c.scores))); b.N < fewInBin {
				few.Y[len(few.Y)-1], many.Y[len(many.Y)-1] = b.Happened, nan // which breaks the line
			}
		}
		few.Sizes, many.Sizes, many.X = size, size, few.X
		if c.drawn {
			chart.Layers = append(chart.Layers, few, many)
		}
	}
	r.add(chart)
	return nil
}

// mostPoints is how many points a picture of numbers has; of more, every second, third, … is drawn.
const mostPoints = 5000

// numbers draws predicted against true numbers, and what is left. Of a ranking, whose scores have no unit, it draws
// scores against grades alone.
func (s Subject) numbers(r *Result) {
	against := figure.Chart{Title: "Predicted and true", XName: "true", YName: "predicted"}
	residuals := figure.Chart{Title: "Residuals", XName: "predicted", YName: "true \u2212 predicted"}
	every := (len(s.Predictions) + mostPoints - 1) / mostPoints
	if every > 1 {
		against.Note = fmt.Sprintf("One of %d records is drawn.", every)
		residuals.Note = against.Note
	}
	first := figure.Layer{Kind: figure.Points}
	second := figure.Layer{Kind: figure.Points}
	least, most := math.Inf(1), math.Inf(-1)
	left, right := math.Inf(1), math.Inf(-1)
	for i, p := range s.Predictions {
		truth, predicted := s.Data.Targets[i], p.Scores[0]
		row := r.addPoint("prediction", "", truth, predicted, 0)
		if s.Fold != nil {
			row.Fold = s.Fold[i] + 1
		}
		if i%every != 0 {
			continue
		}
		first.X, first.Y = append(first.X, truth), append(first.Y, predicted)
		second.X, second.Y = append(second.X, predicted), append(second.Y, truth-predicted)
		least, most = min(least, truth, predicted), max(most, truth, predicted)
		left, right = min(left, predicted), max(right, predicted)
	}
	if s.Data.Labelling() == dataset.Grades {
		against.Title, against.XName, against.YName = "Scores and grades", "grade", "score"
		against.Layers = []figure.Layer{first}
		r.add(against)
		return
	}
	ends := []float64{least, most}
	against.Layers = []figure.Layer{{X: ends, Y: ends, Kind: figure.Dashes, Series: -1}, first}
	residuals.Layers = []figure.Layer{
		{X: []float64{left, right}, Y: []float64{0, 0}, Kind: figure.Dashes, Series: -1}, second,
	}
	r.add(against)
	r.add(residuals)
}
