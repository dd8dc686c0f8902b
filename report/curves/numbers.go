package curves

import (
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/report/figure"
)

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
