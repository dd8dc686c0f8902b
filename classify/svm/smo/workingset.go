package smo

import (
	"context"
	"math"
)

// selectPair returns the pair to optimise next and the violation: i has the greatest e among the records whose beta may
// grow; j promises the greatest decrease (e_i − e_j)² / (K_ii + K_jj − 2K_ij) among those whose beta may shrink and
// whose e is less. Without such records the violation is −Inf.
func (r *run) selectPair(ctx context.Context) (i, j int, violation float64, err error) {
	i, j = -1, -1
	greatest, least := math.Inf(-1), math.Inf(1)
	for _, t := range r.active {
		e := r.e[t]
		if r.beta[t] < r.hi[t] && e > greatest {
			greatest, i = e, int(t)
		}
		if r.beta[t] > r.lo[t] && e < least {
			least = e
		}
	}
	if i < 0 || math.IsInf(least, 1) || greatest <= least {
		return i, j, math.Inf(-1), nil
	}
	row, err := r.cache.get(ctx, i)
	if err != nil {
		return 0, 0, 0, err
	}
	best := math.Inf(-1)
	diagI := r.diag[i]
	for _, t := range r.active {
		difference := greatest - r.e[t]
		if difference <= 0 || r.beta[t] <= r.lo[t] {
			continue
		}
		curvature := diagI + r.diag[t] - float64(2*row[t])
		if curvature <= 0 {
			curvature = tinyCurvature
		}
		if decrease := difference * difference / curvature; decrease > best {
			best, j = decrease, int(t)
		}
	}
	return i, j, greatest - least, nil
}

// shrink drops from the working set the records at a bound that no pair would choose as things stand: beta cannot grow
// and e exceeds every e that could be paired with it from above, or the mirror image.
func (r *run) shrink() {
	greatest, least := math.Inf(-1), math.Inf(1)
	for _, t := range r.active {
		if r.beta[t] < r.hi[t] {
			greatest = max(greatest, r.e[t])
		}
		if r.beta[t] > r.lo[t] {
			least = min(least, r.e[t])
		}
	}
	kept := r.active[:0]
	for _, t := range r.active {
		stuckHigh := r.beta[t] >= r.hi[t] && r.e[t] > greatest
		stuckLow := r.beta[t] <= r.lo[t] && r.e[t] < least
		if !stuckHigh && !stuckLow {
			kept = append(kept, t)
		}
	}
	r.active = kept
}
