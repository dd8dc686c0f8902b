package measure

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/subset"
)

// TestResampleMeasuresByDefinition: the means over folds of samples written out by hand are those of Measure.
func TestResampleMeasuresByDefinition(t *testing.T) {
	d := &dataset.Dataset{Classes: []string{"n", "p"}, Positive: 1}
	var predictions []decide.Prediction
	var fold []int
	for i := range 40 {
		score := math.Sin(float64(3*i)) + float64(i%2)
		class := 0
		if score > 0 {
			class = 1
		}
		d.Y, fold = append(d.Y, i%2), append(fold, i/20)
		predictions = append(predictions, decide.Prediction{Class: class, Scores: []float64{score}})
	}
	r := must.Get(Resample(context.Background(), d, 20, 9, fold, predictions))(t)
	// The samples are those of the records in falling order of their scores.
	order := byScore(predictions)
	b := metrics.Bootstrap{Replicates: 20, Seed: 9, Strata: subset.At(d.Y, order)}
	again := must.Get(b.Run(context.Background(), 40, func(s metrics.Resample) ([]metrics.Float, error) {
		var mean metrics.Float
		for f := range 2 {
			var right, all float64
			for _, k := range s.Records {
				if i := order[k]; fold[i] == f {
					all++
					if predictions[i].Class == d.Y[i] {
						right++
					}
				}
			}
			mean += metrics.Float(right / all / 2)
		}
		return []metrics.Float{mean}, nil
	}))(t)
	for k, row := range r.Values {
		if want := again.Values[k][0]; math.Abs(float64(row[0]-want)) > 1e-12 {
			t.Errorf("sample %d: accuracy %v, want %v", k, row[0], want)
		}
	}
}

// TestResampleOfManyClasses: the metrics of samples of classes and label sets, which rank scores once, are those that
// Measure finds from the scores.
func TestResampleOfManyClasses(t *testing.T) {
	for _, labels := range []bool{false, true} {
		d := &dataset.Dataset{Classes: []string{"x", "y", "z"}}
		var predictions []decide.Prediction
		for i := range 60 {
			scores := []float64{math.Round(4 * math.Sin(float64(i))), math.Sin(float64(i * i)), math.Cos(float64(2 * i))}
			d.Y = append(d.Y, i*i/5%3)
			p := decide.Prediction{Class: i % 3, Scores: scores}
			if labels {
				d.LabelSets, p.Labels = append(d.LabelSets, [][]int{{0}, {1, 2}, {0, 2}}[d.Y[i]]), []int{i % 3}
			}
			predictions = append(predictions, p)
		}
		b := metrics.Bootstrap{Replicates: 30, Seed: 9, Strata: strata(d, 60)}
		want := must.Get(b.Run(context.Background(), 60, func(s metrics.Resample) ([]metrics.Float, error) {
			r, err := Predictions(d, s.Records, predictions)
			return r.Values, err
		}))(t)
		got := must.Get(Resample(context.Background(), d, 30, 9, nil, predictions))(t)
		for k, row := range got.Values {
			if !slices.Equal(row, want.Values[k]) {
				t.Errorf("labels %v, sample %d: %v, want %v", labels, k, row, want.Values[k])
			}
		}
	}
}
