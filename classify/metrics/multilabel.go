package metrics

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// LabelScalars are the metrics of records with several labels each that are single numbers, NaN where undefined. With TP, FP and FN the pairs of record and class that are
// right, too many and missing:
//
//	f1_micro          2 TP/(2 TP + FP + FN) over all classes
//	f1_macro          the mean of the classes' F1, those without a true or predicted record left out
//	precision_micro   TP/(TP + FP), recall_micro TP/(TP + FN)
//	breakeven_micro   precision = recall of the pairs of greatest score, as many as there are true ones (Joachims 1998)
//	breakeven_macro   the mean of that over the classes with a true record, each by itself
//	hamming_loss      (FP + FN)/(records · classes)
//	subset_accuracy   the share of records with exactly the right labels
type LabelScalars struct {
	F1Micro        Float `json:"f1_micro"`
	F1Macro        Float `json:"f1_macro"`
	PrecisionMicro Float `json:"precision_micro"`
	RecallMicro    Float `json:"recall_micro"`
	BreakEvenMicro Float `json:"breakeven_micro"`
	BreakEvenMacro Float `json:"breakeven_macro"`
	HammingLoss    Float `json:"hamming_loss"`
	SubsetAccuracy Float `json:"subset_accuracy"`
}

var labelScalarNames = [...]string{
	"f1_micro", "f1_macro", "precision_micro", "recall_micro", "breakeven_micro", "breakeven_macro", "hamming_loss", "subset_accuracy",
}

func (s *LabelScalars) fields() [len(labelScalarNames)]*Float {
	return [...]*Float{
		&s.F1Micro, &s.F1Macro, &s.PrecisionMicro, &s.RecallMicro, &s.BreakEvenMicro, &s.BreakEvenMacro, &s.HammingLoss, &s.SubsetAccuracy,
	}
}

// IsLoss reports whether less is better of the metric with this name, of all that the package knows: of hamming_loss.
func IsLoss(name string) bool { return name == "hamming_loss" }

// LabelScalarNames returns the names of the metrics of LabelScalars as JSON has them, in order.
func LabelScalarNames() []string { return append([]string(nil), labelScalarNames[:]...) }

// Names returns LabelScalarNames.
func (s LabelScalars) Names() []string { return LabelScalarNames() }

// Values returns the metrics in the order of LabelScalarNames.
func (s LabelScalars) Values() []float64 {
	fields := s.fields()
	return valuesOf(fields[:])
}

// LabelReport is everything measured on predictions of several labels per record.
type LabelReport struct {
	N int `json:"n"` // records
	LabelScalars
	Classes []LabelCounts `json:"classes"`
}

// LabelCounts are the metrics of one class against the rest, NaN where undefined.
type LabelCounts struct {
	Class     string `json:"class"`
	N         int    `json:"n"` // records with the label
	Precision Float  `json:"precision"`
	Recall    Float  `json:"recall"`
	F1        Float  `json:"f1"`
	BreakEven Float  `json:"breakeven"`

	both, predicted int
}

// EvaluateLabels compares sets of labels with the truth. Entries of truth and predicted hold indices into classes, each once, one list per record; scores is laid out
// [class][record], higher speaking for the class, and decides the break-even points; nil leaves them NaN. Other shapes, indices out of range and NaN scores are errors. O(records · classes · log).
func EvaluateLabels(classes []string, truth, predicted [][]int, scores [][]float64) (LabelReport, error) {
	n, k := len(truth), len(classes)
	if n == 0 || len(predicted) != n {
		return LabelReport{}, fmt.Errorf("metrics: predictions for %d of %d records, want as many, and one at least", len(predicted), n)
	}
	if scores != nil && len(scores) != k {
		return LabelReport{}, fmt.Errorf("metrics: scores of %d classes, want %d", len(scores), k)
	}
	for c, row := range scores {
		if len(row) != n {
			return LabelReport{}, fmt.Errorf("metrics: %d scores of class %d, want %d", len(row), c, n)
		}
		if i := slices.IndexFunc(row, math.IsNaN); i >= 0 {
			return LabelReport{}, fmt.Errorf("metrics: score %d of class %d is NaN, want a number", i, c)
		}
	}
	r := LabelReport{N: n, Classes: make([]LabelCounts, k)}
	for c, name := range classes {
		r.Classes[c].Class = name
	}
	exact := 0
	for i := range truth {
		if err := r.count(truth[i], predicted[i]); err != nil {
			return LabelReport{}, fmt.Errorf("metrics: record %d: %w", i, err)
		}
		if sameSet(truth[i], predicted[i]) {
			exact++
		}
	}
	r.SubsetAccuracy = Float(float64(exact) / float64(n))
	r.summarise()
	r.breakEven(truth, scores)
	return r, nil
}

// count adds one record to the counts of the classes.
func (r *LabelReport) count(truth, predicted []int) error {
	for _, list := range [][]int{truth, predicted} {
		for at, c := range list {
			if c < 0 || c >= len(r.Classes) {
				return fmt.Errorf("class index %d, want 0 to %d", c, len(r.Classes)-1)
			}
			if slices.Contains(list[:at], c) {
				return fmt.Errorf("class index %d occurs twice", c)
			}
		}
	}
	for _, c := range truth {
		r.Classes[c].N++
		if slices.Contains(predicted, c) {
			r.Classes[c].both++
		}
	}
	for _, c := range predicted {
		r.Classes[c].predicted++
	}
	return nil
}

func sameSet(a, b []int) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(c int) bool { return !slices.Contains(b, c) })
}

// summarise computes what follows from the counts.
func (r *LabelReport) summarise() {
	var all LabelCounts
	var f1 []float64
	for c := range r.Classes {
		one := &r.Classes[c]
		one.ratios()
		if one.F1.Defined() {
			f1 = append(f1, float64(one.F1))
		}
		all.N, all.both, all.predicted = all.N+one.N, all.both+one.both, all.predicted+one.predicted
	}
	all.ratios()
	r.F1Micro, r.PrecisionMicro, r.RecallMicro = all.F1, all.Precision, all.Recall
	r.F1Macro = Float(stat.Mean(f1, nil))
	r.HammingLoss = Float(float64(all.N+all.predicted-2*all.both) / (float64(r.N) * float64(len(r.Classes))))
}

// ratios fills in precision, recall and F1; 0/0 is NaN.
func (c *LabelCounts) ratios() {
	both := float64(c.both)
	c.Precision = Float(both / float64(c.predicted))
	c.Recall = Float(both / float64(c.N))
	c.F1 = Float(2 * both / float64(c.predicted+c.N))
}

// breakEven fills in the break-even points.
func (r *LabelReport) breakEven(truth [][]int, scores [][]float64) {
	r.BreakEvenMicro = Float(math.NaN())
	var all []ranked
	var points []float64
	for c := range r.Classes {
		r.Classes[c].BreakEven = Float(math.NaN())
		if scores == nil {
			continue
		}
		one := make([]ranked, r.N)
		for i, score := range scores[c] {
			one[i] = ranked{score, slices.Contains(truth[i], c)}
		}
		all = append(all, one...)
		if r.Classes[c].N > 0 {
			r.Classes[c].BreakEven = Float(precisionAtTruth(one))
			points = append(points, float64(r.Classes[c].BreakEven))
		}
	}
	r.BreakEvenMacro = Float(stat.Mean(points, nil))
	if scores != nil {
		r.BreakEvenMicro = Float(precisionAtTruth(all))
	}
}

// ranked is a pair of record and class.
type ranked struct {
	score float64
	truth bool
}

// precisionAtTruth returns the share of true pairs among the P of greatest score, where P of them are true: there precision and recall are the same. Of pairs with equal
// scores across that place, the share that fits in counts. NaN for P = 0.
func precisionAtTruth(pairs []ranked) float64 {
	slices.SortFunc(pairs, func(a, b ranked) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	total := 0
	for _, p := range pairs {
		if p.truth {
			total++
		}
	}
	found := 0.0
	for at := 0; at < total; {
		end, inside := at, 0
		for ; end < len(pairs) && pairs[end].score == pairs[at].score; end++ {
			if pairs[end].truth {
				inside++
			}
		}
		fits := min(end, total) - at
		found += float64(inside) * float64(fits) / float64(end-at)
		at = end
	}
	return found / float64(total)
}

// LabelMeanSD is [MeanSD] of several labels per record.
func LabelMeanSD(reports []LabelReport) (mean, sd LabelScalars) {
	values := make([][]float64, len(reports))
	for r := range reports {
		values[r] = reports[r].LabelScalars.Values()
	}
	means, sds := mean.fields(), sd.fields()
	summarise(means[:], sds[:], values)
	return mean, sd
}
