package metrics

import (
	"fmt"
	"math"
	"slices"
)

// DeLong compares the areas under the ROC curves of two scores of the same records.
type DeLong struct {
	A, B       float64 // AUROC of either
	VarA, VarB float64 // their variances
	Cov        float64 // and covariance
}

// NewDeLong computes the areas and, by DeLong, DeLong & Clarke-Pearson (1988, doi:10.2307/2531595), their variances and
// covariance from one set of records to another:
//
//	V_i = mean over the negatives j of ψ(s_i, s_j)     of a positive i, with ψ = 1, ½ or 0 as s_i >, = or < s_j
//	W_j = mean over the positives i of ψ(s_i, s_j)     of a negative j
//	cov = cov(V^a, V^b)/P + cov(W^a, W^b)/N
//
// over P positives and N negatives, with sample covariances. Each is a rank (Sun & Xu 2014,
// doi:10.1109/LSP.2014.2337313), so that it takes O(n log n). Without two records of either side all but the areas is
// NaN. Slices of unequal length and NaN scores are errors.
func NewDeLong(a, b []float64, positive []bool) (DeLong, error) {
	for _, scores := range [][]float64{a, b} {
		if err := checkScores(scores, len(positive)); err != nil {
			return DeLong{}, fmt.Errorf("metrics: DeLong: %w", err)
		}
	}
	va, wa := placements(a, positive)
	vb, wb := placements(b, positive)
	cov := func(v1, v2, w1, w2 []float64) float64 {
		return covariance(v1, v2)/float64(len(v1)) + covariance(w1, w2)/float64(len(w1))
	}
	areaA, _ := areasOf(tieGroups(a, positive))
	areaB, _ := areasOf(tieGroups(b, positive))
	return DeLong{areaA, areaB, cov(va, va, wa, wa), cov(vb, vb, wb, wb), cov(va, vb, wa, wb)}, nil
}

// placements returns the share of the negatives that each positive outscores, and of the positives that outscore each
// negative, equal scores counting half.
func placements(scores []float64, positive []bool) (above, below []float64) {
	var sides [2][]float64 // scores of negatives and positives
	for i, s := range scores {
		sides[side(positive[i])] = append(sides[side(positive[i])], s)
	}
	sorted := [2][]float64{slices.Sorted(slices.Values(sides[0])), slices.Sorted(slices.Values(sides[1]))}
	for _, s := range sides[1] {
		above = append(above, shareBelow(sorted[0], s))
	}
	for _, s := range sides[0] {
		below = append(below, 1-shareBelow(sorted[1], s))
	}
	return above, below
}

func side(positive bool) int {
	if positive {
		return 1
	}
	return 0
}

// shareBelow returns the share of sorted values below x, those equal to it counting half.
func shareBelow(sorted []float64, x float64) float64 {
	first, _ := slices.BinarySearch(sorted, x)
	next, _ := slices.BinarySearch(sorted[first:], math.Nextafter(x, math.Inf(1)))
	return (float64(first) + float64(float64(next)/2)) / float64(len(sorted))
}

// Difference returns A − B.
func (d DeLong) Difference() float64 { return d.A - d.B }

// SD returns the standard deviation of the difference.
func (d DeLong) SD() float64 { return math.Sqrt(max(0, d.VarA+d.VarB-float64(2*d.Cov))) }

// Interval95 returns the ends of the 95 % normal interval of the difference.
func (d DeLong) Interval95() (lower, upper float64) {
	half := float64(Normal95 * d.SD())
	return d.Difference() - half, d.Difference() + half
}

// P returns the two-sided p-value of no difference by the normal distribution, 1 where neither the difference nor its
// deviation is more than 0.
func (d DeLong) P() float64 {
	if d.SD() == 0 && d.Difference() == 0 {
		return 1
	}
	return TwoSided(d.Difference() / d.SD())
}

// covariance is the sample covariance of values in pairs, NaN of fewer than two.
func covariance(a, b []float64) float64 {
	a, b = centred(a), centred(b)
	var sum float64
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum / float64(len(a)-1)
}
