package krylov_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/seqsvm/seqsvm/classify/krylov"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// dense is a symmetric matrix in memory.
type dense struct{ *mat.SymDense }

func (d dense) Len() int { return d.SymmetricDim() }

func (d dense) MulTo(dst, v [][]float64) {
	for m := range v {
		mat.NewVecDense(d.Len(), dst[m]).MulVec(d.SymDense, mat.NewVecDense(d.Len(), v[m]))
	}
}

// randomPSD returns XXᵀ/n for n × rank random numbers X whose columns shrink by a factor from one to the next.
func randomPSD(rng *rand.Rand, n, rank int, decay float64) dense {
	x := mat.NewDense(n, rank, nil)
	scale := 1.0
	for j := range rank {
		for i := range n {
			x.Set(i, j, scale*rng.NormFloat64())
		}
		scale *= decay
	}
	var k mat.SymDense
	k.SymOuterK(1/float64(n), x)
	return dense{&k}
}

func randomBlock(rng *rand.Rand, m, n int) [][]float64 {
	b := scratch.Vectors(m, n)
	for _, v := range b {
		for i := range v {
			v[i] = rng.NormFloat64()
		}
	}
	return b
}

// solved returns A⁻¹b by a dense Cholesky factor.
func solved(t *testing.T, a *mat.SymDense, shift float64, b []float64) []float64 {
	t.Helper()
	n := a.SymmetricDim()
	shifted := mat.NewSymDense(n, nil)
	shifted.CopySym(a)
	for i := range n {
		shifted.SetSym(i, i, a.At(i, i)+shift)
	}
	var factor mat.Cholesky
	if !factor.Factorize(shifted) {
		t.Fatal("matrix is not positive definite")
	}
	x := mat.NewVecDense(n, nil)
	must.Succeed(t, factor.SolveVecTo(x, mat.NewVecDense(n, b)))
	return x.RawVector().Data
}

// expectNear fails unless ‖got − want‖ ≤ tol·‖want‖.
func expectNear(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	diff := append([]float64(nil), got...)
	vectors.AddScaled(diff, -1, want)
	if d := vectors.Norm(diff); !(d <= tol*vectors.Norm(want)) {
		t.Errorf("%s: off by %g of %g, want ≤ %g of it", what, d, vectors.Norm(want), tol)
	}
}

func TestSolve(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1, 2, 7, 60, 200} {
		k := randomPSD(rng, n, n, 0.98)
		b := randomBlock(rng, 3, n)
		clear(b[1])
		for _, shift := range []float64{1e-2, 1} {
			x := randomBlock(rng, 3, n)
			r := must.Get(krylov.CG{Tol: 1e-11}.Solve(context.Background(), krylov.Shifted{k, shift}, x, b))(t)
			for m := range b {
				expectNear(t, "solution", x[m], solved(t, k.SymDense, shift, b[m]), 1e-8)
				if !(r.Residuals[m] <= 1e-11*vectors.Norm(b[m])) {
					t.Errorf("n %d, shift %g: residual %g of %g", n, shift, r.Residuals[m], vectors.Norm(b[m]))
				}
			}
		}
	}
}

// Residuals are those of the definition even if the iterations ran out, and a block has the bits of its vectors alone.
func TestSolveIterationLimit(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	a := krylov.Shifted{randomPSD(rng, 80, 80, 0.9), 1e-3}
	b := randomBlock(rng, 2, 80)
	x := scratch.Vectors(2, 80)
	r, err := krylov.CG{MaxIterations: 5}.Solve(context.Background(), a, x, b)
	if err != nil || r.Iterations != 5 || r.Products != 14 {
		t.Fatalf("%+v, %v, want 5 iterations and 14 products", r, err)
	}
	for m := range b {
		product := scratch.Vectors(1, 80)
		a.MulTo(product, x[m:m+1])
		vectors.AddScaled(product[0], -1, b[m])
		if got, want := r.Residuals[m], vectors.Norm(product[0]); math.Abs(got-want) > 1e-14*want || want < 1e-8 {
			t.Errorf("residual %g, want %g", got, want)
		}
		alone := scratch.Vectors(1, 80)
		must.Get((krylov.CG{MaxIterations: 5}).Solve(context.Background(), a, alone, b[m:m+1]))(t)
		expectNear(t, "alone", alone[0], x[m], 0)
	}
}

// Systems in the complement of a vector are those of the matrix bordered by it.
func TestProjectedScaled(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	const n, lambda = 60, 0.05
	k := randomPSD(rng, n, n, 0.95)
	y, s := randomBlock(rng, 1, n)[0], make([]float64, n)
	for i := range s {
		s[i] = 0.2 + rng.Float64()
	}
	unit := append([]float64(nil), s...)
	vectors.Scale(unit, 1/vectors.Norm(s))
	p := krylov.Projected{krylov.Scaled{k, s}, unit}
	b := make([]float64, n)
	floats.MulTo(b, s, y)
	p.Project(b)
	x := scratch.Vectors(1, n)
	must.Get((krylov.CG{Tol: 1e-12}).Solve(context.Background(), krylov.Shifted{p, lambda}, x, [][]float64{b}))(t)
	floats.Mul(x[0], s)

	bordered := mat.NewDense(n+1, n+1, nil)
	right := mat.NewVecDense(n+1, nil)
	for i := range n {
		for j := range n {
			bordered.Set(i, j, k.At(i, j))
		}
		bordered.Set(i, i, k.At(i, i)+lambda/(s[i]*s[i]))
		bordered.Set(i, n, 1)
		bordered.Set(n, i, 1)
		right.SetVec(i, y[i])
	}
	var want mat.VecDense
	must.Succeed(t, want.SolveVec(bordered, right))
	expectNear(t, "projected", x[0], want.RawVector().Data[:n], 1e-9)
}

func TestTridiagonalise(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for _, c := range []struct{ n, rank, steps, want int }{
		{50, 50, 12, 12}, {50, 10, 40, 11}, {9, 9, 20, 9}, {1, 1, 3, 1},
	} {
		a := randomPSD(rng, c.n, c.rank, 0.99)
		l, err := krylov.Tridiagonalise(context.Background(), a, c.steps, 1)
		if err != nil || len(l.Q) != len(l.Diag) || len(l.Q) != len(l.Off)+1 {
			t.Fatalf("%d vectors, %d and %d entries, %v", len(l.Q), len(l.Diag), len(l.Off), err)
		}
		if m := len(l.Q); m < c.want || m > c.want+3 { // of the null space a few
			t.Fatalf("%d vectors, want %d", m, c.want)
		}
		if invariant := c.want < c.steps; invariant != (l.Rest == 0) {
			t.Errorf("rest %g, invariant %v", l.Rest, invariant)
		}
		product := scratch.Vectors(1, c.n)
		for j, q := range l.Q {
			for i, p := range l.Q {
				want := 0.0
				if i == j {
					want = 1
				}
				if got := vectors.Dot(p, q); math.Abs(got-want) > 1e-13 {
					t.Errorf("q%d·q%d = %g", i, j, got)
				}
			}
			a.MulTo(product, [][]float64{q})
			vectors.AddScaled(product[0], -l.Diag[j], q)
			if j > 0 {
				vectors.AddScaled(product[0], -l.Off[j-1], l.Q[j-1])
			}
			if j+1 < len(l.Q) {
				vectors.AddScaled(product[0], -l.Off[j], l.Q[j+1])
			} else if got := vectors.Norm(product[0]); math.Abs(got-l.Rest) > 1e-12 {
				t.Errorf("rest %g, want %g", l.Rest, got)
				continue
			} else {
				continue
			}
			if got := vectors.Norm(product[0]); got > 1e-12 {
				t.Errorf("column %d: A·Q − Q·T = %g", j, got)
			}
		}
	}
}

// eigenvalues returns those of a dense matrix, greatest first.
func eigenvalues(t *testing.T, a mat.Symmetric) (values []float64, vectorsOf *mat.Dense) {
	t.Helper()
	var e mat.EigenSym
	if !e.Factorize(a, true) {
		t.Fatal("no eigenvalues")
	}
	values = e.Values(nil)
	vectorsOf = &mat.Dense{}
	e.VectorsTo(vectorsOf)
	for i, j := 0, len(values)-1; i < j; i, j = i+1, j-1 {
		values[i], values[j] = values[j], values[i]
	}
	return values, vectorsOf
}

func TestEigen(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for _, c := range []struct {
		n, rank, count, block, basis int
		decay                        float64
	}{
		{1, 1, 1, 1, 0, 1}, {5, 5, 5, 2, 0, 1}, {200, 200, 10, 1, 0, 0.97}, {200, 200, 10, 4, 0, 0.97},
		{300, 300, 6, 1, 14, 0.99}, {300, 300, 6, 4, 20, 0.99}, {60, 4, 8, 1, 0, 1}, {60, 4, 8, 3, 0, 1},
	} {
		a := randomPSD(rng, c.n, c.rank, c.decay)
		got := must.Get(krylov.Eigen{Count: c.count, Block: c.block, Basis: c.basis, Tol: 1e-9}.Solve(context.Background(), a))(t)
		want, _ := eigenvalues(t, a)
		for j, v := range got.Vectors {
			if math.Abs(got.Values[j]-want[j]) > 1e-12*want[0] {
				t.Errorf("%+v: eigenvalue %d is %g, want %g", c, j, got.Values[j], want[j])
			}
			product := scratch.Vectors(1, c.n)
			a.MulTo(product, [][]float64{v})
			vectors.AddScaled(product[0], -got.Values[j], v)
			if r := vectors.Norm(product[0]); r > 2e-9*want[0] || math.Abs(r-got.Residuals[j]) > 1e-14 {
				t.Errorf("%+v: residual %g, said to be %g", c, r, got.Residuals[j])
			}
			for i, u := range got.Vectors[:j] {
				if d := vectors.Dot(u, v); math.Abs(d) > 1e-12 {
					t.Errorf("%+v: vectors %d and %d have product %g", c, i, j, d)
				}
			}
		}
	}
}

func TestEigenCount(t *testing.T) {
	for _, count := range []int{0, -1, 4} {
		if _, err := (krylov.Eigen{Count: count}).Solve(context.Background(), dense{mat.NewSymDense(3, nil)}); err == nil {
			t.Errorf("%d eigenpairs of 3: no error", count)
		}
	}
}

// A context that is done ends every method, and values that are not numbers are named.
func TestErrors(t *testing.T) {
	done, cancel := context.WithCancel(context.Background())
	cancel()
	ill := mat.NewSymDense(3, nil)
	ill.SetSym(1, 1, math.NaN())
	one := []float64{1, 1, 1}
	methods := map[string]func(ctx context.Context, a krylov.Operator) error{
		"CG": func(ctx context.Context, a krylov.Operator) error {
			_, err := krylov.CG{}.Solve(ctx, a, scratch.Vectors(1, 3), [][]float64{one})
			return err
		},
		"Lanczos": func(ctx context.Context, a krylov.Operator) error {
			_, err := krylov.Tridiagonalise(ctx, a, 2, 1)
			return err
		},
		"LogDet": func(ctx context.Context, a krylov.Operator) error {
			_, _, err := krylov.LogDet{}.Estimates(ctx, a, one)
			return err
		},
		"Eigen": func(ctx context.Context, a krylov.Operator) error {
			_, err := krylov.Eigen{Count: 1}.Solve(ctx, a)
			return err
		},
	}
	for name, method := range methods {
		if err := method(done, dense{mat.NewSymDense(3, nil)}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v, want that of the context", name, err)
		}
		if err := method(context.Background(), dense{ill}); err == nil {
			t.Errorf("%s: no error for a product that is NaN", name)
		}
	}
}

func (d dense) Diag(dst []float64) {
	for i := range dst {
		dst[i] = d.At(i, i)
	}
}

func (d dense) Row(dst []float64, i int) {
	for j := range dst {
		dst[j] = d.At(i, j)
	}
}

// The approximation is exact at its pivots, what is left is positive semidefinite with the trace said, and products are
// those of the approximation, also where a vector is restricted to the pivots.
func TestPivotedCholesky(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for _, c := range []struct{ n, rank, wanted, got int }{
		{40, 40, 12, 12}, {40, 5, 12, 5}, {6, 6, 10, 6}, {40, 40, 0, 0},
	} {
		k := randomPSD(rng, c.n, c.rank, 0.9)
		l, err := krylov.PivotedCholesky(context.Background(), k, c.wanted, 0)
		if err != nil || len(l.B) != c.got || len(l.Pivots) != c.got {
			t.Fatalf("rank %d, %v, want %d", len(l.B), err, c.got)
		}
		left, trace := mat.NewSymDense(c.n, nil), 0.0
		for i := range c.n {
			for j := range c.n {
				v := k.At(i, j)
				for _, b := range l.B {
					v -= b[i] * b[j]
				}
				left.SetSym(i, j, v)
			}
			trace += left.At(i, i)
		}
		if math.Abs(trace-l.Trace) > 1e-12 {
			t.Errorf("trace %g, want %g", l.Trace, trace)
		}
		values, _ := eigenvalues(t, left)
		if least := values[c.n-1]; least < -1e-12 || values[0] > l.Trace+1e-12 {
			t.Errorf("eigenvalues of the rest from %g to %g, trace %g", least, values[0], l.Trace)
		}
		for _, p := range l.Pivots {
			for j := range c.n {
				if math.Abs(left.At(p, j)) > 1e-12 {
					t.Errorf("rest (%d, %d) is %g", p, j, left.At(p, j))
				}
			}
		}
		products, v := scratch.Vectors(2, c.n), randomBlock(rng, 1, c.n)[0]
		want := make([]float64, c.n)
		for i := range c.n {
			for j := range c.n {
				want[i] += (k.At(i, j) - left.At(i, j)) * v[j]
			}
			if math.Abs(l.Left[i]-left.At(i, i)) > 1e-12 {
				t.Errorf("diagonal %d of the rest %g, want %g", i, l.Left[i], left.At(i, i))
			}
		}
		restricted := slices.Clone(v)
		l.Restrict(restricted)
		l.MulTo(products, [][]float64{v, restricted})
		expectNear(t, "product", products[0], want, 1e-10)
		expectNear(t, "product of a restricted vector", products[1], want, 1e-8)
		for i, x := range restricted {
			if x != 0 && !slices.Contains(l.Pivots, i) {
				t.Errorf("entry %d is %g, and no pivot", i, x)
			}
		}
	}
}

// The estimate is within its standard error and the width of its quadrature of the determinant; where the eigenvectors
// are the unit vectors, random signs have no error at all.
func TestLogDet(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 1))
	const n = 90
	for _, k := range []dense{randomPSD(rng, n, n, 0.95), randomPSD(rng, n, 20, 0.9)} {
		shifts := []float64{1, 1e-2, 1e-4}
		for _, steps := range []int{5, 20, 90} {
			got, products, err := krylov.LogDet{Probes: 20, Steps: steps}.Estimates(context.Background(), k, shifts)
			if err != nil || products > 20*steps {
				t.Fatalf("%d products, %v", products, err)
			}
			for j, sigma := range shifts {
				shifted := mat.NewSymDense(n, nil)
				shifted.CopySym(k)
				for i := range n {
					shifted.SetSym(i, i, k.At(i, i)+sigma)
				}
				var factor mat.Cholesky
				if !factor.Factorize(shifted) {
					t.Fatal("not positive definite")
				}
				off := math.Abs(got[j].Value - factor.LogDet())
				if off > 4*got[j].StdErr+got[j].Width/2+1e-9*n {
					t.Errorf("%d steps, σ = %g: off by %g, standard error %g, width %g",
						steps, sigma, off, got[j].StdErr, got[j].Width)
				}
				if steps == 90 && got[j].Width > 0.1 {
					t.Errorf("σ = %g: width %g", sigma, got[j].Width)
				}
			}
		}
	}
	diagonal, want := mat.NewSymDense(n, nil), 0.0
	for i := range n {
		diagonal.SetSym(i, i, float64(1+i%5))
		want += math.Log(1.5 + float64(i%5))
	}
	got, _, err := krylov.LogDet{Probes: 2}.Estimates(context.Background(), dense{diagonal}, []float64{0.5})
	if err != nil || math.Abs(got[0].Value-want) > 1e-10*want || got[0].StdErr > 1e-9 || got[0].Width > 1e-9 {
		t.Errorf("%+v, %v, want %v", got, err, want)
	}
}
