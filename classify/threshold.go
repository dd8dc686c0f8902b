package classify

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/classify/svm"
)

// The values of [Trainer].Threshold besides numbers: what the decision value above which a record is of the positive
// class of two is chosen by, on records left out in training. Those are the records of all folds of a cross-validation,
// as of Probability; TP and FP of them are above the threshold, of P positive and N negative ones.
//
// A threshold lies in the middle between two decision values, or 1 below the least. Of several that are equally good
// it is the one nearest to 0. What a criterion promises holds for records of the same shares of the classes.
const (
	// ThresholdYouden makes TP/P − FP/N greatest (Youden 1950, doi:10.1002/1097-0142(1950)3:1<32::AID-CNCR2820030106>
	// 3.0.CO;2-3), which is the balanced accuracy: the shares of the classes do not matter. It is 0 where no threshold
	// is better than chance.
	ThresholdYouden = "youden"
	// ThresholdF1 makes 2 TP/(TP + FP + P) greatest, the F1 of the positive class: see [FitThreshold].
	ThresholdF1 = "f1"
	// ThresholdFDR, followed by a rate as in fdr=0.05, makes TP greatest, and then FP least, where a record above the
	// threshold is expected to be false with at most that rate: (FP + 1)/(TP + FP + 1) is at most the rate. The one
	// that is added is the next record; without it the choice of the threshold would make the rate too small. If there
	// is no such threshold, as of few records, no record is of the positive class: the threshold is math.MaxFloat64.
	ThresholdFDR = "fdr="
)

// criterion chooses a threshold by records left out.
type criterion func(leftOut) float64

// readThreshold reads a value of [Trainer].Threshold: a number, for which no criterion is needed, or a criterion.
func readThreshold(text string) (fixed float64, chosen criterion, err error) {
	rate, isRate := strings.CutPrefix(text, ThresholdFDR)
	switch {
	case text == "":
		return 0, nil, nil
	case text == ThresholdYouden:
		return 0, youdenThreshold, nil
	case text == ThresholdF1:
		return 0, func(m leftOut) float64 { return FitThreshold(m.decisions, m.y) }, nil
	case isRate:
		q, err := strconv.ParseFloat(rate, 64)
		if err != nil || !(q > 0 && q < 1) {
			return 0, nil, svm.CheckOption(false, "Threshold", text, "a rate between 0 and 1, as in %s0.05", ThresholdFDR)
		}
		return 0, func(m leftOut) float64 { return fdrThreshold(m, q) }, nil
	}
	if fixed, err = parseNumber(text, -mostTarget, mostTarget); err != nil {
		err = svm.CheckOption(false, "Threshold", text, "%s, %s, %sRATE or a number", ThresholdYouden, ThresholdF1,
			ThresholdFDR)
	}
	return fixed, nil, err
}

// checkThreshold returns an error about a threshold that the trainer cannot give records with such labels.
func (t Trainer) checkThreshold(l Labelling) error {
	_, _, err := readThreshold(t.Threshold)
	return cmp.Or(err, svm.CheckOption(t.Threshold == "" || l == TwoClasses, "Threshold", t.Threshold,
		"none: it is for two classes"))
}

// checkCriterion returns an error unless a threshold has the criterion that it was chosen by.
func (d *Rule) checkCriterion(l Labelling) error {
	if l != TwoClasses {
		if d.Criterion != "" {
			return fmt.Errorf("classify: criterion %.80q of a threshold for %s", d.Criterion, d.Scheme)
		}
		return nil
	}
	if _, _, err := readThreshold(d.Criterion); err != nil {
		return fmt.Errorf("classify: criterion of the threshold: %w", err)
	}
	if d.Criterion == "" && d.Machines[0].Threshold != 0 {
		return fmt.Errorf("classify: threshold %v without a criterion", d.Machines[0].Threshold)
	}
	return nil
}

// Unreachable reports whether no record can be of the positive class of two, because no threshold met its criterion.
func (d *Rule) Unreachable() bool { return d.Criterion != "" && d.Machines[0].Threshold == neverGiven }

// youdenThreshold makes the sum of the shares of right decisions greatest.
func youdenThreshold(m leftOut) float64 {
	positives, negatives := sides(m.y)
	return m.best(0, func(right, wrong int) float64 { // times P N: integers are exact
		return float64(float64(right)*float64(negatives)) - float64(float64(wrong)*float64(positives))
	})
}

// fdrThreshold gives as many records as the rate allows.
func fdrThreshold(m leftOut, rate float64) float64 {
	n := float64(len(m.y) + 1)
	return m.best(neverGiven, func(right, wrong int) float64 {
		if float64(wrong+1) > rate*float64(right+wrong+1) {
			return -1
		}
		return float64(float64(right)*n) - float64(wrong)
	})
}

// FitThreshold returns the decision value above which a label is best given: that of the greatest F1 over records left
// out in training, y = +1 for those with the label (SCut, Yang 2001, doi:10.1145/383952.383975). It lies in the middle
// between two decision values, or 1 below the least; of several the one nearest to 0. Without a record of either side
// it is 0. O(n log n).
func FitThreshold(decisions, y []float64) float64 {
	m := leftOut{decisions, y}
	positives, negatives := sides(y)
	if positives == 0 || negatives == 0 {
		return 0
	}
	return m.best(0, func(right, wrong int) float64 { return 2 * float64(right) / float64(right+wrong+positives) })
}

// sides counts the records of either side.
func sides(y []float64) (positives, negatives int) {
	for _, v := range y {
		if v > 0 {
			positives++
		}
	}
	return positives, len(y) - positives
}

// best returns the threshold of the greatest value of the numbers of positive and negative records above it, if any is
// greater than 0: in the middle between two decision values, or 1 below the least, the nearest to 0 of several. Else it
// is other. O(n log n).
func (m leftOut) best(other float64, value func(right, wrong int) float64) float64 {
	order := make([]int, len(m.y))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(m.decisions[j], m.decisions[i]) })
	greatest, threshold, right := 0.0, other, 0
	for k, i := range order {
		if m.y[i] > 0 {
			right++
		}
		if k+1 < len(order) && m.decisions[order[k+1]] == m.decisions[i] {
			continue
		}
		at := m.below(order, k)
		v := value(right, k+1-right)
		if v > greatest || v == greatest && v > 0 && math.Abs(at) < math.Abs(threshold) {
			greatest, threshold = v, at
		}
	}
	return threshold
}

// below returns a threshold below the decision value of the k-th record in order, from 0, which is less than the one
// before it, and not below the next.
func (m leftOut) below(order []int, k int) float64 {
	here := m.decisions[order[k]]
	if k+1 == len(order) {
		return min(here-1, math.Nextafter(here, math.Inf(-1)))
	}
	next := m.decisions[order[k+1]]
	if middle := float64(here/2) + float64(next/2); middle < here {
		return middle
	}
	return next // neighbours in float64
}
