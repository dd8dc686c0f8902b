package online

import "math"

// rule answers the loss of record t, 1-based, with a decay and then a step of a size: see the package comment. norm
// returns |d|²·(k(x, x) + β²).
type rule func(t int, loss float64, norm func() float64) (size, decay float64)

// perceptron adds every record that it gets wrong. Its loss is that of the margin, 1 or more of a wrong record.
func perceptron(Options) rule {
	return func(_ int, loss float64, _ func() float64) (size, decay float64) {
		if loss >= 1 {
			return 1, 1
		}
		return 0, 1
	}
}

// passiveAggressive takes the smallest step after which the record has no loss, but none greater than C: PA-I.
func passiveAggressive(o Options) rule {
	return func(_ int, loss float64, norm func() float64) (size, decay float64) {
		if loss == 0 {
			return 0, 1
		}
		return min(o.C, loss/norm()), 1
	}
}

// norma is a step of stochastic gradient descent on the loss and λ/2·|w|².
func norma(o Options) rule {
	return func(t int, loss float64, _ func() float64) (size, decay float64) {
		rate := rateOf(t)
		if loss > 0 {
			size = rate
		}
		return size, 1 - float64(rate*o.Lambda)
	}
}

// rateOf returns η_t.
func rateOf(t int) float64 { return 1 / math.Sqrt(float64(t)) }
