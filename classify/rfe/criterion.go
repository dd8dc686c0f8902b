package rfe

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/internal/subset"
)

// Criterion is what features are ranked by. All but ByWeights look at each feature alone, once, before the first round
// (filters; Guyon & Elisseeff 2003, JMLR 3, 1157–1182), at its values x in the records of a class (+) and in all others
// (−). Of more than two classes, or several labels, a feature has the greatest of the values of all classes. Records
// count by their weights.
type Criterion string

// The criteria. μ, σ are the mean and the standard deviation, Σ(x−μ)²/n under its root, of a feature in n records.
const (
	ByWeights Criterion = "weights" // Σ_m w_m² over the machines m, of each round: the default
	// the score of Fisher's discriminant, (n₊(μ₊−μ)² + n₋(μ₋−μ)²)/(n₊σ₊² + n₋σ₋²): the F statistic but for a constant
	ByFisher Criterion = "fisher"
	// |μ₊−μ₋|/(σ₊+σ₋), signal to noise (Golub et al. 1999, Science 286, 531–537)
	ByGolub Criterion = "golub"
	ByMean  Criterion = "mean" // |μ₊−μ₋|
	// χ² of the sums of x in both, which are to be as n₊ to n₋; x ≥ 0
	ByChi2 Criterion = "chi2"
	// mutual information, in nats, of the class and of whether x is 0
	ByInformation Criterion = "information"
	ByAUROC       Criterion = "auroc" // |A − ½| of the area A under the ROC curve of x
)

// Criteria lists all criteria, the default first.
func Criteria() []Criterion {
	return []Criterion{ByWeights, ByFisher, ByGolub, ByMean, ByChi2, ByInformation, ByAUROC}
}

// filters are the criteria of features that are looked at alone.
var filters = map[Criterion]func(*column) float64{
	ByFisher: (*column).fisher, ByGolub: (*column).golub, ByMean: (*column).difference, ByChi2: (*column).chi2,
	ByInformation: (*column).information, ByAUROC: (*column).auroc,
}

// check returns an error for an unknown criterion, or one that does not go with the labels.
func (c Criterion) check(d *dataset.Dataset) error {
	if c == "" || c == ByWeights {
		return nil
	}
	if filters[c] == nil {
		return fmt.Errorf("classify: By = %.40q, want one of %q", c, Criteria())
	}
	switch d.Labelling() {
	case dataset.TwoClasses, dataset.ManyClasses, dataset.LabelSets, dataset.LabelPaths:
		return nil
	}
	return fmt.Errorf("classify: By = %s compares the records of classes, want %s for this task", c, ByWeights)
}

// column is a feature in two groups of records: the entries that are not 0 by rising value, and all weights.
type column struct {
	values, weights []float64
	side            []int      // 0 for the class, 1 for the others
	total           [2]float64 // weight of the records of either side
}

// filter returns the criterion of each feature.
func filter(ctx context.Context, by Criterion, rows *rows.Rows, d *dataset.Dataset) ([]float64, error) {
	var sides [][]int
	for c := range d.Classes {
		if len(d.Classes) > 2 || d.LabelSets != nil || c == d.Positive {
			sides = append(sides, sidesOf(d, c))
		}
	}
	weight, total := make([]float64, d.Len()), make([][2]float64, len(sides))
	for i := range weight {
		weight[i] = d.Weight(i)
		for c, side := range sides {
			total[c][side[i]] += weight[i]
		}
	}
	columns, scores := rows.Columns(), make([]float64, rows.Width())
	return scores, parallel.Do(ctx, len(scores), func(id int) error {
		documents, values := columns.Column(uint32(id))
		if by == ByChi2 && slices.ContainsFunc(values, func(v float64) bool { return v < 0 }) {
			return fmt.Errorf("classify: a feature has the value %v, and %s wants values of at least 0; "+
				"choose another criterion", slices.Min(values), ByChi2)
		}
		order := subset.Whole(len(values))
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
		f := column{make([]float64, len(order)), make([]float64, len(order)), make([]int, len(order)), [2]float64{}}
		for e, at := range order {
			f.values[e], f.weights[e] = values[at], weight[documents[at]]
		}
		for c, side := range sides {
			if f.total = total[c]; f.total[0] == 0 || f.total[1] == 0 {
				continue // all records have the label, or none
			}
			for e, at := range order {
				f.side[e] = side[documents[at]]
			}
			scores[id] = max(scores[id], filters[by](&f))
		}
		return nil
	})
}

// sidesOf returns 0 for each record of class c and 1 for the others.
func sidesOf(d *dataset.Dataset, c int) []int {
	side := make([]int, d.Len())
	for i := range side {
		if !d.Has(i, c) {
			side[i] = 1
		}
	}
	return side
}

// sums returns Σ w x of both sides.
func (f *column) sums() (sum [2]float64) {
	for e, v := range f.values {
		sum[f.side[e]] += float64(f.weights[e] * v)
	}
	return sum
}

// moments returns the mean and Σ w (x − μ)² of both sides.
func (f *column) moments() (mean, squares [2]float64) {
	sum, zeros := f.sums(), f.total
	for s := range mean {
		mean[s] = sum[s] / f.total[s]
	}
	for e, v := range f.values {
		s := f.side[e]
		zeros[s] -= f.weights[e]
		squares[s] += float64(f.weights[e] * (v - mean[s]) * (v - mean[s]))
	}
	for s := range squares {
		squares[s] += float64(max(0, zeros[s]) * mean[s] * mean[s])
	}
	return mean, squares
}

// ratio returns a/b for numbers of at least 0, with 0 for 0/0.
func ratio(a, b float64) float64 {
	if a == 0 {
		return 0
	}
	return a / b
}

func (f *column) fisher() float64 {
	mean, squares := f.moments()
	d := mean[0] - mean[1]
	// n₊(μ₊−μ)² + n₋(μ₋−μ)² = d² n₊n₋/(n₊+n₋)
	return ratio(d*d*f.total[0]*f.total[1]/(f.total[0]+f.total[1]), squares[0]+squares[1])
}

func (f *column) golub() float64 {
	mean, squares := f.moments()
	return ratio(math.Abs(mean[0]-mean[1]), math.Sqrt(squares[0]/f.total[0])+math.Sqrt(squares[1]/f.total[1]))
}

func (f *column) difference() float64 {
	sum := f.sums()
	return math.Abs(sum[0]/f.total[0] - sum[1]/f.total[1])
}

func (f *column) chi2() (chi2 float64) {
	sum := f.sums()
	for s := range sum {
		expected := float64((sum[0] + sum[1]) * (f.total[s] / (f.total[0] + f.total[1])))
		chi2 += ratio(float64((sum[s]-expected)*(sum[s]-expected)), expected)
	}
	return chi2
}

func (f *column) information() (nats float64) {
	n := f.total[0] + f.total[1]
	var with [2]float64
	for e, v := range f.values {
		if v != 0 {
			with[f.side[e]] += f.weights[e]
		}
	}
	for s := range with {
		for _, cell := range [2][2]float64{
			{with[s], with[0] + with[1]}, {f.total[s] - with[s], n - with[0] - with[1]},
		} {
			if cell[0] > 0 && cell[1] > 0 {
				nats += float64(cell[0] / n * elementary.Log(cell[0]*n/(cell[1]*f.total[s])))
			}
		}
	}
	return max(0, nats)
}

func (f *column) auroc() float64 {
	zeros := f.total
	for e := range f.values {
		zeros[f.side[e]] -= f.weights[e]
	}
	below, pairs := 0.0, 0.0 // the weight of the other side passed, and the pairs in which the class is above
	tied := func(group [2]float64) {
		pairs += float64(group[0] * (below + float64(group[1]/2)))
		below += group[1]
	}
	zero := false // whether the records without an entry have been passed
	for e := 0; e < len(f.values); {
		var group [2]float64
		value := f.values[e]
		if value >= 0 && !zero {
			if zero = true; value > 0 {
				tied(zeros)
			} else {
				group = zeros
			}
		}
		for ; e < len(f.values) && f.values[e] == value; e++ {
			group[f.side[e]] += f.weights[e]
		}
		tied(group)
	}
	if !zero {
		tied(zeros)
	}
	return math.Abs(pairs/(f.total[0]*f.total[1]) - 0.5)
}
