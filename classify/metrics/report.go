package metrics

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Scalars are metrics that are single numbers, in a fixed order, NaN where undefined.
type Scalars struct {
	Names  []string // as in JSON
	Values []Float

	levels int // how many of the last are accuracies of the levels of a hierarchy
}

// NewScalars returns metrics with the names that a data set gives them ([Scalars.Split] finds the levels of a
// hierarchy).
func NewScalars(names []string, values []Float) Scalars {
	s := Scalars{Names: names, Values: values}
	for level := 0; slices.Contains(names, LevelName(level)); level++ {
		s.levels++
	}
	return s
}

// ClassMetrics returns the names of the metrics of records with one class each, in order. The methods of Confusion,
// AUROC and AUPRC define them.
func ClassMetrics() []string {
	return []string{"accuracy", "balanced_accuracy", "auroc", "auprc", "f1_macro", "f1_micro", "mcc"}
}

// IsLoss reports whether the metric with this name is better the smaller it is.
func IsLoss(name string) bool {
	return slices.Contains([]string{"hamming_loss", "log_loss", "brier", "reliability", "rmse", "mae", "pinball"}, name)
}

// Value returns the metric with this name, NaN if there is none.
func (s Scalars) Value(name string) float64 {
	if i := slices.Index(s.Names, name); i >= 0 {
		return float64(s.Values[i])
	}
	return math.NaN()
}

// add appends a metric. It does not write to slices that other Scalars share.
func (s *Scalars) add(name string, value float64) {
	s.Names, s.Values = append(slices.Clip(s.Names), name), append(slices.Clip(s.Values), Float(value))
}

// Split separates the accuracies of the levels of a hierarchy from the other metrics.
func (s Scalars) Split() (whole, levels Scalars) {
	at := len(s.Names) - s.levels
	return Scalars{Names: s.Names[:at], Values: s.Values[:at]}, Scalars{Names: s.Names[at:], Values: s.Values[at:]}
}

// empty returns metrics of the same names, with values yet to be filled in.
func (s Scalars) empty() Scalars {
	return Scalars{Names: s.Names, Values: make([]Float, len(s.Names)), levels: s.levels}
}

// MarshalJSON writes an object of the metrics by name; the accuracies of levels are an array, accuracy_by_level.
func (s Scalars) MarshalJSON() ([]byte, error) {
	var o object
	whole, levels := s.Split()
	o.metrics(whole)
	if s.levels > 0 {
		o.member("accuracy_by_level", levels.Values)
	}
	return o.close()
}

// Report is everything measured on one set of predictions, of records with one class or with several labels each, or
// with a number.
type Report struct {
	N int // records
	Scalars
	Positive  string        // of two classes the one that scores above 0 speak for, if it is to be said
	Classes   []string      // of records with one class each, else nil
	Confusion Confusion     // in the order of Classes
	Labels    []LabelCounts // per class, of records with several labels each
	Interval  *Interval     // of the metrics, if it is known
	// of the figures of each class, in the order of Classes or Labels, nil if they are not known
	ClassIntervals []ClassInterval
	Regions        *Regions // of predictions with a confidence, else nil
}

// Interval holds the ends of intervals of metrics: see [Replicates.Intervals].
type Interval struct {
	Lower Scalars `json:"lower"`
	Upper Scalars `json:"upper"`
}

// MarshalJSON writes the object that `seqsvm evaluate --format json` prints: n, positive, the metrics of Scalars,
// classes, and confusion (rows true, columns predicted, in the order of classes) and per_class or, of several labels
// per record, the metrics of each class. Predicted numbers have neither. lower and upper are the ends of the intervals,
// of each class too.
func (r Report) MarshalJSON() ([]byte, error) {
	var o object
	whole, levels := r.Split()
	o.member("n", r.N)
	if r.Positive != "" {
		o.member("positive", r.Positive)
	}
	o.metrics(whole)
	switch {
	case r.Labels != nil:
		o.member("classes", r.LabelFigures())
	case r.Classes != nil:
		o.member("classes", r.Classes)
		o.member("confusion", r.Confusion)
		o.member("per_class", r.PerClass())
	}
	if r.Regions != nil {
		o.member("regions", r.Regions)
	}
	if r.levels > 0 {
		o.member("accuracy_by_level", levels.Values)
	}
	if r.Interval != nil {
		o.member("lower", r.Interval.Lower)
		o.member("upper", r.Interval.Upper)
	}
	return o.close()
}

// object is a JSON object in the making. Its members keep their order, and text is not escaped for HTML.
type object struct {
	text bytes.Buffer
	err  error
}

func (o *object) member(name string, value any) {
	before := byte(',')
	if o.text.Len() == 0 {
		before = '{'
	}
	o.text.WriteByte(before)
	fmt.Fprintf(&o.text, "%q:", name)
	e := json.NewEncoder(&o.text)
	e.SetEscapeHTML(false)
	o.err = errors.Join(o.err, e.Encode(value))
}

func (o *object) metrics(s Scalars) {
	for m, name := range s.Names {
		o.member(name, s.Values[m])
	}
}

func (o *object) close() ([]byte, error) {
	if o.text.Len() == 0 {
		o.text.WriteByte('{')
	}
	o.text.WriteByte('}')
	return o.text.Bytes(), o.err
}

// Evaluate compares predicted classes and scores with the truth. Entries of truth
// and predicted are indices into classes, one per record.
//
// scores is laid out [class][record], higher speaking for the class, and decides
// AUROC and AUPRC:
//
//   - nil leaves both NaN;
//   - with two classes, one row holds the scores of classes[positive]; of two rows,
//     row positive is used;
//   - with one class or more than two, one row per class gives the one-vs-rest
//     values of each, and their mean with equal weights over the classes for which
//     they are defined. positive is not used.
//
// Unequal lengths, indices out of range, NaN scores, repeated class names and
// other numbers of rows are errors. O(n log n) per class, 16 bytes per record.
func Evaluate(classes []string, truth, predicted []int, scores [][]float64, positive int) (Report, error) {
	if err := checkClasses(classes, positive); err != nil {
		return Report{}, err
	}
	confusion, err := NewConfusion(len(classes), truth, predicted)
	if err != nil {
		return Report{}, err
	}
	auroc, auprc, err := areas(len(classes), truth, scores, positive)
	if err != nil {
		return Report{}, err
	}
	return Report{
		N: len(truth),
		Scalars: Scalars{Names: ClassMetrics(), Values: []Float{
			Float(confusion.Accuracy()), Float(confusion.BalancedAccuracy()), Float(auroc), Float(auprc),
			Float(confusion.F1Macro()), Float(confusion.F1Micro()), Float(confusion.MCC()),
		}},
		Classes:   append([]string{}, classes...),
		Confusion: confusion,
	}, nil
}

// ProbabilityMetrics returns the names of the metrics of AddProbabilities, in order.
func ProbabilityMetrics() []string { return []string{"log_loss", "brier", "reliability"} }

// AddProbabilities adds the metrics log_loss, brier and reliability of probabilities, laid out [class][record], to a
// report on records whose classes are truth: see [LogLoss], [Brier] and [Reliability].
func (r *Report) AddProbabilities(probability [][]float64, truth []int) error {
	loss, err := LogLoss(probability, truth)
	if err != nil {
		return err
	}
	brier, err := Brier(probability, truth)
	if err != nil {
		return err
	}
	reliability, err := Reliability(probability, truth)
	for i, value := range []float64{loss, brier, reliability} {
		r.add(ProbabilityMetrics()[i], value)
	}
	return err
}

// AddLevels adds the metrics accuracy_level_1, accuracy_level_2, … of [LevelAccuracies] to a report on records whose
// classes are paths in a hierarchy. Nothing can be added after them.
func (r *Report) AddLevels(separator string, truth, predicted []int) error {
	levels, err := LevelAccuracies(r.Classes, separator, truth, predicted)
	for level, accuracy := range levels {
		r.add(LevelName(level), float64(accuracy))
	}
	r.levels = len(levels)
	return err
}

// checkClasses wants distinct names and, with two of them, a positive one.
func checkClasses(classes []string, positive int) error {
	if len(classes) == 2 && (positive < 0 || positive > 1) {
		return fmt.Errorf("metrics: positive class %d of two, want 0 or 1", positive)
	}
	seen := make(map[string]bool, len(classes))
	for _, name := range classes {
		if seen[name] {
			return fmt.Errorf("metrics: duplicate class %.80q", name)
		}
		seen[name] = true
	}
	return nil
}

// areas are AUROC and AUPRC as Evaluate describes them. The classes of truth are known to be in range.
func areas(classes int, truth []int, scores [][]float64, positive int) (auroc, auprc float64, err error) {
	first := 0 // class of the first row
	switch rows := len(scores); {
	case scores == nil:
		return math.NaN(), math.NaN(), nil
	case classes == 2 && rows != 1 && rows != 2:
		return 0, 0, fmt.Errorf("metrics: %d rows of scores for two classes, want 1 or 2", rows)
	case classes == 2:
		first, scores = positive, [][]float64{scores[min(positive, rows-1)]}
	case rows != classes:
		return 0, 0, fmt.Errorf("metrics: %d rows of scores for %d classes, want one per class", rows, classes)
	}
	rocs, prcs := make([]float64, len(scores)), make([]float64, len(scores))
	positives := make([]bool, len(truth))
	for c, row := range scores {
		for i, t := range truth {
			positives[i] = t == first+c
		}
		if err := checkScores(row, len(truth)); err != nil {
			return 0, 0, fmt.Errorf("metrics: class %d: %w", first+c, err)
		}
		rocs[c], prcs[c] = areasOf(tieGroups(row, positives))
	}
	return meanDefined(rocs), meanDefined(prcs), nil
}
