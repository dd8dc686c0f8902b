package online

import "math"

// rule answers a record with a step: see the package comment.
type rule interface {
	// step returns the size of the step for the loss of record t, 1-based, and the decay before it. norm returns
	// |d|²·(k(x, x) + β²).
	step(t int, loss float64, norm func() float64) (size, decay float64)
	// rate returns η_t, 0 of a rule without one.
	rate(t int) float64
}

// perceptron adds every record that it gets wrong. Its loss is that of the margin, 1 or more of a wrong record.
type perceptron struct{}

func (perceptron) step(_ int, loss float64, _ func() float64) (size, decay float64) {
	if loss >= 1 {
		return 1, 1
	}
	return 0, 1
}

func (perceptron) rate(int) float64 { return 0 }

// passiveAggressive takes the smallest step after which the record has no loss, but none greater than c: PA-I.
type passiveAggressive struct{ c float64 }

func (r passiveAggressive) step(_ int, loss float64, norm func() float64) (size, decay float64) {
	if loss == 0 {
		return 0, 1
	}
	return min(r.c, loss/norm()), 1
}

func (passiveAggressive) rate(int) float64 { return 0 }

// norma is a step of stochastic gradient descent on the loss and λ/2·|w|².
type norma struct{ eta, lambda float64 }

func (r norma) step(t int, loss float64, _ func() float64) (size, decay float64) {
	rate := r.rate(t)
	if loss > 0 {
		size = rate
	}
	return size, 1 - float64(rate*r.lambda)
}

func (r norma) rate(t int) float64 { return r.eta / math.Sqrt(float64(t)) }
