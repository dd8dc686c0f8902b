package krylov

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Operator is a symmetric n × n matrix A of which only products are known.
type Operator interface {
	// Len returns n.
	Len() int
	// MulTo writes A·v[m] into dst[m] for every m, n entries each. No dst[m] may overlap another or any v. The bits of
	// a product do not depend on the other vectors of the block.
	MulTo(dst, v [][]float64)
}

// Of returns a Gram matrix as an operator. The vectors of a block are divided among the processors.
func Of(g stringkernel.Gram) Operator { return gram{g} }

type gram struct{ stringkernel.Gram }

func (g gram) MulTo(dst, v [][]float64) {
	parallel.Each(len(v), func(m int) { g.MulVecTo(dst[m], v[m]) })
}

// Shifted is A + Lambda·I.
type Shifted struct {
	A      Operator
	Lambda float64
}

// Len returns n.
func (s Shifted) Len() int { return s.A.Len() }

// MulTo writes (A + λI)·v[m].
func (s Shifted) MulTo(dst, v [][]float64) {
	s.A.MulTo(dst, v)
	for m := range v {
		vectors.AddScaled(dst[m], s.Lambda, v[m])
	}
}

// Scaled is diag(S)·A·diag(S).
type Scaled struct {
	A Operator
	S []float64
}

// Len returns n.
func (s Scaled) Len() int { return s.A.Len() }

// MulTo writes S·A·S·v[m].
func (s Scaled) MulTo(dst, v [][]float64) {
	scaled := scratch.Vectors(len(v), s.Len())
	for m := range v {
		times(scaled[m], s.S, v[m])
	}
	s.A.MulTo(dst, scaled)
	for m := range dst {
		times(dst[m], s.S, dst[m])
	}
}

// Projected is P·A·P with the projection P = I − U·Uᵀ onto the complement of a unit vector U.
type Projected struct {
	A Operator
	U []float64
}

// Centred returns J·A·J with J = I − 11ᵀ/n: of a Gram matrix, that of the features less their mean.
func Centred(a Operator) Projected {
	u := slices.Repeat([]float64{1 / math.Sqrt(float64(a.Len()))}, a.Len())
	return Projected{a, u}
}

// Len returns n.
func (p Projected) Len() int { return p.A.Len() }

// MulTo writes P·A·P·v[m].
func (p Projected) MulTo(dst, v [][]float64) {
	projected := scratch.Vectors(len(v), p.Len())
	for m := range v {
		copy(projected[m], v[m])
		p.Project(projected[m])
	}
	p.A.MulTo(dst, projected)
	for m := range dst {
		p.Project(dst[m])
	}
}

// Project replaces v by P·v, twice: what rounding has left of U the first time goes the second.
func (p Projected) Project(v []float64) {
	for range 2 {
		vectors.AddScaled(v, -vectors.Dot(p.U, v), p.U)
	}
}

// Multiply writes A·v[m] into dst[m] for every m unless ctx is done. The error is that of ctx or about a product that
// is not finite. After the error of ctx the product may still go on in the background, until it is complete: no vector
// must be used again.
func Multiply(ctx context.Context, a Operator, dst, v [][]float64) error {
	if err := cancel.Run(ctx, func() { a.MulTo(dst, v) }); err != nil {
		return err
	}
	for _, product := range dst {
		if i := vectors.FirstNonFinite(product); i >= 0 {
			return fmt.Errorf("krylov: entry %d of a product is %v, want finite values", i, product[i])
		}
	}
	return nil
}

// times writes the products of the entries of a and b.
func times(dst, a, b []float64) {
	for i := range dst {
		dst[i] = float64(a[i] * b[i])
	}
}
