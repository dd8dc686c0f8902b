package risk

import (
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// Logistic is the function of the scores that logistic regression minimises, on labels y_i = ±1,
//
//	R(f) = min over b of Σ_i C_i log(1 + exp(−y_i(f_i + b))):
//
// the decision values f + b are log odds. It is smooth: see Curvature. The bias is sought from where it was
// last, so that its last bits depend on the calls before.
type Logistic struct {
	NoBias bool // b = 0

	y, cost []float64
	total   float64 // Σ C
	bias    float64
	curve   []float64 // C p (1 − p) at the scores of the last plane
	curves  float64   // their sum
}

// NewLogistic returns the risk of records whose label is the sign of their weight, at a cost for each sign times its
// size. Records of one label have no bias, which is an error unless there is to be none.
func NewLogistic(weights []float64, costs Costs, noBias bool) (*Logistic, error) {
	n := len(weights)
	l := &Logistic{NoBias: noBias, y: make([]float64, n), cost: make([]float64, n), curve: make([]float64, n)}
	var sums Costs
	for i, w := range weights {
		c := math.Abs(w)
		l.y[i] = math.Copysign(1, w)
		if w > 0 {
			c = float64(c * costs.Positive)
			sums.Positive += c
		} else {
			c = float64(c * costs.Negative)
			sums.Negative += c
		}
		if !(c > 0 && c <= math.MaxFloat64) {
			return nil, fmt.Errorf("risk: weight of record %d is %v, want a number other than 0", i, w)
		}
		l.cost[i] = c
	}
	if !noBias && (sums.Positive == 0 || sums.Negative == 0) {
		return nil, fmt.Errorf("risk: all labels have the same sign, want at least one of each for a bias")
	}
	l.total = sums.Positive + sums.Negative
	return l, nil
}

// Len returns the number of records.
func (l *Logistic) Len() int { return len(l.y) }

// Bias returns the best b.
func (l *Logistic) Bias(f []float64) float64 {
	if !l.NoBias {
		l.findBias(f)
	}
	return l.bias
}

// Plane is that of a [Risk], and remembers the curvature at f.
func (l *Logistic) Plane(a, f []float64) (value, offset float64) {
	l.Bias(f)
	l.curves = 0
	residue := 0.0
	for i, y := range l.y {
		margin := y * (f[i] + l.bias)
		wrong, right := Odds(margin)
		value += float64(l.cost[i] * Softplus(-margin))
		a[i] = float64(y * l.cost[i] * wrong)
		l.curve[i] = float64(l.cost[i] * wrong * right)
		l.curves += l.curve[i]
		residue += a[i]
	}
	if !l.NoBias && l.curves > 0 { // what rounding leaves of Σ = 0, by the Newton step of b
		vectors.AddScaled(a, -residue/l.curves, l.curve)
	}
	return value, value + vectors.Dot(a, f)
}

// Curvature writes R″(f)·v at the scores of the last plane.
func (l *Logistic) Curvature(dst, v []float64) {
	mean := 0.0
	if !l.NoBias && l.curves > 0 {
		mean = vectors.Dot(l.curve, v) / l.curves
	}
	for i, c := range l.curve {
		dst[i] = c * (v[i] - mean)
	}
}

// findBias moves the bias from where it was to where the derivative of the loss is 0, by Newton's method within the
// interval that the signs of the derivatives have left.
func (l *Logistic) findBias(f []float64) {
	lo, hi, reach := math.Inf(-1), math.Inf(1), 1.0
	for range 200 {
		slope, curve := 0.0, 0.0
		for i, y := range l.y {
			wrong, right := Odds(y * (f[i] + l.bias))
			slope -= float64(y * l.cost[i] * wrong)
			curve += float64(l.cost[i] * wrong * right)
		}
		if math.Abs(slope) <= 1e-15*l.total {
			return
		}
		if slope > 0 {
			hi = l.bias
		} else {
			lo = l.bias
		}
		next := l.bias - max(-reach, min(reach, slope/curve))
		if next <= lo || next >= hi {
			next = (lo + hi) / 2
		}
		if next == l.bias {
			return
		}
		l.bias, reach = next, 2*reach
	}
}

// Odds returns the probabilities 1/(1 + eᵐ) and 1/(1 + e⁻ᵐ) of the wrong and the right class at a margin.
func Odds(margin float64) (wrong, right float64) {
	e := elementary.Exp(-math.Abs(margin))
	small, large := e/(1+e), 1/(1+e)
	if margin >= 0 {
		return small, large
	}
	return large, small
}

// Softplus returns log(1 + eˣ).
func Softplus(x float64) float64 {
	return max(x, 0) + elementary.Log1p(elementary.Exp(-math.Abs(x)))
}
