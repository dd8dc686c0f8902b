package auto_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/auto"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel/shard"
)

// rows is a shard of explicit features, a row per record.
type rows [][]float64

func (r rows) Len() int { return len(r) }

func (r rows) Add(_ context.Context, tables, v [][]float64) error {
	for m, table := range tables {
		for i, row := range r {
			floats.AddScaled(table, v[m][i], row)
		}
	}
	return nil
}

func (r rows) Score(_ context.Context, dst, tables [][]float64) error {
	for m, table := range tables {
		for i, row := range r {
			dst[m][i] = floats.Dot(table, row)
		}
	}
	return nil
}

func (r rows) Norms(_ context.Context, dst []float64) error {
	for i, row := range r {
		dst[i] = floats.Dot(row, row)
	}
	return nil
}

// split returns r as a number of shards.
func split(r rows, parts int) shard.List {
	list := make(shard.List, parts)
	for k := range list {
		list[k] = r[k*len(r)/parts : (k+1)*len(r)/parts]
	}
	return list
}

// metric is a space whose Filter multiplies by a symmetric matrix.
type metric struct{ *mat.SymDense }

func (m metric) Size() int { return m.SymmetricDim() }

func (m metric) Filter(_ context.Context, table []float64) error {
	v := mat.NewVecDense(len(table), table)
	v.MulVec(m.SymDense, mat.VecDenseCopyOf(v))
	return nil
}

// random returns records with labels that overlap, a metric and their Gram matrix.
func random(n, size int, seed uint64) (rows, []float64, metric, *svm.Precomputed) {
	rng := rand.New(rand.NewPCG(seed, 1))
	r, y := make(rows, n), make([]float64, n)
	for i := range r {
		y[i] = float64(1 - 2*(i%2))
		r[i] = make([]float64, size)
		for j := range r[i] {
			r[i][j] = rng.NormFloat64()
		}
		r[i][0] += 0.7 * y[i]
	}
	root := mat.NewDense(size, size, nil)
	for i := range size {
		for j := range size {
			root.Set(i, j, 0.3*rng.NormFloat64())
		}
		root.Set(i, i, 1)
	}
	var product mat.SymDense
	product.SymOuterK(1, root)
	m := metric{&product}
	return r, y, m, gram(r, m)
}

// gram returns the matrix of inner products.
func gram(r rows, m metric) *svm.Precomputed {
	n := len(r)
	x := mat.NewDense(n, m.Size(), nil)
	for i, row := range r {
		x.SetRow(i, row)
	}
	var xm, k mat.Dense
	xm.Mul(x, m.SymDense)
	k.Mul(&xm, x.T())
	return &svm.Precomputed{N: n, K: k.RawMatrix().Data}
}

// exact are records whose tables are sums without rounding.
type exact struct{ rows }

func (r exact) Add(ctx context.Context, tables, v [][]float64) error {
	const unit = 1 << 36
	rounded := make([]float64, len(v[0]))
	for i, a := range v[0] {
		rounded[i] = math.Round(a*unit) / unit
	}
	return r.rows.Add(ctx, tables, [][]float64{rounded})
}

// TestDivisions has tables that do not depend on how records are divided: then nothing else does, nor on threads.
func TestDivisions(t *testing.T) {
	const n = risk.PartLen + 100
	rng := rand.New(rand.NewPCG(3, 4))
	r, y := make(rows, n), make([]float64, n)
	for i := range r {
		y[i] = float64(1 - 2*rng.IntN(2))
		r[i] = make([]float64, 8)
		r[i][rng.IntN(8)]++
		r[i][int(2+2*y[i])+rng.IntN(4)]++
	}
	p := must.Get(svm.Classify(y, svm.Costs{Positive: 1.0 / 64, Negative: 1.0 / 64}))(t)
	identity := mat.NewSymDense(8, nil)
	for i := range 8 {
		identity.SetSym(i, i, 1)
	}
	var first []float64
	for _, parts := range []int{1, 2, 7} {
		for _, threads := range []int{1, 3}[:1+parts/7] {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
			list := split(r, parts)
			for k := range list {
				list[k] = exact{list[k].(rows)}
			}
			sol := must.Get(auto.Tables{}.Solve(t.Context(), metric{identity}, list, p))(t)
			all := append(slices.Clone(sol.Table), sol.Rho, sol.Primal, sol.Dual, sol.Gap, float64(sol.Iterations))
			if first == nil {
				first = all
			}
			if !slices.Equal(all, first) {
				t.Errorf("%d shards on %d threads: %v, want %v", parts, threads, all, first)
			}
		}
	}
}

// failing fails at a pass.
type failing struct {
	shard.Shard
	err error
}

func (f failing) Score(context.Context, [][]float64, [][]float64) error { return f.err }

// infinite has an infinite feature.
type infinite struct{ rows }

func (r infinite) Add(_ context.Context, tables, _ [][]float64) error {
	tables[0][1] = math.Inf(1)
	return nil
}

func TestErrors(t *testing.T) {
	r, y, space, _ := random(20, 3, 5)
	p := must.Get(svm.Classify(y, svm.Costs{}))(t)
	solve := func(records shard.Shard, space svm.Space, p svm.Problem) error {
		_, err := auto.Tables{}.Solve(t.Context(), space, records, p)
		return err
	}
	unreadable := errors.New("no such file")
	if err := solve(failing{r, unreadable}, space, p); !errors.Is(err, unreadable) {
		t.Errorf("records that cannot be read: %v", err)
	}
	if err := solve(infinite{r}, space, p); err == nil || !strings.Contains(err.Error(), "entry 1 of a table") {
		t.Errorf("an infinite feature: %v", err)
	}
	negative := mat.NewSymDense(3, []float64{1, 0, 0, 0, -1, 0, 0, 0, -1})
	if err := solve(r, metric{negative}, p); !errors.Is(err, svm.ErrIndefinite) {
		t.Errorf("an indefinite space: %v", err)
	}
	if err := solve(r[:10], space, p); err == nil || !strings.Contains(err.Error(), "20 linear terms") {
		t.Errorf("too many labels: %v", err)
	}
	p.Tol = 2
	var option *svm.OptionError
	if err := solve(r, space, p); !errors.As(err, &option) {
		t.Errorf("a tolerance of 2: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	p.Tol = 0
	if _, err := (auto.Tables{}).Solve(ended, space, r, p); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
