package measure_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/measure"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/must"
)

// TestResampleKeepsQueriesApart: a query that is drawn twice is two queries, so that queries that are all ranked
// perfectly or all reversed stay so.
func TestResampleKeepsQueriesApart(t *testing.T) {
	d := &dataset.Dataset{Task: dataset.Ranking, Classes: []string{dataset.ScoreName}}
	var predictions []decide.Prediction
	for i := range 12 {
		right := []string{"a", "b", "c", "d"}[i/3]
		grade := float64(i % 3)
		score := grade
		if right > "b" {
			score = -grade
		}
		d.Groups, d.Targets, d.Y = append(d.Groups, right), append(d.Targets, grade), append(d.Y, 0)
		predictions = append(predictions, decide.Prediction{Scores: []float64{score}})
	}
	r := must.Get(measure.Resample(context.Background(), d, 50, 1, nil, predictions))(t)
	const pairs = 2 // the index of pair_accuracy
	seen := map[float64]bool{}
	for _, row := range r.Values {
		quarters := 4 * float64(row[pairs])
		if quarters != math.Trunc(quarters) {
			t.Fatalf("%v of the pairs are in order, want a number of quarters", row[pairs])
		}
		seen[quarters] = true
	}
	if len(seen) < 3 {
		t.Errorf("only %d different samples", len(seen))
	}
}

// TestResampleClassesByDefinition: the figures of classes in samples are those of counting by hand, over the same
// samples as those of Resample, of one label a record and of several.
func TestResampleClassesByDefinition(t *testing.T) {
	for _, labels := range []bool{false, true} {
		d := &dataset.Dataset{Classes: []string{"x", "y", "z"}}
		var predictions []decide.Prediction
		var truth, predicted [][]int
		for i := range 45 {
			y, p := i%3, (i*i/7)%3
			truth, predicted = append(truth, []int{y}), append(predicted, []int{p})
			if labels && i%4 == 0 {
				truth[i], predicted[i] = []int{0, 2}, []int{1, 2}
			}
			d.Y = append(d.Y, y)
			predictions = append(predictions, decide.Prediction{Class: p, Labels: predicted[i], Scores: []float64{0, 0, 0}})
		}
		strata := d.Y
		if labels {
			d.LabelSets, d.Y, strata = truth, nil, nil
		}
		r := must.Get(measure.ResampleClasses(context.Background(), d, 30, 9, predictions))(t)
		b := metrics.Bootstrap{Replicates: 30, Seed: 9, Strata: strata}
		again := must.Get(b.Run(context.Background(), 45, func(s metrics.Resample) (values []metrics.Float, err error) {
			for c := range d.Classes {
				var has, is, both float64
				for _, i := range s.Records {
					in, out := slices.Contains(truth[i], c), slices.Contains(predicted[i], c)
					for _, count := range []struct {
						yes bool
						of  *float64
					}{{in, &has}, {out, &is}, {in && out, &both}} {
						if count.yes {
							*count.of++
						}
					}
				}
				values = append(values, metrics.Float(both/is), metrics.Float(both/has), metrics.Float(2*both/(has+is)))
			}
			return values, nil
		}))(t)
		for k, row := range r.Values {
			for m, value := range row {
				if want := again.Values[k][m]; math.Abs(float64(value-want)) > 1e-12 {
					t.Errorf("sample %d: figure %d is %v, want %v", k, m, value, want)
				}
			}
		}
	}
}
