package metrics

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// CurvePoint is a point of a curve: what holds if records with a score of at least Threshold are called positive.
type CurvePoint struct{ Threshold, X, Y float64 }

// ROC is the receiver operating characteristic: X is the share of the negatives that are called positive, Y that of the
// positives. It begins at (0, 0) with an infinite threshold, has a point for each score, the greatest first (records of
// equal scores are one step), and ends at (1, 1). Its area by trapezia is [AUROC]. Nil if positive holds no true or no
// false. Slices of unequal length and NaN scores are errors. O(n log n).
func ROC(scores []float64, positive []bool) ([]CurvePoint, error) {
	steps, err := countSteps(scores, positive)
	if err != nil {
		return nil, fmt.Errorf("metrics: ROC: %w", err)
	}
	return rocOf(steps), nil
}

func rocOf(steps []tieGroup) []CurvePoint {
	all := last(steps)
	if all.positives == 0 || all.negatives == 0 {
		return nil
	}
	points := append(make([]CurvePoint, 0, len(steps)+1), CurvePoint{Threshold: math.Inf(1)})
	for _, s := range steps {
		points = append(points, CurvePoint{
			s.score(), ratio(s.negatives, all.negatives), ratio(s.positives, all.positives),
		})
	}
	return points
}

// PrecisionRecall is the precision-recall curve: X is the recall, the share of the positives that are called positive,
// Y the precision, the share of those called positive that are. It begins at (0, 1) with an infinite threshold, where
// the precision is a convention, and has a point for each score, the greatest first, up to recall 1 at the share of
// positives. The sum of recall gained times precision over its points is [AUPRC]. Nil if positive holds no true.
// Slices of unequal length and NaN scores are errors. O(n log n).
func PrecisionRecall(scores []float64, positive []bool) ([]CurvePoint, error) {
	steps, err := countSteps(scores, positive)
	if err != nil {
		return nil, fmt.Errorf("metrics: precision-recall: %w", err)
	}
	return precisionRecallOf(steps), nil
}

func precisionRecallOf(steps []tieGroup) []CurvePoint {
	all := last(steps)
	if all.positives == 0 {
		return nil
	}
	points := append(make([]CurvePoint, 0, len(steps)+1), CurvePoint{math.Inf(1), 0, 1})
	for _, s := range steps {
		points = append(points, CurvePoint{
			s.score(), ratio(s.positives, all.positives), ratio(s.positives, s.positives+s.negatives),
		})
	}
	return points
}

func (g tieGroup) score() float64 { return math.Float64frombits(mirrored(g.falling)) }

func last(steps []tieGroup) tieGroup {
	if len(steps) == 0 {
		return tieGroup{}
	}
	return steps[len(steps)-1]
}

// countSteps counts the records of at least each score, the greatest first.
func countSteps(scores []float64, positive []bool) (steps []tieGroup, err error) {
	if err := checkScores(scores, len(positive)); err != nil {
		return nil, err
	}
	var seen tieGroup
	steps = make([]tieGroup, 0, len(scores))
	for g := range tieGroups(scores, positive) {
		seen = tieGroup{g.falling, seen.positives + g.positives, seen.negatives + g.negatives}
		steps = append(steps, seen)
	}
	return steps, nil
}

// Ranking is the order of records by their scores, found once, so that curves of samples of them need no sorting.
type Ranking struct {
	groups   []tieGroup // scores, the greatest first
	group    []int32    // of each record
	positive []bool
}

// NewRanking ranks records. Slices of unequal length and NaN scores are errors. O(n log n).
func NewRanking(scores []float64, positive []bool) (*Ranking, error) {
	steps, err := countSteps(scores, positive)
	if err != nil {
		return nil, fmt.Errorf("metrics: ranking: %w", err)
	}
	r := &Ranking{groups: steps, group: make([]int32, len(scores)), positive: positive}
	for i := range steps {
		steps[i] = tieGroup{falling: steps[i].falling}
	}
	for i, s := range scores {
		at, _ := slices.BinarySearchFunc(steps, fallingBits(s), func(g tieGroup, falling uint64) int {
			return cmp.Compare(g.falling, falling)
		})
		r.group[i] = int32(at)
	}
	return r, nil
}

// Curves returns [ROC] and [PrecisionRecall] of some records, each as often as it is listed. O(records + scores).
func (r *Ranking) Curves(records []int) (roc, precisionRecall []CurvePoint) {
	groups := slices.Clone(r.groups)
	for _, i := range records {
		g := &groups[r.group[i]]
		if r.positive[i] {
			g.positives++
		} else {
			g.negatives++
		}
	}
	steps := groups[:0]
	var seen tieGroup
	for _, g := range groups {
		if g.positives+g.negatives > 0 {
			seen = tieGroup{g.falling, seen.positives + g.positives, seen.negatives + g.negatives}
			steps = append(steps, seen)
		}
	}
	return rocOf(steps), precisionRecallOf(steps)
}

// YAt returns the greatest Y of the points of a curve whose X is at most x, as of a ROC: what share of the positives
// can be had for that share of the negatives. Points have ascending X, the first of which is at most x. O(log n).
func YAt(points []CurvePoint, x float64) float64 {
	after, _ := slices.BinarySearchFunc(points, x, func(p CurvePoint, x float64) int {
		if p.X <= x {
			return -1
		}
		return 1
	})
	return points[after-1].Y
}

// PrecisionAt returns the precision of a precision-recall curve at the greatest threshold whose recall is at least r.
// O(log n).
func PrecisionAt(points []CurvePoint, r float64) float64 {
	at, _ := slices.BinarySearchFunc(points, r, func(p CurvePoint, r float64) int { return cmp.Compare(p.X, r) })
	return points[min(at, len(points)-1)].Y
}

// CalibrationBin is the records whose probabilities are in one of bins of equal width.
type CalibrationBin struct {
	N         int
	Announced float64 // mean of the probabilities
	Happened  float64 // share of the positives
}

// Calibration is a reliability diagram: for each of some bins of equal width that has records, the mean of their
// probabilities to be positive and the share of them that are. A probability on an edge is in the bin above, as with
// [Reliability]. Slices of unequal length, probabilities outside [0, 1] and fewer than one bin are errors. O(n + bins).
func Calibration(probability []float64, positive []bool, bins int) ([]CalibrationBin, error) {
	if err := checkProbabilities(probability, len(positive)); err != nil {
		return nil, fmt.Errorf("metrics: calibration: %w", err)
	}
	if bins < 1 {
		return nil, fmt.Errorf("metrics: calibration: %d bins, want ≥ 1", bins)
	}
	all := make([]CalibrationBin, bins)
	for i, p := range probability {
		b := &all[min(int(p*float64(bins)), bins-1)]
		b.N++
		b.Announced += p
		if positive[i] {
			b.Happened++
		}
	}
	filled := all[:0]
	for _, b := range all {
		if b.N > 0 {
			n := float64(b.N)
			filled = append(filled, CalibrationBin{b.N, b.Announced / n, b.Happened / n})
		}
	}
	return filled, nil
}
