package search

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/must"
)

// oneFigure is one metric.
func oneFigure(name string, value float64) metrics.Scalars {
	return metrics.Scalars{Names: []string{name}, Values: []metrics.Float{metrics.Float(value)}}
}

// tableOf has a candidate per list of the values of a metric in folds.
func tableOf(metric string, candidates ...[]float64) *Table {
	t := &Table{Metric: metric}
	for _, folds := range candidates {
		var r Result
		for _, v := range folds {
			r.Folds = append(r.Folds, metrics.Report{Scalars: oneFigure(metric, v)})
		}
		r.Mean, r.SD = metrics.MeanSD(r.Folds)
		t.Results = append(t.Results, r)
	}
	return t
}

// withCosts are trainers that differ in C.
func withCosts(costs ...float64) (list []classify.Trainer) {
	for _, c := range costs {
		list = append(list, classify.Trainer{C: c})
	}
	return list
}

// TestTiesInAnotherOrder: the same figures in other folds sum to another last bit, and are equal nevertheless.
func TestTiesInAnotherOrder(t *testing.T) {
	table := tableOf("accuracy", []float64{3.5 / 7, 5. / 7, 5. / 7, 6. / 7, 4. / 7},
		[]float64{3.5 / 7, 6. / 7, 4. / 7, 5. / 7, 5. / 7})
	simple, _ := table.Value(0)
	// as the sum comes out on amd64, not on every processor
	table.Results[1].Mean = oneFigure("accuracy", math.Nextafter(simple, 1))
	for _, costs := range [][]float64{{1, 1}, {1, 2}} {
		must.Succeed(t, table.choose(withCosts(costs...)))
		if table.Best != 0 || table.Simplest != 0 {
			t.Errorf("costs %v: best %d, simplest %d, want the simpler of equal ones", costs,
				table.Best, table.Simplest)
		}
	}
}

// TestChoiceOfALoss: the least mean is the best, and one standard error above it is enough for the simplest.
func TestChoiceOfALoss(t *testing.T) {
	table := tableOf("hamming_loss", []float64{0.5, 0.5, 0.5, 0.5}, []float64{0.14, 0.14, 0.14, 0.14},
		[]float64{0.05, 0.15, 0.05, 0.15})
	// The best has the mean 0.1, the deviation 0.1/√3 and the standard error 0.1/√12 = 0.029: 0.14 is too far off, 0.12
	// is not.
	for second, simplest := range map[float64]int{0.14: 2, 0.12: 1} {
		table.Results[1].Mean = oneFigure("hamming_loss", second)
		must.Succeed(t, table.choose(withCosts(1, 2, 3)))
		if table.Best != 2 || table.Simplest != simplest {
			t.Errorf("best %d, simplest %d, want 2 and %d", table.Best, table.Simplest, simplest)
		}
	}
	order := []int{0, 1, 2}
	slices.SortFunc(order, table.Compare)
	if !slices.Equal(order, []int{2, 1, 0}) {
		t.Errorf("order %v", order)
	}
}

// TestUndefinedFolds: a candidate gains nothing by folds in which its metric is undefined, as mcc is where all
// predictions are one class.
func TestUndefinedFolds(t *testing.T) {
	nan := math.NaN()
	table := tableOf("mcc", []float64{nan, nan, 0.9}, []float64{0.7, 0.7, 0.7}, []float64{nan, nan, nan},
		[]float64{0.6, 0.7, 0.8})
	must.Succeed(t, table.choose(withCosts(0.1, 1, 0.01, 2)))
	if table.Best != 1 || table.Simplest != 1 {
		t.Errorf("best %d, simplest %d, want the simpler of those with all folds, 1", table.Best, table.Simplest)
	}
	order := []int{0, 1, 2, 3}
	slices.SortStableFunc(order, table.Compare)
	if !slices.Equal(order, []int{1, 3, 0, 2}) {
		t.Errorf("order %v", order)
	}
	table = tableOf("mcc", []float64{nan, nan}, []float64{nan, nan})
	if err := table.choose(withCosts(1, 2)); err == nil || !strings.Contains(err.Error(),
		"mcc is undefined in every fold of every candidate") {
		t.Errorf("%v, want the metric undefined", err)
	}
}
