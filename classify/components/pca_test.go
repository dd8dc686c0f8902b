package components_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/seqsvm/seqsvm/classify/components"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// sequences draws random DNA.
func sequences(n int, seed uint64) *stringkernel.Corpus {
	rng := rand.New(rand.NewPCG(seed, 1))
	var b stringkernel.CorpusBuilder
	for range n {
		x := make([]byte, 30+rng.IntN(30))
		for i := range x {
			x[i] = "ACGT"[rng.IntN(2+rng.IntN(3))]
		}
		b.Add("", x)
	}
	return b.Corpus()
}

// TestProjections: the projection of a sequence is ⟨v, φ(x) − μ⟩ with explicit counts of 2-mers, and that of a training
// record its point.
func TestProjections(t *testing.T) {
	ctx, k := context.Background(), spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA}
	train, other := sequences(40, 1), sequences(5, 2)
	g := must.Get(k.Gram(ctx, train))(t)
	c := must.Get(components.PCA{Count: 6, Tol: 1e-12}.Fit(ctx, g))(t)
	scorer := must.Get(stringkernel.Merge(ctx, k, train, c.Coef()...))(t)
	count := func(x []byte) map[string]float64 {
		phi := map[string]float64{}
		for i := range len(x) - 1 {
			phi[string(x[i:i+2])]++
		}
		return phi
	}
	mean := map[string]float64{}
	for i := range train.Len() {
		for s, f := range count(train.Seq(i)) {
			mean[s] += f / float64(train.Len())
		}
	}
	got := make([]float64, len(c.Values))
	for i := range other.Len() {
		scorer.ScoreTo(got, other.Seq(i))
		vectors.AddScaled(got, -1, c.Rho)
		phi := count(other.Seq(i))
		for j := range got {
			want := 0.0
			for r := range train.Len() {
				for s, f := range count(train.Seq(r)) {
					want += c.Vectors[j][r] / math.Sqrt(c.Values[j]) * f * (phi[s] - mean[s])
				}
			}
			if math.Abs(got[j]-want) > 1e-9 {
				t.Errorf("sequence %d on component %d: %v, want %v", i, j, got[j], want)
			}
		}
	}
	for i, point := range c.Points() {
		scorer.ScoreTo(got, train.Seq(i))
		vectors.AddScaled(got, -1, c.Rho)
		for j := range got {
			if math.Abs(got[j]-point[j]) > 1e-8 {
				t.Errorf("record %d on component %d: %v, want %v", i, j, got[j], point[j])
			}
		}
	}
}

// dense is a Gram matrix in memory.
func dense(n int, at func(i, j int) float64) *svm.Precomputed {
	g := &svm.Precomputed{N: n, K: make([]float64, n*n)}
	for i := range n {
		for j := range n {
			g.K[i*n+j] = at(i, j)
		}
	}
	return g
}

// features is the Gram matrix of n random points in a space of the given dimensions, with unequal variances.
func features(n, dimensions int, seed uint64) *svm.Precomputed {
	rng := rand.New(rand.NewPCG(seed, 0))
	x := mat.NewDense(n, dimensions, nil)
	x.Apply(func(_, j int, _ float64) float64 { return 2 + rng.NormFloat64()/float64(j+1) }, x)
	var k mat.Dense
	k.Mul(x, x.T())
	return dense(n, k.At)
}

// byDefinition returns the eigenvalues, greatest first, and eigenvectors of the centred matrix by dense algebra: what
// scikit-learn's KernelPCA with a precomputed kernel computes.
func byDefinition(t *testing.T, g *svm.Precomputed) (values []float64, vectors *mat.Dense, trace float64) {
	t.Helper()
	n := g.N
	center := mat.NewDense(n, n, nil)
	center.Apply(func(i, j int, _ float64) float64 {
		if i == j {
			return 1 - 1/float64(n)
		}
		return -1 / float64(n)
	}, center)
	var k mat.Dense
	k.Product(center, mat.NewDense(n, n, g.K), center)
	symmetric := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			symmetric.SetSym(i, j, (k.At(i, j)+k.At(j, i))/2)
		}
	}
	var e mat.EigenSym
	if !e.Factorize(symmetric, true) {
		t.Fatal("dense eigenvalues have not converged")
	}
	var ascending, all mat.Dense
	e.VectorsTo(&ascending)
	all.CloneFrom(&ascending)
	values = make([]float64, n)
	for j, value := range e.Values(nil) {
		values[n-1-j] = value
		all.SetCol(n-1-j, mat.Col(nil, j, &ascending))
	}
	return values, &all, mat.Trace(&k)
}

// TestPCA: eigenvalues, vectors up to their sign and the trace are those of dense algebra to 1e-8, also with fewer
// dimensions than components, and each residual is what it says.
func TestPCA(t *testing.T) {
	for _, c := range []struct{ n, dimensions, count, want int }{
		{200, 60, 10, 10}, {50, 49, 49, 49}, {40, 3, 10, 3}, {2, 5, 1, 1}, {300, 300, 1, 1},
	} {
		g := features(c.n, c.dimensions, 7)
		values, vectors, trace := byDefinition(t, g)
		found := must.Get(components.PCA{Count: c.count, Tol: 1e-12}.Fit(context.Background(), g))(t)
		if len(found.Values) != c.want || math.Abs(found.Trace-trace) > 1e-8*trace {
			t.Fatalf("%v: %d components, trace %v, want %v", c, len(found.Values), found.Trace, trace)
		}
		points := found.Points()
		for j, value := range found.Values {
			if math.Abs(value-values[j]) > 1e-8*values[0] || found.Residuals[j] > 1e-11*values[0] {
				t.Errorf("%v: eigenvalue %d is %v, want %v; residual %v", c, j, value, values[j], found.Residuals[j])
			}
			column := mat.Col(nil, j, vectors)
			size := make([]float64, len(column)) // the greatest entry is positive
			for i, x := range column {
				size[i] = math.Abs(x)
			}
			floats.Scale(math.Copysign(1, column[floats.MaxIdx(size)]), column)
			for i := range points {
				if want := math.Sqrt(values[j]) * column[i]; math.Abs(points[i][j]-want) > 1e-8*math.Sqrt(values[0]) {
					t.Fatalf("%v: record %d on component %d is %v, want %v", c, i, j, points[i][j], want)
				}
			}
		}
	}
}

// TestEqualEigenvalues: all copies of an eigenvalue are found, more than a block of Lanczos has vectors, and the
// components are orthonormal.
func TestEqualEigenvalues(t *testing.T) {
	groups := func(size int) *svm.Precomputed { // equal groups of records without common features
		return dense(60, func(i, j int) float64 {
			switch {
			case i == j:
				return 2
			case i/size == j/size:
				return 1
			}
			return 0
		})
	}
	mixed := func() *svm.Precomputed { // three copies of the second eigenvalue above 56 others
		rng := rand.New(rand.NewPCG(3, 4))
		random := mat.NewDense(60, 60, nil)
		random.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, random)
		for i := range 60 {
			random.Set(i, 0, 1) // the mean, which centring takes out
		}
		var qr mat.QR
		qr.Factorize(random)
		var q mat.Dense
		qr.QTo(&q)
		value := func(k int) float64 {
			switch {
			case k == 1:
				return 9
			case k <= 4:
				return 5
			}
			return 4 - float64(k)/20
		}
		return dense(60, func(i, j int) (sum float64) {
			for k := 1; k < 60; k++ {
				sum += value(k) * q.At(i, k) * q.At(j, k)
			}
			return sum
		})
	}
	for name, g := range map[string]*svm.Precomputed{"identity": groups(1), "groups": groups(6), "mixed": mixed()} {
		values, _, _ := byDefinition(t, g)
		found := must.Get(components.PCA{Count: 7, Tol: 1e-11}.Fit(context.Background(), g))(t)
		for j, value := range found.Values {
			if math.Abs(value-values[j]) > 1e-8 || found.Residuals[j] > 1e-9 {
				t.Errorf("%s: eigenvalue %d is %v, want %v; residual %v", name, j, value, values[j], found.Residuals[j])
			}
			for i := range j + 1 {
				want := 0.0
				if i == j {
					want = 1
				}
				got := mat.Dot(mat.NewVecDense(60, found.Vectors[i]), mat.NewVecDense(60, found.Vectors[j]))
				if math.Abs(got-want) > 1e-9 {
					t.Errorf("%s: components %d and %d have the product %v", name, i, j, got)
				}
			}
		}
	}
}

// TestRepeats: the same bits again, and on any number of processors.
func TestRepeats(t *testing.T) {
	g := features(150, 40, 3)
	first := must.Get(components.PCA{Count: 5, Seed: 1}.Fit(context.Background(), g))(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	again, err := components.PCA{Count: 5, Seed: 1}.Fit(context.Background(), g)
	if err != nil || !reflect.DeepEqual(first, again) {
		t.Errorf("other components, %v", err)
	}
}

// TestPCAErrors: options out of range, records without differences, and a context that is done.
func TestPCAErrors(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	same := dense(9, func(int, int) float64 { return 3 })
	for name, c := range map[string]struct {
		ctx   context.Context
		g     *svm.Precomputed
		count int
		want  error
	}{
		"none":      {context.Background(), features(5, 5, 1), 0, nil},
		"too many":  {context.Background(), features(5, 5, 1), 5, nil},
		"alike":     {context.Background(), same, 2, components.ErrAlike},
		"zero":      {context.Background(), dense(9, func(int, int) float64 { return 0 }), 2, components.ErrAlike},
		"cancelled": {ended, features(50, 5, 1), 2, context.Canceled},
	} {
		if _, err := (components.PCA{Count: c.count}).Fit(c.ctx, c.g); err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
}
