package search

import (
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/metrics"
)

// TestTiesInAnotherOrder: the same figures in other folds sum to another last bit, and are equal nevertheless.
func TestTiesInAnotherOrder(t *testing.T) {
	table := Table{Metric: "accuracy"}
	for _, folds := range [][]float64{{3.5 / 7, 5. / 7, 5. / 7, 6. / 7, 4. / 7}, {3.5 / 7, 6. / 7, 4. / 7, 5. / 7, 5. / 7}} {
		var reports []metrics.Report
		for _, v := range folds {
			reports = append(reports, metrics.Report{Scalars: metrics.Scalars{Accuracy: metrics.Float(v)}})
		}
		mean, sd := metrics.MeanSD(reports)
		table.Results = append(table.Results, Result{Mean: mean, SD: sd})
	}
	simple, _ := table.Value(0)
	other, _ := table.Value(1)
	if !(other > simple) {
		t.Fatalf("means %v and %v, want the latter greater by rounding", simple, other)
	}
	for _, costs := range [][]float64{{1, 1}, {1, 2}} {
		if err := table.choose([]classify.Trainer{{C: costs[0]}, {C: costs[1]}}); err != nil {
			t.Fatal(err)
		}
		if table.Best != 0 || table.Simplest != 0 {
			t.Errorf("costs %v: best %d, simplest %d, want the simpler of equal ones", costs, table.Best, table.Simplest)
		}
	}
}
