package metrics

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// LabelMetrics returns the names of the metrics of records with several labels each, in order. With TP, FP and FN the
// pairs of record and class that are right, too many and missing:
//
//	f1_micro          2 TP/(2 TP + FP + FN) over all classes
//	f1_macro          the mean of the classes' F1, those without a true or predicted record left out
//	precision_micro   TP/(TP + FP), recall_micro TP/(TP + FN)
//	breakeven_micro   precision = recall of the pairs of greatest score, as many as there are true ones (Joachims 1998)
//	breakeven_macro   the mean of that over the classes with a true record, each on its own
//	hamming_loss      (FP + FN)/(records · classes)
//	subset_accuracy   the share of records with exactly the right labels
func LabelMetrics() []string {
	return []string{
		"f1_micro", "f1_macro", "precision_micro", "recall_micro", "breakeven_micro", "breakeven_macro", "hamming_loss",
		"subset_accuracy",
	}
}

// LabelCounts are the metrics of one class against the rest, NaN where undefined.
type LabelCounts struct {
	Class string `json:"class"`
	N     int    `json:"n"` // records with the label
	Ratios
	BreakEven Float `json:"breakeven"`

	both, predicted int
}

// EvaluateLabels compares sets of labels with the truth. Entries of truth and predicted hold indices into classes, each
// once, one list per record; scores is laid out [class][record], higher speaking for the class, and decides the
// break-even points; nil leaves them NaN. Other shapes, indices out of range and NaN scores are errors.
// O(records · classes · log).
func EvaluateLabels(classes []string, truth, predicted [][]int, scores [][]float64) (Report, error) {
	n, k := len(truth), len(classes)
	if n == 0 || len(predicted) != n {
		return Report{}, fmt.Errorf("metrics: %d predictions for %d records, want one per record and at least "+
			"one record",
			len(predicted), n)
	}
	if scores != nil && len(scores) != k {
		return Report{}, fmt.Errorf("metrics: scores of %d classes, want %d", len(scores), k)
	}
	for c, row := range scores {
		if err := checkScores(row, n); err != nil {
			return Report{}, fmt.Errorf("metrics: class %d: %w", c, err)
		}
	}
	counts, exact := make([]LabelCounts, k), 0
	for c, name := range classes {
		counts[c].Class = name
	}
	for i := range truth {
		if err := count(counts, truth[i], predicted[i]); err != nil {
			return Report{}, fmt.Errorf("metrics: record %d: %w", i, err)
		}
		if sameSet(truth[i], predicted[i]) {
			exact++
		}
	}
	all, f1 := total(counts)
	micro, macro := breakEven(counts, truth, scores)
	return Report{N: n, Labels: counts, Scalars: Scalars{Names: LabelMetrics(), Values: []Float{
		all.F1, Float(f1), all.Precision, all.Recall, Float(micro), Float(macro),
		Float(float64(all.N+all.predicted-2*all.both) / (float64(n) * float64(k))), Float(float64(exact) / float64(n)),
	}}}, nil
}

// count adds one record to the counts of the classes.
func count(counts []LabelCounts, truth, predicted []int) error {
	for _, list := range [][]int{truth, predicted} {
		for at, c := range list {
			if c < 0 || c >= len(counts) {
				return fmt.Errorf("class index %d, want 0 to %d", c, len(counts)-1)
			}
			if slices.Contains(list[:at], c) {
				return fmt.Errorf("duplicate class index %d", c)
			}
		}
	}
	for _, c := range truth {
		counts[c].N++
		if slices.Contains(predicted, c) {
			counts[c].both++
		}
	}
	for _, c := range predicted {
		counts[c].predicted++
	}
	return nil
}

func sameSet(a, b []int) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(c int) bool { return !slices.Contains(b, c) })
}

// total fills in the ratios of every class. It returns those of all pairs of record and class, and the mean F1.
func total(counts []LabelCounts) (all LabelCounts, f1 float64) {
	var defined []float64
	for c := range counts {
		one := &counts[c]
		one.ratios()
		if one.F1.Defined() {
			defined = append(defined, float64(one.F1))
		}
		all.N, all.both, all.predicted = all.N+one.N, all.both+one.both, all.predicted+one.predicted
	}
	all.ratios()
	return all, stat.Mean(defined, nil)
}

// ratios fills in precision, recall and F1; 0/0 is NaN.
func (c *LabelCounts) ratios() {
	both := float64(c.both)
	c.Precision = Float(both / float64(c.predicted))
	c.Recall = Float(both / float64(c.N))
	c.F1 = Float(2 * both / float64(c.predicted+c.N))
}

// breakEven fills in the break-even point of every class. It returns that of all pairs of record and class, and the
// mean over the classes.
func breakEven(counts []LabelCounts, truth [][]int, scores [][]float64) (micro, macro float64) {
	var scoresOfAll, points []float64
	var truthOfAll []bool
	for c := range counts {
		counts[c].BreakEven = Float(math.NaN())
		if scores == nil {
			continue
		}
		has := make([]bool, len(truth))
		for i, set := range truth {
			has[i] = slices.Contains(set, c)
		}
		scoresOfAll, truthOfAll = append(scoresOfAll, scores[c]...), append(truthOfAll, has...)
		if counts[c].N > 0 {
			point := precisionAtTruth(scores[c], has)
			counts[c].BreakEven = Float(point)
			points = append(points, point)
		}
	}
	return precisionAtTruth(scoresOfAll, truthOfAll), stat.Mean(points, nil) // 0/0, NaN, without scores
}

// precisionAtTruth returns the share of true pairs of record and class among the P of greatest score, where P of them
// are true: there precision and recall are equal. Of pairs with equal scores across that place, the share that fits in
// counts. NaN for P = 0.
func precisionAtTruth(scores []float64, truth []bool) float64 {
	groups, total := tieGroups(scores, truth), int64(0)
	for g := range groups {
		total += g.positives
	}
	found, at := 0.0, int64(0)
	for g := range groups {
		size := g.positives + g.negatives
		found += float64(g.positives) * float64(max(0, min(at+size, total)-at)) / float64(size)
		at += size
	}
	return found / float64(total)
}
