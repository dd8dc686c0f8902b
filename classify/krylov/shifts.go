package krylov

import (
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// SolveShifts solves (A + σ_k I) x_k = b for every shift σ_k ≥ 0 from one sequence of products with A: the Krylov
// spaces of all shifts are the same, and the residuals of their conjugate gradients are parallel to those of the least
// shift, by factors that follow from its recurrence (Jegerlehner 1996). It takes about the products that the least
// shift alone would, and 16 bytes per record and shift. A solution whose fresh residual misses Tol is improved by
// [CG.Solve].
func (c CG) SolveShifts(ctx context.Context, a Operator, b []float64, shifts []float64) ([][]float64, Result, error) {
	c = c.withDefaults(a.Len())
	c.Met = nil
	x := scratch.Vectors(len(shifts), a.Len())
	result, err := c.iterateShifts(ctx, a, x, b, shifts)
	if err != nil {
		return nil, result, err
	}
	for k, sigma := range shifts {
		one, err := c.Solve(ctx, Shifted{a, sigma}, x[k:k+1], [][]float64{b})
		if err != nil {
			return nil, result, err
		}
		result.Residuals = append(result.Residuals, one.Residuals[0])
		result.Relative = max(result.Relative, one.Relative)
		result.Iterations += one.Iterations
		result.Products += one.Products
	}
	return x, result, nil
}

// shifted is the state of a shift beside the system of the least one.
type shifted struct {
	x, p         []float64
	more         float64 // by which the shift exceeds the least one
	zeta, before float64 // residual of this shift over that of the least one, now and a step ago
}

// iterateShifts runs the recurrence of the least shift, with those of the others beside it.
func (c CG) iterateShifts(ctx context.Context, a Operator, x [][]float64, b, shifts []float64) (Result, error) {
	least := slices.Min(shifts)
	var running []*shifted
	for k, sigma := range shifts {
		running = append(running, &shifted{x: x[k], p: slices.Clone(b), more: sigma - least, zeta: 1, before: 1})
	}
	base := newSystem(0, make([]float64, len(b)), b)
	copy(base.r, b)
	copy(base.p, b)
	base.square = vectors.Dot(b, b)
	alpha, beta := 1.0, 0.0 // step length and share of the old direction, a step ago
	var result Result
	for base.square > 0 && len(running) > 0 && result.Iterations < c.MaxIterations {
		if err := Multiply(ctx, Shifted{a, least}, [][]float64{base.q}, [][]float64{base.p}); err != nil {
			return result, err
		}
		result.Iterations++
		result.Products++
		curvature := vectors.Dot(base.p, base.q)
		if !(curvature > 0) {
			break
		}
		step := base.square / curvature
		vectors.AddScaled(base.r, -step, base.q)
		square := vectors.Dot(base.r, base.r)
		share := square / base.square
		base.residual = vectors.Norm(base.r)
		var rest []*shifted
		for _, s := range running {
			s.advance(step, alpha, beta, share, base.r)
			if s.zeta*base.residual > 0.9*c.Tol*base.norm {
				rest = append(rest, s)
			}
		}
		running = rest
		vectors.Scale(base.p, share)
		vectors.AddScaled(base.p, 1, base.r)
		base.square, alpha, beta = square, step, share
		if c.Progress != nil {
			c.Progress(result.Iterations, base.residual/base.norm)
		}
	}
	return result, nil
}

// advance makes the step of a shift that corresponds to a step of the least one, whose new residual is r: alpha and
// beta are the step and the share before.
func (s *shifted) advance(step, alpha, beta, share float64, r []float64) {
	slowed := float64(s.before * alpha * (1 + float64(step*s.more)))
	zeta := s.zeta * s.before * alpha / (slowed + float64(step*beta*(s.before-s.zeta)))
	ratio := zeta / s.zeta
	vectors.AddScaled(s.x, step*ratio, s.p)
	vectors.Scale(s.p, share*ratio*ratio)
	vectors.AddScaled(s.p, zeta, r)
	s.before, s.zeta = s.zeta, zeta
}
