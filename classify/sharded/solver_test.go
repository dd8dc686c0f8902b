package sharded_test

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
	"github.com/seqsvm/seqsvm/classify/sharded"
	"github.com/seqsvm/seqsvm/classify/svm"
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

// problems are all risks of n records with labels y.
func problems(t *testing.T, y []float64) map[string]svm.Problem {
	n := len(y)
	targets, weights, class := make([]float64, n), make([]float64, n), make([]int, n)
	for i := range y {
		targets[i], weights[i], class[i] = float64(i%7)+y[i], 0.5+float64(i%3), i%3
	}
	costs := svm.Costs{Positive: 1, Negative: 0.5}
	classes, err := svm.Classify(y, costs)
	if err != nil {
		t.Fatal(err)
	}
	ranking, _ := risk.NewRanking(y, nil, 1)
	logistic, err := risk.NewLogistic(y, risk.Costs(costs))
	if err != nil {
		t.Fatal(err)
	}
	oneClass := svm.Problem{
		Linear: make([]float64, n), Weights: slices.Repeat([]float64{1}, n), Sum: 0.2 * float64(n),
	}
	of := func(r risk.Risk) svm.Problem { return svm.Problem{Risk: r} }
	return map[string]svm.Problem{
		"classes":        classes,
		"weights":        {Linear: y, Weights: risk.Times(y, weights), Costs: costs},
		"one class":      oneClass,
		"insensitive":    of(risk.Insensitive(targets, weights, 2, 0.5)),
		"nu-insensitive": of(risk.NuInsensitive(targets, 1, 0.3)),
		"pinball":        of(risk.Pinball(targets, nil, 1, 0.8)),
		"novelty":        of(risk.OneClass(n, nil, 0.2)),
		"nu-classes":     of(risk.NuClasses(y, 0.3)),
		"unlabelled":     of(risk.Unlabelled(y, 1, 0.6)),
		"ordinal":        of(risk.Ordinal(class, 3, nil, 1)),
		"ranking":        of(ranking),
		"squared error":  of(risk.NewSquaredError(targets, nil, 0.3)),
		"logistic":       of(logistic),
	}
}

// TestAgainstCoefficients solves every problem in tables and in coefficients.
func TestAgainstCoefficients(t *testing.T) {
	const tol = 1e-7
	r, y, space, g := random(120, 9, 1)
	for name, p := range problems(t, y) {
		p.Tol = tol
		want, err := svm.CuttingPlane{}.Solve(t.Context(), g, p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := sharded.Solver{}.Solve(t.Context(), space, split(r, 3), p)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		limit := (got.Gap + want.Gap + 1e-12) * math.Abs(want.Primal)
		if got.Gap > tol || math.Abs(got.Primal-want.Primal) > limit {
			t.Errorf("%s: primal %v, gap %v; in coefficients %v, %v", name, got.Primal, got.Gap, want.Primal, want.Gap)
		}
		checkPrimal(t, name, r, space, p, got)
	}
}

// checkPrimal compares the values of a solution with those of the definition at its table.
func checkPrimal(t *testing.T, name string, r rows, space metric, p svm.Problem, sol sharded.Solution) {
	t.Helper()
	minimised, _, err := p.Minimised(len(r))
	if err != nil {
		t.Fatal(err)
	}
	w := slices.Clone(sol.Table)
	if err := space.Filter(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	f, a := make([]float64, len(r)), make([]float64, len(r))
	for i, row := range r {
		f[i] = floats.Dot(row, w)
	}
	loss, _ := minimised.Plane(a, f)
	primal := floats.Dot(w, sol.Table)/2 + loss
	if math.Abs(primal-sol.Primal) > 1e-10*math.Abs(primal) {
		t.Errorf("%s: primal %v of the table, %v of the solution", name, primal, sol.Primal)
	}
	if want := minimised.Scalars(f); !floats.EqualApprox(sol.Scalars, want, 1e-6) {
		t.Errorf("%s: scalars %v, want %v", name, sol.Scalars, want)
	}
}

// TestOptimality checks the Karush–Kuhn–Tucker conditions of two classes at the table itself: w is a combination of
// records with coefficients in their bounds, 0 beyond the margin and C within it.
func TestOptimality(t *testing.T) {
	const c = 0.5
	r, y, space, _ := random(60, 4, 2)
	p, err := svm.Classify(y, svm.Costs{Positive: c, Negative: c})
	if err != nil {
		t.Fatal(err)
	}
	p.Tol = 1e-12
	sol, err := sharded.Solver{}.Solve(t.Context(), space, split(r, 1), p)
	if err != nil {
		t.Fatal(err)
	}
	w := slices.Clone(sol.Table)
	_ = space.Filter(t.Context(), w)
	rest, balance := slices.Clone(sol.Table), 0.0
	var free []int
	for i, row := range r {
		switch margin := y[i] * (floats.Dot(row, w) - sol.Rho); {
		case margin < 1-1e-4:
			floats.AddScaled(rest, -c*y[i], row)
			balance += c * y[i]
		case margin <= 1+1e-4:
			free = append(free, i)
		}
	}
	if len(free) > len(w)+1 {
		t.Fatalf("%d records on the margin", len(free))
	}
	// What is left of the table and of Σ β = 0 is that of the records on the margin.
	a, rhs := mat.NewDense(len(w)+1, len(free), nil), mat.NewVecDense(len(w)+1, append(rest, -balance))
	for k, i := range free {
		a.SetCol(k, append(slices.Clone(r[i]), 1))
	}
	var beta, left mat.VecDense
	if err := beta.SolveVec(a, rhs); err != nil {
		t.Fatal(err)
	}
	left.MulVec(a, &beta)
	left.SubVec(&left, rhs)
	if size := mat.Norm(&left, 2); size > 1e-4 {
		t.Errorf("the table is no combination of records within their bounds: %v is left", size)
	}
	for k, i := range free {
		if alpha := y[i] * beta.AtVec(k); alpha < -1e-4 || alpha > c+1e-4 {
			t.Errorf("record %d on the margin has the coefficient %v", i, alpha)
		}
	}
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
	p, err := svm.Classify(y, svm.Costs{Positive: 1.0 / 64, Negative: 1.0 / 64})
	if err != nil {
		t.Fatal(err)
	}
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
			sol, err := sharded.Solver{}.Solve(t.Context(), metric{identity}, list, p)
			if err != nil {
				t.Fatal(err)
			}
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
	sharded.Records
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
	p, err := svm.Classify(y, svm.Costs{})
	if err != nil {
		t.Fatal(err)
	}
	solve := func(records sharded.Records, space sharded.Space, p svm.Problem) error {
		_, err := sharded.Solver{}.Solve(t.Context(), space, records, p)
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
	if _, err := (sharded.Solver{}).Solve(ended, space, r, p); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
