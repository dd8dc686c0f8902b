package metrics

import (
	"fmt"
	"math"
)

// Scalars are the metrics of a Report that are single numbers, NaN where
// undefined. The methods of Confusion, AUROC and AUPRC define them.
type Scalars struct {
	Accuracy         Float `json:"accuracy"`
	BalancedAccuracy Float `json:"balanced_accuracy"`
	AUROC            Float `json:"auroc"`
	AUPRC            Float `json:"auprc"`
	F1Macro          Float `json:"f1_macro"`
	F1Micro          Float `json:"f1_micro"`
	MCC              Float `json:"mcc"`
}

// scalarNames are the JSON names of the fields of Scalars, in order.
var scalarNames = [...]string{"accuracy", "balanced_accuracy", "auroc", "auprc", "f1_macro", "f1_micro", "mcc"}

// fields points to the metrics in the order of scalarNames, so that a loop can
// treat them alike.
func (s *Scalars) fields() [len(scalarNames)]*Float {
	return [...]*Float{&s.Accuracy, &s.BalancedAccuracy, &s.AUROC, &s.AUPRC, &s.F1Macro, &s.F1Micro, &s.MCC}
}

// ScalarNames returns the names of the metrics of Scalars as JSON has them, in
// the order in which they are listed there.
func ScalarNames() []string { return append([]string(nil), scalarNames[:]...) }

// Names returns ScalarNames.
func (s Scalars) Names() []string { return ScalarNames() }

// Values returns the metrics in the order of ScalarNames.
func (s Scalars) Values() []float64 {
	fields := s.fields()
	return valuesOf(fields[:])
}

// Report is everything measured on one set of predictions. Its JSON form is the
// object that `seqsvm evaluate --format json` prints: n, the metrics of Scalars,
// classes, confusion (rows true, columns predicted, in the order of classes).
type Report struct {
	N int `json:"n"` // records
	Scalars
	Classes   []string  `json:"classes"`
	Confusion Confusion `json:"confusion"`
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
		Scalars: Scalars{
			Accuracy:         Float(confusion.Accuracy()),
			BalancedAccuracy: Float(confusion.BalancedAccuracy()),
			AUROC:            Float(auroc),
			AUPRC:            Float(auprc),
			F1Macro:          Float(confusion.F1Macro()),
			F1Micro:          Float(confusion.F1Micro()),
			MCC:              Float(confusion.MCC()),
		},
		Classes:   append([]string{}, classes...),
		Confusion: confusion,
	}, nil
}

// checkClasses wants distinct names and, with two of them, a positive one.
func checkClasses(classes []string, positive int) error {
	if len(classes) == 2 && (positive < 0 || positive > 1) {
		return fmt.Errorf("metrics: positive class %d of two, want 0 or 1", positive)
	}
	seen := make(map[string]bool, len(classes))
	for _, name := range classes {
		if seen[name] {
			return fmt.Errorf("metrics: class %q is named twice, want distinct classes", name)
		}
		seen[name] = true
	}
	return nil
}

// areas are AUROC and AUPRC as Evaluate describes them. The classes of truth are
// known to be in range.
func areas(classes int, truth []int, scores [][]float64, positive int) (auroc, auprc float64, err error) {
	if scores == nil {
		return math.NaN(), math.NaN(), nil
	}
	if classes == 2 {
		return areasOfTwo(truth, scores, positive)
	}
	if len(scores) != classes {
		return 0, 0, fmt.Errorf("metrics: %d rows of scores for %d classes, want one per class", len(scores), classes)
	}
	rocs, prcs := make([]float64, classes), make([]float64, classes)
	for c, row := range scores {
		if rocs[c], prcs[c], err = areasOf(c, truth, row); err != nil {
			return 0, 0, fmt.Errorf("metrics: class %d: %w", c, err)
		}
	}
	return meanDefined(rocs), meanDefined(prcs), nil
}

// areasOfTwo are the areas for two classes, from the only or the positive row.
func areasOfTwo(truth []int, scores [][]float64, positive int) (auroc, auprc float64, err error) {
	if len(scores) != 1 && len(scores) != 2 {
		return 0, 0, fmt.Errorf("metrics: %d rows of scores for two classes, want 1 or 2", len(scores))
	}
	row := scores[0]
	if len(scores) == 2 {
		row = scores[positive]
	}
	if auroc, auprc, err = areasOf(positive, truth, row); err != nil {
		return 0, 0, fmt.Errorf("metrics: %w", err)
	}
	return auroc, auprc, nil
}

// areasOf are AUROC and AUPRC of one class against all others.
func areasOf(class int, truth []int, scores []float64) (auroc, auprc float64, err error) {
	positive := make([]bool, len(truth))
	for i, t := range truth {
		positive[i] = t == class
	}
	groups, err := tieGroups(scores, positive)
	if err != nil {
		return 0, 0, err
	}
	return rocArea(groups), averagePrecision(groups), nil
}
