package curves_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/report/curves"
	"github.com/seqsvm/seqsvm/report/figure"
)

// subject is n records of some classes with probabilities, and scores, one or one per class, greater for their own.
func subject(n, classes int, seed uint64) curves.Subject {
	rng := rand.New(rand.NewPCG(seed, 1))
	d := &dataset.Dataset{Positive: 1}
	for c := range classes {
		d.Classes = append(d.Classes, fmt.Sprintf("class %d", c))
	}
	s := curves.Subject{Data: d}
	for i := range n {
		truth := i % classes
		d.Y = append(d.Y, truth)
		p := decide.Prediction{Probabilities: make([]float64, classes)}
		for c := range classes {
			score := rng.NormFloat64()
			if c == truth {
				score++
			}
			p.Scores = append(p.Scores, score)
			p.Probabilities[c] = 1 / float64(classes)
			if score > p.Scores[p.Class] {
				p.Class = c
			}
		}
		if classes == 2 {
			p.Scores = []float64{p.Scores[1] - p.Scores[0]}
		}
		s.Predictions = append(s.Predictions, p)
	}
	return s
}

func mustDraw(t *testing.T, s curves.Subject) (*curves.Result, string) {
	t.Helper()
	r := must.Get(s.Of(context.Background()))(t)
	var first, again bytes.Buffer
	must.Succeed(t, figure.Write(&first, "svg", figure.Light, r.Figure))
	repeated, err := s.Of(context.Background())
	if err != nil || fmt.Sprint(repeated.Points) != fmt.Sprint(r.Points) {
		t.Errorf("other points when drawn again, %v", err)
	}
	if err := figure.Write(&again, "svg", figure.Light, repeated.Figure); err != nil || first.String() != again.String() {
		t.Errorf("other bytes when drawn again, %v", err)
	}
	return r, first.String()
}

// curveOf returns the points of a curve, of a class and a fold.
func curveOf(points []curves.Point, name, series string, fold int) (list []curves.Point) {
	for _, p := range points {
		if p.Curve == name && p.Series == series && p.Fold == fold {
			list = append(list, p)
		}
	}
	return list
}

// TestTwoClasses: a ROC from (0, 0) to (1, 1) that rises, bands around it that rise too, precision and recall up to
// recall 1 at the share of positives, histograms whose bars are all records, and panels with their titles.
func TestTwoClasses(t *testing.T) {
	s := subject(80, 2, 1)
	s.Replicates = 100
	r, svg := mustDraw(t, s)
	roc := curveOf(r.Points, "roc", "class 1", 0)
	if first, last := roc[0], roc[len(roc)-1]; first.X != 0 || first.Y != 0 || last.X != 1 || last.Y != 1 {
		t.Errorf("from %v to %v", first, last)
	}
	pr := curveOf(r.Points, "precision_recall", "class 1", 0)
	if last := pr[len(pr)-1]; last.X != 1 || last.Y != 0.5 {
		t.Errorf("ends at %v", last)
	}
	band := curveOf(r.Points, "roc_mean", "class 1", 0)
	if len(band) != 101 {
		t.Fatalf("a band of %d points", len(band))
	}
	wide := 0
	for g, p := range band {
		if !(p.Lower <= p.Y && p.Y <= p.Upper) {
			t.Errorf("band %v", p)
		}
		if g > 0 && (p.Lower < band[g-1].Lower || p.Upper < band[g-1].Upper || p.Y < band[g-1].Y) {
			t.Errorf("falls from %v to %v", band[g-1], p)
		}
		if p.Upper-p.Lower > 0.05 {
			wide++
		}
	}
	if wide < 30 {
		t.Errorf("only %d points of the band are wide", wide)
	}
	bars := 0
	for _, class := range s.Data.Classes {
		for _, p := range curveOf(r.Points, "scores", class, 0) {
			bars += p.N
		}
	}
	if bars != 80 {
		t.Errorf("histograms of %d records", bars)
	}
	for _, title := range []string{
		"ROC", "Precision and recall", "Scores", "Calibration", "Confusion matrix", "95 % band",
	} {
		if !strings.Contains(svg, ">"+title+"<") {
			t.Errorf("no %s", title)
		}
	}
}

// TestFolds: the mean curve is the mean of those of the folds.
func TestFolds(t *testing.T) {
	s := subject(60, 2, 3)
	for i := range s.Predictions {
		s.Fold = append(s.Fold, i/20)
	}
	r, svg := mustDraw(t, s)
	if !strings.Contains(svg, ">3 folds<") {
		t.Error("no folds in the legend")
	}
	for _, mean := range curveOf(r.Points, "roc_mean", "class 1", 0) {
		sum := 0.0
		for fold := 1; fold <= 3; fold++ {
			best := 0.0
			for _, p := range curveOf(r.Points, "roc", "class 1", fold) {
				if p.X <= mean.X {
					best = max(best, p.Y)
				}
			}
			sum += best
		}
		if math.Abs(mean.Y-sum/3) > 1e-12 {
			t.Errorf("mean %v at %v, want %v", mean.Y, mean.X, sum/3)
		}
	}
}

// TestManyClasses: a curve per class, those of the largest in the picture.
func TestManyClasses(t *testing.T) {
	r, svg := mustDraw(t, subject(120, 12, 4))
	for c := range 12 {
		if curveOf(r.Points, "roc", fmt.Sprintf("class %d", c), 0) == nil {
			t.Errorf("no curve of class %d", c)
		}
	}
	if !strings.Contains(svg, "The 8 largest of 12 classes.") {
		t.Error("no note on the classes that are left out")
	}
	for series, want := range map[string]int{"for its class": 120, "for another class": 11 * 120} {
		scores := 0
		for _, p := range curveOf(r.Points, "scores", series, 0) {
			scores += p.N
		}
		if scores != want {
			t.Errorf("%d scores %s, want %d", scores, series, want)
		}
	}
}

// TestNumbers: every record is a point of the table, and residuals are of the picture.
func TestNumbers(t *testing.T) {
	s := curves.Subject{Data: &dataset.Dataset{Task: dataset.Regression, Classes: []string{dataset.ScoreName}}}
	for i := range 30 {
		s.Data.Targets, s.Data.Y = append(s.Data.Targets, float64(i)), append(s.Data.Y, 0)
		s.Predictions = append(s.Predictions, decide.Prediction{Scores: []float64{float64(i * i % 7)}})
	}
	r, svg := mustDraw(t, s)
	for i, p := range curveOf(r.Points, "prediction", "", 0) {
		if p.X != float64(i) || p.Y != float64(i*i%7) {
			t.Errorf("point %d is %v", i, p)
		}
	}
	if !strings.Contains(svg, ">Residuals<") || strings.Count(svg, "<circle") != 60 {
		t.Errorf("%d points", strings.Count(svg, "<circle"))
	}
}

// TestOneSided: classes that no record has, equal scores.
func TestOneSided(t *testing.T) {
	s := subject(10, 2, 5)
	for i := range s.Predictions {
		s.Data.Y[i], s.Predictions[i].Scores[0] = 0, 1
	}
	r, _ := mustDraw(t, s)
	if curveOf(r.Points, "roc", "class 1", 0) != nil {
		t.Error("a ROC of one class")
	}
	if _, err := (curves.Subject{Data: s.Data}).Of(context.Background()); err == nil {
		t.Error("no error about no predictions")
	}
}

// Bins of few records are points of their own, which no line joins; the others are as large as they are full.
func TestCalibrationOfFew(t *testing.T) {
	const n = 200
	s := subject(n, 4, 1)
	for i := range s.Predictions {
		for c := range s.Predictions[i].Probabilities {
			s.Predictions[i].Probabilities[c] = float64(i*i%n) / n * float64(c+1) / 4
		}
	}
	r, _ := mustDraw(t, s)
	drawn := map[bool]int{}
	for _, panel := range r.Figure.(figure.Grid).Panels {
		chart, is := panel.(figure.Chart)
		if !is || chart.Title != "Calibration" {
			continue
		}
		for k, l := range chart.Layers {
			bins := curveOf(r.Points, "calibration", s.Data.Classes[k/2], 0)
			for i, y := range l.Y {
				joined := l.Kind == figure.Marked
				if math.IsNaN(y) {
					joined = !joined
				} else if drawn[joined]++; l.X[i] != bins[i].X || y != bins[i].Y || l.Sizes[i] != float64(bins[i].N)/n {
					t.Errorf("%v is drawn at %g, %g, size %g", bins[i], l.X[i], y, l.Sizes[i])
				}
				if joined != (bins[i].N >= 10) {
					t.Errorf("%v is joined: %v", bins[i], joined)
				}
			}
		}
	}
	if drawn[true] == 0 || drawn[false] == 0 {
		t.Errorf("%d joined bins, %d others", drawn[true], drawn[false])
	}
}
