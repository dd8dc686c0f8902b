// Package threshold chooses decision values above which a record is of the positive class, or a label is given, from
// the decision values of records left out in training.
package threshold

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/subset"
)

// The values of [classify.Trainer].Threshold besides numbers: what the decision value above which a record is of the
// positive class of two is chosen by, on records left out in training. Those are the records of all folds of a
// cross-validation, as of Probability; TP and FP of them are above the threshold, of P positive and N negative ones.
//
// A threshold lies in the middle between two decision values, or 1 below the least. Of several that are equally good
// it is the one nearest to 0. What a criterion promises holds for records of the same shares of the classes.
const (
	// ThresholdYouden makes TP/P − FP/N greatest (Youden 1950, doi:10.1002/1097-0142(1950)3:1<32::AID-CNCR2820030106>
	// 3.0.CO;2-3), which is the balanced accuracy: the shares of the classes do not matter. It is 0 where no threshold
	// is better than chance.
	Youden = "youden"
	// ThresholdF1 makes 2 TP/(TP + FP + P) greatest, the F1 of the positive class: see [Fit].
	F1 = "f1"
	// MCC makes the MCC greatest that is expected where a record is positive with the probability that a sigmoid of its
	// decision value ([FitSigmoid]) gives it. That varies less from records to records than what counts of them say.
	MCC = "mcc"
	// Accuracy makes the share of right decisions greatest, where a threshold chosen so on parts of the records is right
	// more often on the others than 0 is; else it is 0.
	Accuracy = "accuracy"
	// ThresholdFDR, followed by a rate as in fdr=0.05, makes TP greatest, and then FP least, where a record above the
	// threshold is expected to be false with at most that rate: (FP + 1)/(TP + FP + 1) is at most the rate. The one
	// that is added is the next record; without it the choice of the threshold would make the rate too small. If there
	// is no such threshold, as of few records, no record is of the positive class: the threshold is math.MaxFloat64.
	FDR = "fdr="
)

// Criterion chooses a threshold by records left out.
type Criterion func(LeftOut) float64

// Parse reads a value of [classify.Trainer].Threshold: a number, for which no criterion is needed, or a criterion.
func Parse(text string) (fixed float64, chosen Criterion, err error) {
	rate, isRate := strings.CutPrefix(text, FDR)
	switch {
	case text == "":
		return 0, nil, nil
	case text == Youden:
		return 0, youdenThreshold, nil
	case text == F1:
		return 0, func(m LeftOut) float64 { return Fit(m.Decisions, m.Y) }, nil
	case text == MCC:
		return 0, mccThreshold, nil
	case text == Accuracy:
		return 0, accuracyThreshold, nil
	case isRate:
		q, err := strconv.ParseFloat(rate, 64)
		if err != nil || !(q > 0 && q < 1) {
			return 0, nil, svm.CheckOption(false, "Threshold", text, "a rate between 0 and 1, as in %s0.05", FDR)
		}
		return 0, func(m LeftOut) float64 { return fdrThreshold(m, q) }, nil
	}
	if fixed, err = dataset.ParseNumber(text, -dataset.MostTarget, dataset.MostTarget); err != nil {
		err = svm.CheckOption(false, "Threshold", text, "%s, %s, %s, %s, %sRATE or a number", Youden, F1,
			MCC, Accuracy, FDR)
	}
	return fixed, nil, err
}

// For returns the criterion that suits a metric by which models are chosen, if one does. It is MCC for areas under
// curves, which say nothing of a threshold.
func For(metric string) string {
	switch metric {
	case "auroc", "auprc", "f1_macro", "mcc":
		return MCC
	case "balanced_accuracy":
		return Youden
	case "accuracy", "f1_micro":
		return Accuracy
	}
	return ""
}

// mccThreshold makes the expected MCC greatest; 0 if greater decision values do not speak for the positive class.
func mccThreshold(m LeftOut) float64 {
	sigmoid, err := FitSigmoid(m.Decisions, m.Y)
	if positives, negatives := sides(m.Y); err != nil || positives == 0 || negatives == 0 || sigmoid.A >= 0 {
		return 0
	}
	right := []float64{0} // the number expected among so many of the greatest decision values
	for _, f := range slices.Backward(slices.Sorted(slices.Values(m.Decisions))) {
		right = append(right, right[len(right)-1]+sigmoid.Probability(f))
	}
	n := len(m.Y)
	positives := right[n]
	negatives := float64(n) - positives
	return m.best(0, func(tp, fp int) float64 {
		above := tp + fp
		if above == n {
			return 0
		}
		wrong := float64(above) - right[above]
		covariance := float64(right[above]*negatives) - float64(wrong*positives)
		return covariance / math.Sqrt(float64(above)*float64(n-above)*positives*negatives)
	})
}

// accuracyThreshold makes the number of right decisions greatest, or is 0.
func accuracyThreshold(m LeftOut) float64 {
	fit := func(m LeftOut) float64 {
		return m.best(0, func(right, wrong int) float64 { return float64(right - wrong) })
	}
	tries := tried(m, candidates[0], fit)
	if tries[1].wrong+tries[1].missed < tries[0].wrong+tries[0].missed {
		return fit(m)
	}
	return 0
}

// youdenThreshold makes the sum of the shares of right decisions greatest.
func youdenThreshold(m LeftOut) float64 {
	positives, negatives := sides(m.Y)
	return m.best(0, func(right, wrong int) float64 { // times P N: integers are exact
		return float64(float64(right)*float64(negatives)) - float64(float64(wrong)*float64(positives))
	})
}

// fdrThreshold gives as many records as the rate allows.
func fdrThreshold(m LeftOut, rate float64) float64 {
	n := float64(len(m.Y) + 1)
	return m.best(Never, func(right, wrong int) float64 {
		if float64(wrong+1) > rate*float64(right+wrong+1) {
			return -1
		}
		return float64(float64(right)*n) - float64(wrong)
	})
}

// Fit returns the decision value above which a label is best given: that of the greatest F1 over records left
// out in training, y = +1 for those with the label (SCut, Yang 2001, doi:10.1145/383952.383975). It lies in the middle
// between two decision values, or 1 below the least; of several the one nearest to 0. Without a record of either side
// it is 0. O(n log n).
func Fit(decisions, y []float64) float64 {
	m := LeftOut{decisions, y}
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
func (m LeftOut) best(other float64, value func(right, wrong int) float64) float64 {
	order := subset.Whole(len(m.Y))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(m.Decisions[j], m.Decisions[i]) })
	greatest, threshold, right := 0.0, other, 0
	for k, i := range order {
		if m.Y[i] > 0 {
			right++
		}
		if k+1 < len(order) && m.Decisions[order[k+1]] == m.Decisions[i] {
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
func (m LeftOut) below(order []int, k int) float64 {
	here := m.Decisions[order[k]]
	if k+1 == len(order) {
		return min(here-1, math.Nextafter(here, math.Inf(-1)))
	}
	next := m.Decisions[order[k+1]]
	if middle := float64(here/2) + float64(next/2); middle < here {
		return middle
	}
	return next // neighbours in float64
}
