package threshold

import (
	"slices"

	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/elementary"
)

// Sigmoid maps a decision value f to the probability of the positive class, 1 / (1 + exp(A f + B)). A is negative
// where greater decision values speak for the positive class.
type Sigmoid struct {
	A float64 `json:"a"`
	B float64 `json:"b"`
}

// Probability returns 1 / (1 + exp(A f + B)), without overflow.
func (s Sigmoid) Probability(f float64) float64 {
	t := float64(s.A*f) + s.B
	if t >= 0 {
		e := elementary.Exp(-t)
		return e / (1 + e)
	}
	return 1 / (1 + elementary.Exp(t))
}

// Half returns the decision value with the probability 1/2, which only a sigmoid with A ≠ 0 has.
func (s Sigmoid) Half() float64 { return -s.B / s.A }

// FitSigmoid fits a sigmoid to decision values and labels ±1 (Platt 2000): it minimises the cross-entropy with the
// targets (n₊+1)/(n₊+2) and 1/(n₋+2), which regularise as a uniform prior does, by Newton's method with backtracking
// (Lin, Lin & Weng 2007, doi:10.1007/s10994-007-5018-6). The decision values should come from records the machine was
// not trained on. O(n) per step, at most 100 steps and usually fewer than ten.
func FitSigmoid(decisions, y []float64) (Sigmoid, error) {
	if len(decisions) != len(y) {
		return Sigmoid{}, fmt.Errorf("classify: %d labels for %d decision values, want one per value", len(y),
			len(decisions))
	}
	if i := slices.IndexFunc(decisions, func(f float64) bool { return f-f != 0 }); i >= 0 {
		return Sigmoid{}, fmt.Errorf("classify: decision value %d is %v, want a finite number", i, decisions[i])
	}
	fit, err := newSigmoidFit(decisions, y)
	if err != nil {
		return Sigmoid{}, err
	}
	return fit.newton(), nil
}

// sigmoidFit is the data of the likelihood. Decision values are divided by scale, so that the Hessian is conditioned
// whatever their unit.
type sigmoidFit struct {
	f, target []float64
	scale     float64
	start     Sigmoid
	small     []float64 // exp(−|A f + B|) of the sigmoid whose loss was computed last
}

func newSigmoidFit(decisions, y []float64) (*sigmoidFit, error) {
	positives, negatives, scale := 0.0, 0.0, 0.0
	for i, v := range y {
		switch v {
		case 1:
			positives++
		case -1:
			negatives++
		default:
			return nil, fmt.Errorf("classify: y[%d] = %v, want +1 or -1", i, v)
		}
		scale = max(scale, math.Abs(decisions[i]))
	}
	if scale == 0 {
		scale = 1
	}
	fit := &sigmoidFit{
		f: make([]float64, len(y)), target: make([]float64, len(y)), scale: scale,
		start: Sigmoid{0, elementary.Log((negatives + 1) / (positives + 1))}, small: make([]float64, len(y)),
	}
	for i, v := range y {
		fit.f[i] = decisions[i] / scale
		if v > 0 {
			fit.target[i] = (positives + 1) / (positives + 2)
		} else {
			fit.target[i] = 1 / (negatives + 2)
		}
	}
	return fit, nil
}

// newton minimises from the prior's sigmoid on. The ridge keeps the Hessian invertible where all decision values are
// equal. Where the loss is too coarse to tell steps apart, Newton's is the last.
func (fit *sigmoidFit) newton() Sigmoid {
	const (
		steps         = 100
		ridge         = 1e-12
		smallestStep  = 1e-10
		smallGradient = 1e-10 // per record
		coarse        = 1e-12 // of the loss
	)
	s := fit.start
	loss := fit.loss(s)
	for range steps {
		gradA, gradB, hAA, hAB, hBB := fit.derivatives(s)
		if math.Abs(gradA)+math.Abs(gradB) < smallGradient*float64(len(fit.f)) {
			break
		}
		hAA, hBB = hAA+ridge, hBB+ridge
		det := float64(hAA*hBB) - float64(hAB*hAB)
		if !(det > 0) {
			break
		}
		dA := -(float64(hBB*gradA) - float64(hAB*gradB)) / det
		dB := -(float64(hAA*gradB) - float64(hAB*gradA)) / det
		fall := float64(gradA*dA) + float64(gradB*dB)
		if -fall < coarse*loss {
			s = Sigmoid{s.A + dA, s.B + dB}
			break
		}
		step := 1.0
		for ; step >= smallestStep; step /= 2 {
			next := Sigmoid{s.A + float64(step*dA), s.B + float64(step*dB)}
			if nextLoss := fit.loss(next); nextLoss < loss+float64(1e-4*step*fall) {
				s, loss = next, nextLoss
				break
			}
		}
		if step < smallestStep {
			break
		}
	}
	return Sigmoid{s.A / fit.scale, s.B}
}

// loss is the cross-entropy −Σ t log p + (1−t) log(1−p), written so that nothing overflows or cancels. The logarithms
// of sums, which are of numbers from 1 to 2, are those of products.
func (fit *sigmoidFit) loss(s Sigmoid) float64 {
	const factors = 512 // their product is a float64
	sum, product := 0.0, 1.0
	for i, f := range fit.f {
		v := float64(s.A*f) + s.B
		if v >= 0 {
			sum += float64(fit.target[i] * v)
		} else {
			sum += float64((fit.target[i] - 1) * v)
		}
		fit.small[i] = elementary.Exp(-math.Abs(v))
		if product *= 1 + fit.small[i]; i%factors == factors-1 {
			sum, product = sum+elementary.Log(product), 1
		}
	}
	return sum + elementary.Log(product)
}

// derivatives returns the gradient and Hessian of the loss at the sigmoid whose loss was computed last.
func (fit *sigmoidFit) derivatives(s Sigmoid) (gradA, gradB, hAA, hAB, hBB float64) {
	for i, f := range fit.f {
		small, p := fit.small[i], 1.0
		if float64(s.A*f)+s.B >= 0 {
			p = small
		}
		p /= 1 + small
		first, second := fit.target[i]-p, float64(p*(1-p))
		gradA += float64(f * first)
		gradB += first
		hAA += float64(float64(f*f) * second)
		hAB += float64(f * second)
		hBB += second
	}
	return
}
