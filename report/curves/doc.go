// Package curves makes pictures of how good predictions are, and tables of the points behind them: ROC and
// precision-recall curves, of each class against all others, with those of the folds of a cross-validation and 95 %
// bands by a bootstrap; reliability diagrams; histograms of scores by class; confusion matrices; predicted against true
// numbers and their residuals; a metric against C; learning curves.
//
// [Subject.Of] chooses what fits the labels. A [Result] is a figure for package figure and its points.
//
//	r, err := curves.Subject{Data: data, Predictions: predictions}.Of(ctx)
//	err = figure.Write(w, "svg", figure.Light, r.Figure)
//
// Time is that of sorting the scores, times the samples of the bootstrap; memory is linear in the records and, with a
// bootstrap, in 202 numbers per sample.
package curves

import (
	"github.com/seqsvm/seqsvm/report/figure"
)

// Result is a picture and the points behind its curves.
type Result struct {
	Figure figure.Figure
	Points []Point
}

// Point is a row of the table of points. Numbers that mean nothing for a curve are NaN, N and Fold 0.
type Point struct {
	Curve     string // roc, precision_recall, calibration, scores, prediction, c_path or learning_curve
	Series    string // a class, a kernel; "" where there is one
	Fold      int    // from 1; 0: all records or the mean of the folds
	X, Y      float64
	Lower     float64 // ends of the 95 % band of Y or, of c_path, of one standard deviation
	Upper     float64
	Threshold float64 // of the score, at which the point is reached
	N         int     // records, of a bin or of training
}

// addPoint appends a point of n records, without a band and a threshold, and returns it.
func (r *Result) addPoint(curve, series string, x, y float64, n int) *Point {
	r.Points = append(r.Points, Point{
		Curve: curve, Series: series, X: x, Y: y, Lower: nan, Upper: nan, Threshold: nan, N: n,
	})
	return &r.Points[len(r.Points)-1]
}

// Columns are the names of the fields of Point in tables.
var Columns = []string{"curve", "series", "fold", "x", "y", "lower", "upper", "threshold", "n"}

// add appends a panel.
func (r *Result) add(panel figure.Figure) {
	grid, _ := r.Figure.(figure.Grid)
	grid.Columns = 2
	grid.Panels = append(grid.Panels, panel)
	r.Figure = grid
}
