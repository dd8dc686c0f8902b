package search

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/subset"
)

// Table has one result per candidate, in the order of the candidates.
type Table struct {
	Metric   string
	Results  []Result
	Best     int // the first candidate by Compare; of several the simplest
	Simplest int // the simplest candidate at most one standard error behind, with the metric defined in as many folds

	draws int // how often all records were divided into folds, if more than once
}

// Picked returns the number of a candidate.
func (t *Table) Picked(p Pick) int {
	if p == OneSE {
		return t.Simplest
	}
	return t.Best
}

// Value returns mean and standard deviation of the table's metric for a candidate, NaN if undefined.
func (t *Table) Value(candidate int) (mean, sd float64) {
	r := t.Results[candidate]
	return r.Mean.Value(t.Metric), r.SD.Value(t.Metric)
}

// StandardError returns that of the mean of the table's metric for a candidate: sd/√k over the k folds where the metric
// is defined, on average if records were divided more than once: folds of several divisions are not independent.
func (t *Table) StandardError(candidate int) float64 {
	_, sd := t.Value(candidate)
	return t.standardError(sd, t.defined(candidate))
}

func (t *Table) standardError(sd float64, folds int) float64 {
	return sd / math.Sqrt(float64(folds)/float64(max(1, t.draws)))
}

// ahead reports whether one candidate is better than another by more than the standard error of the difference, fold
// by fold.
func (t *Table) ahead(one, other int) bool {
	var differences []float64
	for f, report := range t.Results[one].Folds {
		d := report.Value(t.Metric) - t.Results[other].Folds[f].Value(t.Metric)
		if !math.IsNaN(d) {
			differences = append(differences, d)
		}
	}
	mean, sd := stat.MeanStdDev(differences, nil)
	return math.Abs(mean) > t.standardError(sd, len(differences))
}

// within reports whether a candidate is at most one standard error of the best behind it.
func (t *Table) within(candidate int) bool {
	least := t.merit(t.Best)
	if se := t.StandardError(t.Best); !math.IsNaN(se) {
		least -= se
	}
	return t.defined(candidate) == t.defined(t.Best) && t.merit(candidate) >= least
}

// after returns the table of the same candidates on the folds of another, if there is one, and then on its own.
func (t *Table) after(other *Table) *Table {
	if other == nil {
		return t
	}
	both := &Table{Metric: t.Metric, Results: slices.Clone(other.Results), draws: max(1, other.draws) + 1}
	for i := range both.Results {
		r := &both.Results[i]
		r.Folds = slices.Concat(r.Folds, t.Results[i].Folds)
		r.Mean, r.SD = metrics.MeanSD(r.Folds)
		r.Gap = max(r.Gap, t.Results[i].Gap)
	}
	return both
}

// Undefined returns in how many folds of a candidate the table's metric is undefined: they are not in its mean.
func (t *Table) Undefined(candidate int) int {
	return len(t.Results[candidate].Folds) - t.defined(candidate)
}

// defined returns in how many folds of a candidate the table's metric is defined.
func (t *Table) defined(candidate int) (folds int) {
	for _, f := range t.Results[candidate].Folds {
		if !math.IsNaN(f.Value(t.Metric)) {
			folds++
		}
	}
	return folds
}

// Compare returns a negative number if candidate i is better than j by the table's metric, a positive one if it is
// worse, 0 if they are equal. The better mean is the greater one, of a loss (metrics.IsLoss) the smaller. Means are
// rounded to twelve decimals, so that equal figures in other folds, whose sums differ in the last bits, are equal.
//
// A candidate for which the metric is undefined in more folds is the worse in any case: mcc has no value where all
// predictions are one class, and a mean over the folds that are left would reward that.
func (t *Table) Compare(i, j int) int {
	return cmp.Or(cmp.Compare(t.defined(j), t.defined(i)), cmp.Compare(t.merit(j), t.merit(i)))
}

// merit is the mean of a candidate, rounded, so that more is better; −∞ if undefined.
func (t *Table) merit(candidate int) float64 {
	mean, _ := t.Value(candidate)
	switch {
	case math.IsNaN(mean):
		return math.Inf(-1)
	case metrics.IsLoss(t.Metric):
		mean = -mean
	}
	return math.Round(mean*1e12) / 1e12
}

// choose finds the best candidate and the simplest within one standard error.
func (t *Table) choose(candidates []classify.Trainer) error {
	order := bySimplicity(candidates)
	t.Best = order[0]
	for _, i := range order {
		if t.Compare(i, t.Best) < 0 {
			t.Best = i
		}
	}
	if t.defined(t.Best) == 0 {
		return fmt.Errorf("search: the metric %s is undefined in every fold of every candidate; "+
			"choose another metric or fewer folds", t.Metric)
	}
	t.Simplest = order[slices.IndexFunc(order, t.within)]
	return nil
}

// bySimplicity returns the numbers of the candidates, the simplest first.
func bySimplicity(candidates []classify.Trainer) []int {
	order := subset.Whole(len(candidates))
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(cmp.Or(candidates[i].C, 1), cmp.Or(candidates[j].C, 1))
	})
	return order
}
