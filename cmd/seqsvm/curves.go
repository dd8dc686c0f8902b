package main

import (
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/report/curves"
)

// curveOptions are --plot and --curves.
type curveOptions struct{ pictures cli.Pictures }

func (o *curveOptions) flags(f *cli.Flags, usage string) {
	o.pictures.Flags(f, usage)
	o.pictures.CurvesFlag(f)
}

// plotHelp is the help of --plot where predictions are measured.
const plotHelp = "`FILE` for a picture: ROC and precision-recall curves, scores, calibration and confusion matrix, " +
	"or predicted and true numbers"

// drawPredictions draws how good predictions are, with the bands of --bootstrap, and what else has to be drawn.
func (o *curveOptions) drawPredictions(c *cli.Call, d *dataset.Dataset, predictions []decide.Prediction, fold []int,
	replicates int, more func(r *curves.Result) error) error {
	if !o.pictures.Wanted() {
		return nil
	}
	c.Stage("drawing")
	r, err := curves.Subject{
		Data: d, Predictions: predictions, Fold: fold, Replicates: replicates, Seed: c.Seed,
	}.Of(c.Context)
	if err != nil {
		return err
	}
	if more != nil {
		if err := more(r); err != nil {
			return err
		}
	}
	return o.write(r)
}

// learntFractions are the fractions of a learning curve.
var learntFractions = []float64{0.1, 0.2, 0.4, 0.6, 0.8, 1}

// learn adds the learning curve of an experiment, with the intervals of --bootstrap or else the deviation of the folds.
func (o *bootstrapOptions) learn(c *cli.Call, e *experiment, fold []int, r *curves.Result) error {
	c.Stage("learning curve")
	t := e.trainer
	t.Progress = nil
	points, err := classify.LearningCurve(c.Context, t, e.data, fold, learntFractions, c.Seed)
	if err != nil {
		return e.records.Placed(err)
	}
	metric, bars := e.data.DefaultMetric(), "one standard deviation of the folds"
	var learnt []curves.Learnt
	for _, p := range points {
		m, err := search.MeasureFolds(e.data, p.Result)
		if err != nil {
			return err
		}
		mean, sd := m.Mean.Value(metric), m.SD.Value(metric)
		at := curves.Learnt{Records: p.Records, Mean: mean, Lower: mean - sd, Upper: mean + sd}
		interval, err := o.interval(c, e.data, fold, p.Result.Predictions, m.Mean)
		if err != nil {
			return err
		}
		if interval != nil {
			bars = "95 % intervals"
			at.Lower, at.Upper = interval.Lower.Value(metric), interval.Upper.Value(metric)
		}
		learnt = append(learnt, at)
	}
	r.AddLearning(metric, bars, learnt)
	return nil
}

// write writes the picture and its points.
func (o *curveOptions) write(r *curves.Result) error {
	if err := o.pictures.Draw(r.Figure); err != nil {
		return err
	}
	return o.pictures.Curves.WriteTable(cli.TSV, func(t *cli.Table) {
		t.Header(curves.Columns)
		for _, p := range r.Points {
			t.Row(p.Curve, p.Series, orNA(p.Fold), p.X, p.Y, p.Lower, p.Upper, p.Threshold, orNA(p.N))
		}
	})
}

// orNA is a cell of a number that means nothing where it is 0.
func orNA(n int) any {
	if n == 0 {
		return nil
	}
	return n
}
