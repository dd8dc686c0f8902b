package krylov

import (
	"cmp"
	"context"
	"math"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// CG solves A x = b by conjugate gradients (Hestenes & Stiefel 1952), for a positive semidefinite matrix A whose range
// has b. The zero value is ready to use.
type CG struct {
	Tol           float64 // on ‖b − A x‖ over ‖b‖; zero: 1e-8
	MaxIterations int     // zero: 1000 + 2n
	// Met, if not nil, is what ends the search for system m instead of Tol: it reports whether x is good enough, given
	// its residual r.
	Met func(m int, x, r []float64) bool
	// Progress is called after each block of products, with the greatest relative residual of its systems by the
	// recurrence; may be nil.
	Progress func(iterations int, residual float64)
}

// Result says how close the solutions of linear systems are.
type Result struct {
	Residuals  []float64 // ‖b − A x‖ of each system, from a fresh product
	Relative   float64   // the greatest of them over ‖b‖; above Tol if MaxIterations or float64 ended the search
	Iterations int       // blocks of products of the recurrence
	Products   int       // products A·v made
}

// Solve improves x[m] as a solution of A x = b[m] for every m, in one block of products per iteration. x has the points
// to start from, such as zeros. A system that has met Tol leaves the block. Where the recurrence says so and a fresh
// residual does not, it starts again from there, as long as the residual at least halves. The error is that of ctx or
// about a product that is not finite; x then has the last iterates.
func (c CG) Solve(ctx context.Context, a Operator, x, b [][]float64) (Result, error) {
	c = c.withDefaults(a.Len())
	systems := make([]*system, len(b))
	for m := range b {
		systems[m] = newSystem(m, x[m], b[m])
	}
	var result Result
	for open := systems; ; {
		if err := result.refresh(ctx, a, open); err != nil {
			return result, err
		}
		var again []*system
		for _, s := range open {
			if !c.met(s, 1) && s.residual <= s.before/2 {
				again = append(again, s)
			}
			s.before = s.residual
		}
		if open = again; len(open) == 0 || result.Iterations >= c.MaxIterations {
			return result.of(systems), nil
		}
		if err := c.iterate(ctx, a, open, &result); err != nil {
			return result, err
		}
	}
}

func (c CG) withDefaults(n int) CG {
	c.Tol = cmp.Or(c.Tol, 1e-8)
	c.MaxIterations = cmp.Or(c.MaxIterations, 1000+2*n)
	return c
}

// iterate runs the recurrences of the systems from their residuals r until each says that it has met Tol.
func (c CG) iterate(ctx context.Context, a Operator, running []*system, result *Result) error {
	for _, s := range running {
		copy(s.p, s.r)
		s.square = vectors.Dot(s.r, s.r)
	}
	for len(running) > 0 && result.Iterations < c.MaxIterations {
		if err := multiplyEach(ctx, a, running, func(s *system) (dst, v []float64) { return s.q, s.p }); err != nil {
			return err
		}
		result.Iterations++
		result.Products += len(running)
		greatest := 0.0
		var rest []*system
		for _, s := range running {
			if c.step(s) {
				rest = append(rest, s)
			}
			greatest = max(greatest, s.residual/s.norm)
		}
		running = rest
		if c.Progress != nil {
			c.Progress(result.Iterations, greatest)
		}
	}
	return nil
}

// step takes the product q = A·p into x and r, and finds the next direction. It returns false if r is small enough or
// the matrix has no positive curvature left along p, within rounding.
func (c CG) step(s *system) bool {
	curvature := vectors.Dot(s.p, s.q)
	if !(curvature > 0) {
		return false
	}
	along := s.square / curvature
	vectors.AddScaled(s.x, along, s.p)
	vectors.AddScaled(s.r, -along, s.q)
	s.residual = vectors.Norm(s.r)
	if c.met(s, 0.9) { // which leaves rounding its part
		return false
	}
	square := vectors.Dot(s.r, s.r)
	vectors.Scale(s.p, square/s.square)
	vectors.AddScaled(s.p, 1, s.r)
	s.square = square
	return true
}

// met reports whether a system needs no further iterations.
func (c CG) met(s *system, part float64) bool {
	if c.Met != nil {
		return c.Met(s.index, s.x, s.r)
	}
	return s.residual <= c.Tol*part*s.norm
}

// system is one right-hand side of a block, and its state.
type system struct {
	index         int
	b, x, r, p, q []float64
	norm          float64 // ‖b‖
	square        float64 // ‖r‖² of the present direction
	residual      float64 // ‖r‖
	before        float64 // ‖r‖ of the last fresh product, +Inf before the first
}

func newSystem(index int, x, b []float64) *system {
	scratch := scratch.Vectors(3, len(b))
	s := &system{
		index: index, b: b, x: x, r: scratch[0], p: scratch[1], q: scratch[2],
		norm: vectors.Norm(b), before: math.Inf(1),
	}
	if s.norm == 0 {
		clear(x)
	}
	return s
}

// refresh computes the residuals of systems by fresh products.
func (r *Result) refresh(ctx context.Context, a Operator, systems []*system) error {
	if err := multiplyEach(ctx, a, systems, func(s *system) (dst, v []float64) { return s.q, s.x }); err != nil {
		return err
	}
	r.Products += len(systems)
	for _, s := range systems {
		copy(s.r, s.b)
		vectors.AddScaled(s.r, -1, s.q)
		s.residual = vectors.Norm(s.r)
	}
	return nil
}

// of fills in the residuals, which must be fresh.
func (r Result) of(systems []*system) Result {
	for _, s := range systems {
		r.Residuals = append(r.Residuals, s.residual)
		if s.residual > 0 {
			r.Relative = max(r.Relative, s.residual/s.norm)
		}
	}
	return r
}

// multiplyEach makes a block of products, one for each system.
func multiplyEach(
	ctx context.Context, a Operator, systems []*system, vectorsOf func(s *system) (dst, v []float64),
) error {
	dst, v := make([][]float64, len(systems)), make([][]float64, len(systems))
	for m, s := range systems {
		dst[m], v[m] = vectorsOf(s)
	}
	return Multiply(ctx, a, dst, v)
}
