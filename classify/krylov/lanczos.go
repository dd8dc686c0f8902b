package krylov

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/seqsvm/seqsvm/internal/vectors"
)

// Tridiagonal is a matrix A seen from the space of v, Av, …, A^(m−1)v with a random v: the columns of Q are an
// orthonormal basis of it, QᵀAQ = T is tridiagonal, and
//
//	A·Q = Q·T + Rest·q·eᵀ   with a unit vector q orthogonal to Q and the last unit vector e.
//
// If Rest is 0, A maps the space to itself.
type Tridiagonal struct {
	Q    [][]float64 // m columns of n entries
	Diag []float64   // of T
	Off  []float64   // the m − 1 entries beside it, not negative
	Rest float64     // ‖(I − QQᵀ)A·Q[m−1]‖, 0 once it is rounding
}

// Tridiagonalise makes the given number of steps of Lanczos from a random start, or as many as the space has
// dimensions, with full reorthogonalisation: a product a step, O(nm²) operations and O(nm) memory. Where the space
// turns out to be invariant, it goes on at another random vector orthogonal to it, and Off is 0 there: with enough
// steps it finds all eigenvectors of A but those of the eigenvalue 0, of any multiplicity. The error is that of ctx or
// about a product that is not finite.
func Tridiagonalise(ctx context.Context, a Operator, steps int, seed uint64) (*Tridiagonal, error) {
	s, t := newSubspace(a, seed), &Tridiagonal{}
	s.fill(1)
	for again := false; len(s.q) < min(steps, a.Len()); {
		if err := s.expand(ctx); err != nil {
			return nil, err
		}
		if len(t.Diag) > 0 {
			t.Off = append(t.Off, t.Rest)
		}
		diagonal := s.h[len(s.q)-1][len(s.q)-1]
		t.Diag, t.Rest = append(t.Diag, diagonal), 0
		if link := s.link[0]; len(link) > 0 {
			t.Rest = link[0]
		}
		if again && t.Rest == 0 && math.Abs(diagonal) <= negligibleNorm*s.scale {
			break // A is 0 on what is left
		}
		again = t.Rest == 0
	}
	t.Q = s.q
	return t, nil
}

// negligibleNorm is the part of a product that rounding may have left of it once it was orthogonalised.
const negligibleNorm = 1e-13

// orthogonalise subtracts from v its components along orthonormal vectors and returns them. It goes twice over the
// vectors, since what rounding leaves the first time is as great as ‖v‖ times its precision.
func orthogonalise(v []float64, basis [][]float64) (along []float64) {
	along = make([]float64, len(basis))
	for range 2 {
		for i, q := range basis {
			c := vectors.Dot(q, v)
			vectors.AddScaled(v, -c, q)
			along[i] += c
		}
	}
	return along
}

// randomUnit returns a random unit vector of n entries that is orthogonal to others.
func randomUnit(rng *rand.Rand, n int, others [][]float64) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(rng.Float64()) - 0.5
	}
	for range 2 { // the first time may leave a small vector, with rounding
		orthogonalise(v, others)
		vectors.Scale(v, 1/vectors.Norm(v))
	}
	return v
}
