package compose

import (
	"context"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// HalfSelf returns a scorer of f_m(x) + ½k(x, x): half the squared distance of φ(x) from the centre −Σ_i
// coef[m][i]·φ(x_i), but for what x does not change. Each score takes a value k(x, x) more. It has no
// [stringkernel.Explainer] and no list of features: k(x, x) is quadratic in them.
func HalfSelf(k stringkernel.Kernel, s stringkernel.Scorer) stringkernel.Scorer {
	return halfSelf{&selfScorer{s, k, stringkernel.TraitsOf(s).SelfScoreTo}}
}

type halfSelf struct{ of *selfScorer }

func (s halfSelf) Outputs() int { return s.of.Outputs() }

func (s halfSelf) ScoreTo(dst []float64, x []byte) {
	self := s.of.SelfScoreTo(dst, x)
	for m := range dst {
		dst[m] += float64(self / 2)
	}
}

// Traits are those that do not depend on the scores.
func (s halfSelf) Traits() stringkernel.Traits {
	return stringkernel.Traits{
		WindowLength: stringkernel.WindowLength(s.of.Scorer),
		Prepare: func(ctx context.Context) error {
			if err := stringkernel.Prepare(ctx, s.of.Scorer); err != nil {
				return err
			}
			return stringkernel.Prepare(ctx, s.of.kernel)
		},
	}
}
