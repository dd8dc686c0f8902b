package svm

import (
	"cmp"
	"fmt"
	"math"
)

// checkStart returns an error unless beta is a feasible point: coefficients within their bounds that sum to Sum, both
// up to rounding.
func (p *instance) checkStart(beta []float64) error {
	if len(beta) != len(p.Weights) {
		return fmt.Errorf("svm: Start has %d coefficients for %d records, want one per record", len(beta),
			len(p.Weights))
	}
	sum, size := 0.0, 0.0
	for i, b := range beta {
		lo, hi := p.box(i)
		if slack := float64(1e-9 * p.cost(i)); !(b >= lo-slack && b <= hi+slack) {
			return fmt.Errorf("svm: Start[%d] = %v, want a signed coefficient between %v and %v", i, b, lo, hi)
		}
		sum += b
		size += math.Abs(b)
	}
	if !p.NoBias && math.Abs(sum-p.Sum) > 1e-9*size {
		return fmt.Errorf("svm: Start sums to %v, want %v", sum, p.Sum)
	}
	return nil
}

// Repair makes coefficients, such as those that a solution of more records has for the rows of p, feasible as a Start:
// it moves them into their bounds and then to Sum, those of records on their margins if they have the room. O(n).
func (p Problem) Repair(beta []float64) {
	p.Costs = Costs{cmp.Or(p.Costs.Positive, 1), cmp.Or(p.Costs.Negative, 1)}
	lo, hi := make([]float64, len(beta)), make([]float64, len(beta))
	for i, b := range beta {
		lo[i], hi[i] = p.box(i)
		beta[i] = min(hi[i], max(lo[i], b))
	}
	if !p.NoBias {
		balance(beta, lo, hi, p.Sum)
	}
}

// balance moves coefficients within their bounds to Σ beta = total, which the bounds allow: the ones off their bounds
// if they have the room, else all, each in proportion to its room; where there is no bound it moves those of the
// greater side towards 0. At the optimum, where the free records lie on their margins, moving them costs the objective
// nothing to first order.
func balance(beta, lo, hi []float64, total float64) {
	for range 4 { // once but for rounding
		sum, size := -total, 0.0
		for _, b := range beta {
			sum += b
			size += math.Abs(b)
		}
		if math.Abs(sum) <= 1e-16*size {
			return
		}
		end := lo // where the coefficients are to go
		if sum < 0 {
			end = hi
		}
		free, all := 0.0, 0.0
		for i, b := range beta {
			room := math.Abs(end[i] - b)
			if math.IsInf(room, 1) {
				continue
			}
			all += room
			if b > lo[i] && b < hi[i] {
				free += room
			}
		}
		freeOnly := free > math.Abs(sum)
		if !freeOnly {
			free = all
		}
		share := min(1, math.Abs(sum)/free)
		for i, b := range beta {
			if movable := !freeOnly || b > lo[i] && b < hi[i]; movable && !math.IsInf(end[i], 0) {
				beta[i] = min(hi[i], max(lo[i], b+float64(share*(end[i]-b))))
			}
		}
	}
}
