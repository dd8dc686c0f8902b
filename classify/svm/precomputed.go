package svm

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Precomputed is a Gram matrix held in memory, for the caller's own kernel or that of another program. K is N × N, row
// by row, symmetric; it takes 8 N² bytes. It implements stringkernel.Gram; a product costs N reads per non-zero entry
// of the vector.
type Precomputed struct {
	N int
	K []float64
}

// NewPrecomputed checks that k is square, finite and symmetric to 1e-9 of its greatest entry, and copies it into one
// block.
func NewPrecomputed(k [][]float64) (*Precomputed, error) {
	n := len(k)
	p := &Precomputed{N: n, K: make([]float64, 0, n*n)}
	greatest := 0.0
	for i, row := range k {
		if len(row) != n {
			return nil, fmt.Errorf("svm: row %d of the Gram matrix has %d entries, want %d", i, len(row), n)
		}
		if j := vectors.FirstNonFinite(row); j >= 0 {
			return nil, fmt.Errorf("svm: entry (%d, %d) of the Gram matrix is %v, want a finite number", i, j, row[j])
		}
		greatest = max(greatest, vectors.Greatest(row))
		p.K = append(p.K, row...)
	}
	for i := range n {
		for j := range i {
			if a, b := k[i][j], k[j][i]; math.Abs(a-b) > 1e-9*greatest {
				return nil, fmt.Errorf("svm: entries (%d, %d) and (%d, %d) of the Gram matrix are %v and %v, "+
					"want a symmetric matrix", i, j, j, i, a, b)
			}
		}
	}
	return p, nil
}

// Traits says that rows are in memory, and that a product reads one per non-zero entry.
func (p *Precomputed) Traits() stringkernel.Traits {
	return stringkernel.Traits{RowBased: true, InMemory: true}
}

// Len returns N.
func (p *Precomputed) Len() int { return p.N }

// Diag writes the diagonal.
func (p *Precomputed) Diag(dst []float64) {
	for i := range p.N {
		dst[i] = p.K[i*p.N+i]
	}
}

// Row copies row i.
func (p *Precomputed) Row(dst []float64, i int) { copy(dst, p.Of(i)) }

// Of returns row i, not to be written to.
func (p *Precomputed) Of(i int) []float64 { return p.K[i*p.N : (i+1)*p.N : (i+1)*p.N] }

// MulVecTo writes K·v, skipping zero entries of v.
func (p *Precomputed) MulVecTo(dst, v []float64) {
	clear(dst)
	for i, vi := range v {
		if vi != 0 {
			vectors.AddScaled(dst, vi, p.Of(i))
		}
	}
}

// Hold returns, in place of a matrix that computes rows, one that has them in memory, so that products compute no row
// twice. Another matrix, or one that there is no memory for, it returns as it is. The error is that of ctx.
func Hold(ctx context.Context, g stringkernel.Gram) (stringkernel.Gram, error) {
	n := g.Len()
	if stringkernel.TraitsOf(g).InMemory || !stringkernel.IsRowBased(g) || memory.Check(8*float64(n)*float64(n)) != nil {
		return g, nil
	}
	p := &Precomputed{N: n, K: make([]float64, n*n)}
	return p, parallel.Do(ctx, n, func(i int) error {
		return cancel.Run(ctx, func() { g.Row(p.Of(i), i) })
	})
}
