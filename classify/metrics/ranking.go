package metrics

import (
	"fmt"
	"iter"
	"math"
	"slices"
)

// AUROC is the area under the receiver operating characteristic: the fraction of (positive, negative) pairs in which
// the positive has the higher score, pairs of equal scores counting half. It is in [0, 1] and NaN if positive holds no
// true or no false. Slices of unequal length and NaN scores are errors. O(n log n).
func AUROC(scores []float64, positive []bool) (float64, error) {
	if err := checkScores(scores, len(positive)); err != nil {
		return math.NaN(), fmt.Errorf("metrics: AUROC: %w", err)
	}
	roc, _ := areasOf(tieGroups(scores, positive))
	return roc, nil
}

// AUPRC is the area under the precision-recall curve as average precision: the mean over the positives of the precision
// at the positive's score, records of equal scores being retrieved together. It is in (0, 1], 1 when all records are
// positive, NaN when none is. Slices of unequal length and NaN scores are errors. O(n log n).
func AUPRC(scores []float64, positive []bool) (float64, error) {
	if err := checkScores(scores, len(positive)); err != nil {
		return math.NaN(), fmt.Errorf("metrics: AUPRC: %w", err)
	}
	_, precision := areasOf(tieGroups(scores, positive))
	return precision, nil
}

// areasOf returns AUROC and AUPRC. It counts pairs twice, so that halves stay integers; that is at most 2·(n/2)², well
// below 2⁶³ for the n the package admits. The average precision adds the precision at each group, once per positive in
// it.
func areasOf(groups iter.Seq[tieGroup]) (roc, averagePrecision float64) {
	var twice, found, seen int64
	var sum float64
	for g := range groups {
		twice += g.negatives * (2*found + g.positives)
		found += g.positives
		seen += g.positives + g.negatives
		sum += float64(float64(g.positives) * ratio(found, seen))
	}
	return ratio(twice, 2*found*(seen-found)), sum / float64(found) // 0/0 is NaN
}

// tieGroup counts the records that share one score.
type tieGroup struct {
	falling              uint64 // the score, as in scored
	positives, negatives int64
}

// scored is a record by its score, as bits that rise as scores fall.
type scored struct {
	falling  uint64
	positive bool
}

// tieGroups sorts the records once and returns a walk over the groups of equal scores, highest score first, which may
// be repeated.
func tieGroups(scores []float64, positive []bool) iter.Seq[tieGroup] {
	records := make([]scored, len(scores))
	for i, s := range scores {
		records[i] = scored{fallingBits(s), positive[i]}
	}
	records = sorted(records)

	return func(yield func(tieGroup) bool) {
		var g tieGroup
		for i, r := range records {
			if r.positive {
				g.positives++
			} else {
				g.negatives++
			}
			if i+1 < len(records) && records[i+1].falling == r.falling {
				continue
			}
			if g.falling = r.falling; !yield(g) {
				return
			}
			g = tieGroup{}
		}
	}
}

// fallingBits returns bits that rise as scores fall, the same for -0 and 0.
func fallingBits(score float64) uint64 { return mirrored(math.Float64bits(score + 0)) }

// mirrored inverts all bits but the sign of a positive number. It is its own inverse.
func mirrored(bits uint64) uint64 {
	if bits>>63 == 0 {
		bits = ^bits &^ (1 << 63)
	}
	return bits
}

// sorted returns the records by falling scores, digit by digit from the last one, without the digits that all records
// share: a bootstrap sorts thousands of samples, and this takes an eighth of the time of comparisons. It overwrites
// what it is given.
func sorted(records []scored) []scored {
	const digit = 8
	var differ uint64
	for _, r := range records {
		differ |= r.falling ^ records[0].falling
	}
	other := make([]scored, len(records))
	for shift := 0; shift < 64; shift += digit {
		if byte(differ>>shift) == 0 {
			continue
		}
		var at [1 << digit]int32
		for _, r := range records {
			at[byte(r.falling>>shift)]++
		}
		var next int32
		for v, n := range at {
			at[v] = next
			next += n
		}
		for _, r := range records {
			v := byte(r.falling >> shift)
			other[at[v]] = r
			at[v]++
		}
		records, other = other, records
	}
	return records
}

// RankScores returns numbers in the order of scores, equal where these are and NaN for NaN, that are sorted fast: a
// [Bootstrap] whose metrics need only the order of the scores measures these instead. O(n log n).
func RankScores(scores []float64) []float64 {
	const first = 1 << 52 // whole numbers from here on differ in their last bits
	distinct := slices.Compact(slices.Sorted(slices.Values(scores)))
	out := make([]float64, len(scores))
	for i, s := range scores {
		rank, _ := slices.BinarySearch(distinct, s)
		if out[i] = float64(first + rank); math.IsNaN(s) {
			out[i] = s
		}
	}
	return out
}

// checkScores wants one score per label and no NaN among them.
func checkScores(scores []float64, labels int) error {
	if err := checkLengths("scores", len(scores), labels); err != nil {
		return err
	}
	if i := slices.IndexFunc(scores, math.IsNaN); i >= 0 {
		return fmt.Errorf("score %d is NaN, want a number", i)
	}
	return nil
}

// checkLengths wants n values of the named kind for as many labels.
func checkLengths(kind string, n, labels int) error {
	if n != labels {
		return fmt.Errorf("%d %s for %d labels, want equal numbers", n, kind, labels)
	}
	if n > maxRecords {
		return fmt.Errorf("%d records, want ≤ %d", n, maxRecords)
	}
	return nil
}

// maxRecords keeps every product of two counts within an int64.
const maxRecords = math.MaxInt32

// ratio is a/b, NaN when b is 0.
func ratio(a, b int64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return float64(a) / float64(b)
}

// meanDefined is the mean of the values that are not NaN, NaN without any.
func meanDefined(values []float64) float64 {
	var sum float64
	var n int64
	for _, v := range values {
		if !math.IsNaN(v) {
			sum += v
			n++
		}
	}
	return sum / float64(n) // 0/0 is NaN
}
