package dual

import (
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/classify/svm"
)

// Origin returns the feasible coefficients to start from: zeros, or Sum in proportion to the bounds of its sign.
func (p *Program) Origin() []float64 {
	beta := make([]float64, len(p.Weights))
	if p.Sum == 0 {
		return beta
	}
	total := 0.0
	for i := range beta {
		if lo, hi := p.Box(i); p.Sum > 0 {
			beta[i] = hi
		} else {
			beta[i] = lo
		}
		total += beta[i]
	}
	for i := range beta {
		beta[i] = float64(beta[i] * (p.Sum / total))
	}
	return beta
}

// CheckStart returns an error unless beta is a feasible point: coefficients within their bounds that sum to Sum, both
// up to rounding.
func (p *Program) CheckStart(beta []float64) error {
	if len(beta) != len(p.Weights) {
		return fmt.Errorf("svm: Start has %d coefficients for %d records, want one per record", len(beta),
			len(p.Weights))
	}
	sum, size := 0.0, 0.0
	for i, b := range beta {
		lo, hi := p.Box(i)
		if slack := float64(1e-9 * p.Cost(i)); !(b >= lo-slack && b <= hi+slack) {
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
func Repair(p svm.Problem, beta []float64) {
	p.Costs = defaults(p.Costs)
	of := Program{Problem: p}
	for i, b := range beta {
		lo, hi := of.Box(i)
		beta[i] = min(hi, max(lo, b))
	}
	if !p.NoBias {
		of.Balance(beta)
	}
}

// Balance moves coefficients within their bounds to Σ beta = Sum, which the bounds allow: the ones off their bounds
// if they have the room, else all, each in proportion to its room; where there is no bound it moves those of the
// greater side towards 0. At the optimum, where the free records lie on their margins, moving them costs the objective
// nothing to first order.
func (p *Program) Balance(beta []float64) {
	for range 4 { // once but for rounding
		sum, size := -p.Sum, 0.0
		for _, b := range beta {
			sum += b
			size += math.Abs(b)
		}
		if math.Abs(sum) <= 1e-16*size {
			return
		}
		free, all := 0.0, 0.0
		for i, b := range beta {
			lo, hi := p.Box(i)
			room := math.Abs(towards(sum, lo, hi) - b)
			if math.IsInf(room, 1) {
				continue
			}
			all += room
			if b > lo && b < hi {
				free += room
			}
		}
		freeOnly := free > math.Abs(sum)
		if !freeOnly {
			free = all
		}
		share := min(1, math.Abs(sum)/free)
		for i, b := range beta {
			lo, hi := p.Box(i)
			end := towards(sum, lo, hi)
			if movable := !freeOnly || b > lo && b < hi; movable && !math.IsInf(end, 0) {
				beta[i] = min(hi, max(lo, b+float64(share*(end-b))))
			}
		}
	}
}

// towards returns the bound that coefficients go to if they sum to too much or too little.
func towards(excess, lo, hi float64) float64 {
	if excess < 0 {
		return hi
	}
	return lo
}
