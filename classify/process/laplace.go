package process

import (
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/internal/vectors"
)

// laplace approximates the likelihood of labels about the mode of the weights by one of numbers.
type laplace struct {
	*evidence
	loss  binary
	minus [][]float64 // −∂R at the scores last looked at
	value float64     // R
}

// at looks at the scores of some weights, and returns the objective.
func (l *laplace) at(weights []float64) (f []float64, objective float64) {
	f = l.scores(weights)
	l.value = l.loss.look(l.minus, [][]float64{f})
	return f, l.value + l.penalty(weights)
}

// linearise takes the parabola of R at the means into the products of the first columns, and returns the objective.
func (l *laplace) linearise(ctx context.Context, columns int) (objective float64, err error) {
	f, objective := l.at(l.mean)
	curve := slices.Repeat([]float64{1}, len(f))
	l.loss.Curvature(curve, curve)
	for i, g := range l.minus[0] {
		curve[i] = max(curve[i], 1e-10)
		f[i] += g / curve[i]
	}
	return objective, l.weigh(ctx, curve, f, columns)
}

// mode moves the means to where the objective is least, by Newton's method with halved steps.
func (l *laplace) mode(ctx context.Context) error {
	for range 100 {
		before, err := l.linearise(ctx, len(l.alpha))
		if err != nil {
			return err
		}
		step := l.posterior()
		vectors.AddScaled(step, -1, l.mean)
		slope := vectors.Dot(step, l.gradient(l.minus[0]))
		if slope <= 1e-12*before {
			return nil
		}
		next, t := slices.Clone(l.mean), 1.0
		vectors.AddScaled(next, t, step)
		for _, now := l.at(next); now > before && t > 1e-6; _, now = l.at(next) {
			t /= 2
			vectors.AddScaled(next, -t, step)
		}
		l.mean = next
	}
	return nil
}
