package krylov

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// Eigen finds the greatest eigenvalues of a symmetric matrix and their vectors by block Lanczos with full
// reorthogonalisation and thick restarts (Wu & Simon 2000): a Ritz approximation in the space of all products so far,
// which is replaced by its best vectors when it reaches Basis dimensions.
type Eigen struct {
	Count       int     // eigenpairs wanted, 1 to n
	Block       int     // vectors per block of products, the greatest multiplicity surely found; zero: 1
	Tol         float64 // on ‖Av − θv‖ over the greatest |θ|; zero: 1e-8
	Basis       int     // vectors held, n numbers each; zero: 3·Count + 40
	MaxProducts int     // zero: 1000 + 100·Count
	Seed        uint64  // of the random start
}

// Eigenpairs are approximate eigenvalues, greatest first. Each Values[j] is within Residuals[j] of an eigenvalue of A.
type Eigenpairs struct {
	Values    []float64
	Vectors   [][]float64 // orthonormal, n entries each
	Residuals []float64   // ‖A·v − θv‖ from a fresh product
	Products  int         // products A·v made
}

// Solve returns the pairs. If MaxProducts do not suffice, they are the best found, as their residuals tell. The error
// is that of ctx, about options out of range, or about a product that is not finite.
func (e Eigen) Solve(ctx context.Context, a Operator) (*Eigenpairs, error) {
	n := a.Len()
	if e.Count < 1 || e.Count > n {
		return nil, fmt.Errorf("krylov: %d eigenpairs of a matrix of %d rows, want 1 to %d", e.Count, n, n)
	}
	e.Block = min(max(e.Block, 1), n)
	e.Tol = cmp.Or(e.Tol, 1e-8)
	e.Basis = min(max(cmp.Or(e.Basis, 3*e.Count+40), e.Count+2*e.Block), n)
	e.MaxProducts = cmp.Or(e.MaxProducts, 1000+100*e.Count)
	s := newSubspace(a, e.Seed)
	s.fill(e.Block)
	for check := e.Count; ; {
		if err := s.expand(ctx); err != nil {
			return nil, err
		}
		full := len(s.next) == 0 || len(s.q)+len(s.next) > e.Basis
		if len(s.q) < check && !full {
			continue
		}
		if err := s.solve(); err != nil {
			return nil, err
		}
		if s.converged(e.Count, e.Tol) || s.products >= e.MaxProducts {
			return s.pairs(ctx, e.Count)
		}
		if full {
			s.restart(min(len(s.q)-1, (e.Count+e.Basis)/2))
		}
		check = len(s.q) + max(e.Block, len(s.q)/8)
	}
}

// subspace is an orthonormal basis with A·Q = Q·H + Next·Link: H = QᵀAQ, and next are orthonormal and orthogonal to Q.
// The columns of Link that are not 0 are the last len(link) ones.
type subspace struct {
	a        Operator
	rng      *rand.Rand
	q        [][]float64
	h        [][]float64 // symmetric
	next     [][]float64
	link     [][]float64 // per vector of the last block: the coefficients of its product along next
	products int
	scale    float64 // the greatest norm of a product

	values  []float64   // of H, greatest first
	columns [][]float64 // its eigenvectors
}

func newSubspace(a Operator, seed uint64) *subspace {
	return &subspace{a: a, rng: rand.New(rand.NewPCG(seed, 0x4c616e637a6f73))}
}

// expand takes next into the basis: a block of products, orthogonalised against everything, whose coefficients are the
// new columns of H and whose remainders are the block after.
func (s *subspace) expand(ctx context.Context) error {
	block := s.next
	products := scratch.Vectors(len(block), s.a.Len())
	if err := Multiply(ctx, s.a, products, block); err != nil {
		return err
	}
	s.products += len(block)
	s.q = append(s.q, block...)
	for i := range s.h {
		s.h[i] = append(s.h[i], make([]float64, len(block))...)
	}
	for range block {
		s.h = append(s.h, make([]float64, len(s.q)))
	}
	s.next, s.link = nil, nil
	for j, v := range products {
		s.scale = max(s.scale, vectors.Norm(v))
		column := len(s.q) - len(block) + j
		along := orthogonalise(v, s.q)
		for i, c := range along {
			s.h[i][column], s.h[column][i] = c, c
		}
		s.link = append(s.link, s.follow(v))
	}
	if len(s.next) == 0 && len(s.q) < s.a.Len() {
		s.fill(1) // the space is invariant, and what A does elsewhere is unknown
	}
	return nil
}

// follow takes the remainder v of a product apart along next and, unless no more than rounding is left, a vector that
// it appends to next. It returns the coefficients.
func (s *subspace) follow(v []float64) []float64 {
	link := orthogonalise(v, s.next)
	norm := vectors.Norm(v)
	if norm <= negligibleNorm*s.scale || len(s.q)+len(s.next) >= s.a.Len() {
		return link
	}
	vectors.Scale(v, 1/norm)
	orthogonalise(v, s.q) // a small remainder is no longer orthogonal once it is a unit vector
	orthogonalise(v, s.next)
	vectors.Scale(v, 1/vectors.Norm(v))
	s.next = append(s.next, v)
	return append(link, norm)
}

// fill appends random vectors to next that are orthogonal to the basis.
func (s *subspace) fill(count int) {
	for range count {
		others := append(slices.Clip(s.q), s.next...)
		s.next = append(s.next, randomUnit(s.rng, s.a.Len(), others))
	}
}

// solve computes the eigenpairs of H.
func (s *subspace) solve() (err error) {
	h := make([][]float64, len(s.h))
	for i, row := range s.h {
		h[i] = append([]float64(nil), row...)
	}
	s.values, s.columns, err = symmetricEigen(h)
	return err
}

// converged reports whether the residuals of the first pairs, by Link, are small.
func (s *subspace) converged(count int, tol float64) bool {
	if len(s.q) < count {
		return false
	}
	limit := tol * max(math.Abs(s.values[0]), math.Abs(s.values[len(s.values)-1]))
	for _, column := range s.columns[:count] {
		residual := make([]float64, len(s.next))
		for j, link := range s.link {
			vectors.AddScaled(residual[:len(link)], column[len(column)-len(s.link)+j], link)
		}
		if vectors.Norm(residual) > limit {
			return false
		}
	}
	return true
}

// restart replaces the basis by its first Ritz vectors.
func (s *subspace) restart(keep int) {
	s.q = s.ritz(keep)
	s.h = scratch.Vectors(keep, keep)
	for i := range keep {
		s.h[i][i] = s.values[i]
	}
}

// ritz returns the first Ritz vectors Q·y.
func (s *subspace) ritz(count int) [][]float64 {
	out := scratch.Vectors(count, s.a.Len())
	for j := range out {
		for i, q := range s.q {
			vectors.AddScaled(out[j], s.columns[j][i], q)
		}
	}
	return out
}

// pairs returns the first pairs with fresh residuals.
func (s *subspace) pairs(ctx context.Context, count int) (*Eigenpairs, error) {
	p := &Eigenpairs{Values: s.values[:count], Vectors: s.ritz(count), Residuals: make([]float64, count)}
	products := scratch.Vectors(count, s.a.Len())
	if err := Multiply(ctx, s.a, products, p.Vectors); err != nil {
		return nil, err
	}
	for j, v := range products {
		vectors.AddScaled(v, -p.Values[j], p.Vectors[j])
		p.Residuals[j] = vectors.Norm(v)
	}
	p.Products = s.products + count
	return p, nil
}
