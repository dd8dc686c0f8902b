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

	scale float64 // of the entries of T
}

// Tridiagonalise makes the given number of steps of Lanczos from a random start, or as many as the space has
// dimensions, with full reorthogonalisation: a product a step, O(nm²) operations and O(nm) memory. Where the space
// turns out to be invariant, it goes on at another random vector orthogonal to it, and Off is 0 there: with enough
// steps it finds all eigenvectors of A but those of the eigenvalue 0, of any multiplicity. The error is that of ctx or
// about a product that is not finite.
func Tridiagonalise(ctx context.Context, a Operator, steps int, seed uint64) (*Tridiagonal, error) {
	rng := rand.New(rand.NewPCG(seed, 0x4c616e637a6f73))
	t := &Tridiagonal{}
	for t.Rest == 0 && len(t.Q) < min(steps, a.Len()) {
		before := len(t.Q)
		if err := t.extend(ctx, a, randomUnit(rng, a.Len(), t.Q), steps); err != nil {
			return nil, err
		}
		if before > 0 && len(t.Q) == before+1 && math.Abs(t.Diag[before]) <= negligibleNorm*t.scale {
			break // A is 0 on what is left
		}
	}
	return t, nil
}

// extend makes steps from a unit vector that is orthogonal to Q.
func (t *Tridiagonal) extend(ctx context.Context, a Operator, q []float64, steps int) error {
	if len(t.Q) > 0 {
		t.Off = append(t.Off, 0)
	}
	for {
		t.Q = append(t.Q, q)
		next := make([]float64, len(q))
		if err := Multiply(ctx, a, [][]float64{next}, [][]float64{q}); err != nil {
			return err
		}
		along := orthogonalise(next, t.Q)
		t.Diag = append(t.Diag, along[len(along)-1])
		norm := vectors.Norm(next)
		t.scale = max(t.scale, norm, along[len(along)-1])
		if norm <= negligibleNorm*t.scale || len(t.Q) == len(q) {
			return nil
		}
		if len(t.Q) >= steps {
			t.Rest = norm
			return nil
		}
		t.Off = append(t.Off, norm)
		vectors.Scale(next, 1/norm)
		q = next
	}
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
