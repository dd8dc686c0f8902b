package kerneltest

import (
	"bytes"
	"context"
	"math"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"gonum.org/v1/gonum/mat"
)

// point is a sequence with the values of its features by definition, nil where the definition is Eval or Value.
type point struct {
	x        []byte
	features map[string]float64
	values   map[*point]float64 // k(x, y) of each y that was asked for
	norm     float64            // |φ(x)|
}

func (s *suite) point(x []byte) *point {
	p := &point{x: x, values: map[*point]float64{}}
	if s.features != nil {
		p.features = s.features(x)
	}
	p.norm = normOf(s.inner(p, p))
	return p
}

func (s *suite) points(c *stringkernel.Corpus) []*point {
	points := make([]*point, c.Len())
	for i := range points {
		points[i] = s.point(c.Seq(i))
	}
	return points
}

// inner returns k(x, y) by definition.
func (s *suite) inner(a, b *point) float64 {
	value, known := a.values[b]
	if !known {
		switch {
		case s.features != nil:
			value = dot(a.features, b.features)
		case s.Value != nil:
			value = s.Value(a.x, b.x)
			b.values[a] = value
		default:
			value = s.kernel.Eval(a.x, b.x)
		}
		a.values[b] = value
	}
	return value
}

func dot(a, b map[string]float64) (sum float64) {
	if len(a) > len(b) {
		a, b = b, a
	}
	for name, value := range a {
		sum += float64(value * b[name])
	}
	return sum
}

// sum returns y ↦ Σ_i a_i·k(x_i, y) by definition, and the size of what it adds up.
func (s *suite) sum(a []float64, points []*point) func(y *point) (value, scale float64) {
	of, total := map[string]float64{}, 0.0
	for i, p := range points {
		total += math.Abs(a[i]) * p.norm
		for name, value := range p.features {
			of[name] += float64(a[i] * value)
		}
	}
	return func(y *point) (value, scale float64) {
		if s.features != nil {
			return dot(y.features, of), total * y.norm
		}
		for i, p := range points {
			if a[i] != 0 {
				value += float64(a[i] * s.inner(p, y))
			}
		}
		return value, total * y.norm
	}
}

// norms returns |φ(x)| of every sequence.
func (s *suite) norms(c *stringkernel.Corpus) []float64 {
	norms := make([]float64, c.Len())
	for i := range norms {
		norms[i] = s.norm(c.Seq(i))
	}
	return norms
}

func (s *suite) norm(x []byte) float64 { return normOf(s.kernel.SelfEval(x)) }

// normOf returns |φ(x)| given k(x, x).
func normOf(own float64) float64 { return math.Sqrt(math.Abs(own)) }

// agreement compares every way to a value with the definition.
func (s *suite) agreement(t testing.TB) {
	sizes := []int{1, 2, rounds(36)}
	if s.Records != nil {
		sizes = sizes[:1]
	}
	for _, n := range sizes {
		c := s.corpus(n)
		f := s.fitted(t, c)
		points := f.points(c)
		f.gramAgrees(t, c, points)
		f.selfAgrees(t, points)
		queries := f.some(points)
		for range 6 {
			queries = append(queries, f.point(s.sequence()))
		}
		f.mergeAgrees(t, c, points, queries)
		f.comparisonAgrees(t, c, points, queries)
	}
}

// places returns those of all n records if they are few, else of the first, the last and some others.
func (s *suite) places(n int) (places []int) {
	for i := range min(n, rounds(40)) {
		places = append(places, i)
	}
	if n > len(places) {
		places = append(places[:2], n-1)
		for range 6 {
			places = append(places, s.rng.IntN(n))
		}
	}
	return places
}

func (s *suite) some(points []*point) (some []*point) {
	for _, i := range s.places(len(points)) {
		some = append(some, points[i])
	}
	return some
}

// gramAgrees compares the ways to the matrix of some points.
func (s *suite) gramAgrees(t testing.TB, c *stringkernel.Corpus, points []*point) {
	t.Helper()
	g, n, places := s.gram(t, c), c.Len(), s.places(c.Len())
	diag, row := spoiled(n), spoiled(n)
	g.Diag(diag)
	for i, p := range points {
		if want := s.inner(p, p); !s.near(diag[i], want, 0) {
			t.Fatalf("Diag[%d] = %v, by definition %v for %q", i, diag[i], want, p.x)
		}
	}
	for _, i := range places {
		g.Row(row, i)
		s.rowAgrees(t, "Row", row, points, i)
		for _, j := range places {
			p, q := points[i], points[j]
			want, turned := s.inner(p, q), s.inner(q, p)
			if !s.near(want, turned, p.norm*q.norm) {
				t.Fatalf("not symmetric: %v and %v for %q and %q", want, turned, p.x, q.x)
			}
			if s.features == nil && s.Value == nil {
				continue // Eval is the definition
			}
			if value := s.kernel.Eval(p.x, q.x); !s.near(value, want, p.norm*q.norm) {
				t.Fatalf("Eval = %v, by definition %v for %q and %q", value, want, p.x, q.x)
			}
		}
	}
	s.denseAgrees(t, g, points, places)
	s.visitsAgree(t, g, points, places)
	s.productsAgree(t, g, points)
}

// rowAgrees compares a row with the definition.
func (s *suite) rowAgrees(t testing.TB, what string, row []float64, points []*point, i int) {
	t.Helper()
	for j, p := range points {
		if want := s.inner(p, points[i]); !s.near(row[j], want, p.norm*points[i].norm) {
			t.Fatalf("%s(%d)[%d] = %v, by definition %v for %q and %q", what, i, j, row[j], want, points[i].x, p.x)
		}
	}
}

// productsAgree compares products with the definition.
func (s *suite) productsAgree(t testing.TB, g stringkernel.Gram, points []*point) {
	t.Helper()
	n := len(points)
	for m := range 2 {
		if m > 0 && n > 100 {
			return // one of many records is enough
		}
		v, product := s.vector(n), spoiled(n)
		v[s.rng.IntN(n)] = 0
		g.MulVecTo(product, v)
		sum := s.sum(v, points)
		for j, p := range points {
			if s.features == nil && n > 40 && j%8 > 0 && j < n-1 {
				continue // by pairs of records, which takes long
			}
			if want, scale := sum(p); !s.near(product[j], want, scale) {
				t.Fatalf("MulVecTo[%d] = %v, by definition %v", j, product[j], want)
			}
		}
	}
}

// denseAgrees compares the whole matrix, where the kernel has a separate way to it.
func (s *suite) denseAgrees(t testing.TB, g stringkernel.Gram, points []*point, places []int) {
	t.Helper()
	dense, n := stringkernel.DenseOf(g), len(points)
	if dense == nil || n > 1000 {
		return
	}
	matrix, product, err := dense.DenseCost(context.Background(), math.Inf(1))
	if err != nil || !(matrix >= 0 && product >= 0) {
		t.Fatalf("DenseCost = %v and %v, error %v, want times", matrix, product, err)
	}
	all := spoiled(n * n)
	dense.DenseTo(context.Background(), all, 0, n)
	from := s.rng.IntN(n)
	part := spoiled(n * (n - from - s.rng.IntN(n-from)))
	dense.DenseTo(context.Background(), part, from, from+len(part)/n)
	if !slices.Equal(part, all[from*n:from*n+len(part)]) {
		t.Fatalf("DenseTo has other bits of %d rows from %d on than of all", len(part)/n, from)
	}
	for i := range n {
		for j := range i {
			if all[i*n+j] != all[j*n+i] {
				t.Fatalf("DenseTo has %v at (%d, %d), %v at (%d, %d)", all[i*n+j], i, j, all[j*n+i], j, i)
			}
		}
	}
	for _, i := range places {
		s.rowAgrees(t, "DenseTo", all[i*n:(i+1)*n], points, i)
	}
}

// visitsAgree compares explicit rows, by tables and by the features that they list, where the kernel has them.
func (s *suite) visitsAgree(t testing.TB, g stringkernel.Gram, points []*point, places []int) {
	t.Helper()
	rows := stringkernel.FeatureRowsOf(g)
	if rows == nil {
		return
	}
	n := len(points)
	own, row, listed := spoiled(n), make([]float64, n), make([]map[uint32]float64, n)
	rows.Own(own)
	for _, i := range places {
		listed[i] = map[uint32]float64{}
		ids, values := rows.AppendRow(nil, nil, i)
		for f, id := range ids {
			listed[i][id] += values[f]
		}
	}
	table := make([]float64, rows.Width())
	for _, i := range places {
		clear(table)
		rows.Scatter(table, i, -2)
		for j := range row {
			row[j] = rows.Gather(table, j) / -2
		}
		row[i] += own[i]
		s.rowAgrees(t, "Scatter", row, points, i)
		for _, j := range places {
			row[j] = 0
			for id, value := range listed[i] {
				row[j] += float64(value * listed[j][id])
			}
		}
		row[i] += own[i]
		s.rowAgrees(t, "AppendRow", row, points, i)
	}
}

// selfAgrees compares the shortest ways to k(x, x) and |φ(x) + φ(y)|².
func (s *suite) selfAgrees(t testing.TB, points []*point) {
	t.Helper()
	some := s.some(points)
	for i, p := range some {
		q := some[(i+1)%len(some)]
		own, other := s.inner(p, p), s.inner(q, q)
		if got := s.kernel.SelfEval(p.x); !s.near(got, own, 0) {
			t.Fatalf("SelfEval = %v, by definition %v for %q", got, own, p.x)
		}
		got, want := compose.JointSelfEval(s.kernel, p.x, q.x), own+other+2*s.inner(p, q)
		if !s.near(got, want, own+other) {
			t.Fatalf("JointSelfEval = %v, by definition %v for %q and %q", got, want, p.x, q.x)
		}
		if turned := compose.JointSelfEval(s.kernel, q.x, p.x); turned != got {
			t.Fatalf("JointSelfEval = %v, the other way round %v for %q and %q", got, turned, p.x, q.x)
		}
	}
}

// comparisonAgrees compares the values of queries with a corpus, if the kernel has a way to all of them.
func (s *suite) comparisonAgrees(t testing.TB, c *stringkernel.Corpus, points, queries []*point) {
	t.Helper()
	if stringkernel.TraitsOf(s.kernel).Compare == nil {
		return
	}
	compare, err := compose.Compare(context.Background(), s.kernel, c)
	if err != nil {
		t.Fatalf("Compare: %v", err)
	}
	row := spoiled(c.Len())
	for _, q := range queries {
		compare(row, q.x)
		for i, p := range points {
			if want := s.inner(p, q); !s.near(row[i], want, p.norm*q.norm) {
				t.Fatalf("Compare[%d] = %v, by definition %v for %q and %q", i, row[i], want, p.x, q.x)
			}
		}
	}
}

// mergeAgrees scores queries with one output and with several, of few and of all support vectors.
func (s *suite) mergeAgrees(t testing.TB, sv *stringkernel.Corpus, points, queries []*point) {
	t.Helper()
	coef := append(s.coefficients(sv.Len()), make([]float64, sv.Len()))
	coef[len(coef)-1][s.rng.IntN(sv.Len())] = -1.5
	for _, scorer := range []stringkernel.Scorer{s.merge(t, sv, coef...), s.merge(t, sv, coef[0])} {
		got := spoiled(scorer.Outputs())
		self := stringkernel.TraitsOf(scorer).SelfScoreTo
		for m := range got {
			if m > 3 && m < len(got)-2 {
				continue // one of many
			}
			sum := s.sum(coef[m], points)
			for _, q := range queries {
				scorer.ScoreTo(got, q.x)
				want, scale := sum(q)
				if !s.near(got[m], want, scale) {
					t.Fatalf("score %d of %d of %q = %v, by definition %v", m, len(got), q.x, got[m], want)
				}
				if self == nil {
					continue
				}
				if own := self(got, q.x); !s.near(got[m], want, scale) || !s.near(own, s.inner(q, q), 0) {
					t.Fatalf("score %d of %q = %v beside k(x, x) = %v, by definition %v and %v", m, q.x, got[m], own,
						want, s.inner(q, q))
				}
			}
		}
	}
}

// semidefinite looks at the least eigenvalue of the matrix of a random corpus.
func (s *suite) semidefinite(t testing.TB) {
	if s.Indefinite {
		t.Skip("the kernel is declared indefinite")
	}
	n := rounds(32)
	c := s.corpus(n)
	k := s.fitted(t, c).kernel
	matrix := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			matrix.SetSym(i, j, k.Eval(c.Seq(i), c.Seq(j)))
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(matrix, false) {
		t.Fatalf("the matrix of %d sequences has no eigenvalues: %v", n, mat.Formatted(matrix))
	}
	values := eigen.Values(nil) // ascending
	if least, most := values[0], values[len(values)-1]; !(least >= -s.Tolerance*math.Abs(most)) {
		t.Fatalf("the matrix of %d sequences has the eigenvalue %v, the largest being %v", n, least, most)
	}
}

// edges holds kernels to the rule that a sequence without features has value 0 with everything and never gives NaN.
func (s *suite) edges(t testing.TB) {
	if s.Length != 0 {
		t.Skip("sequences have one length")
	}
	seqs := [][]byte{nil, {}}
	for _, b := range []byte(s.Breaks) {
		seqs = append(seqs, []byte{b}, bytes.Repeat([]byte{b}, 9))
	}
	if s.Breaks != "" {
		seqs = append(seqs, []byte(s.Breaks))
	}
	featureless := len(seqs)
	if s.Draw != nil {
		seqs = append(seqs, s.Draw(s.rng), s.Draw(s.rng))
	} else {
		seqs = append(seqs, []byte(s.Letters[:1]), []byte(s.Letters), bytes.Repeat([]byte(s.Letters[:1]), s.MaxLength))
		for _, b := range []byte(s.Breaks) {
			seqs = append(seqs, []byte{s.Letters[0], b, s.Letters[0]}, []byte{b, s.Letters[0]}, []byte{s.Letters[0], b})
		}
	}
	c := must.Get(stringkernel.NewCorpus(seqs, nil))(t)
	f := s.fitted(t, c)
	points := f.points(c)
	for i := range seqs {
		for j := range seqs {
			value := f.kernel.Eval(seqs[i], seqs[j])
			if math.IsNaN(value) || math.IsInf(value, 0) {
				t.Fatalf("Eval(%q, %q) = %v", seqs[i], seqs[j], value)
			}
			if i < featureless && value != 0 {
				t.Fatalf("Eval(%q, %q) = %v, want 0: the first has no letter of the alphabet", seqs[i], seqs[j], value)
			}
		}
	}
	f.gramAgrees(t, c, points)
	f.selfAgrees(t, points)
	f.mergeAgrees(t, c, points, points)
	f.nothing(t)
}

// nothing indexes and merges no sequences at all.
func (s *suite) nothing(t testing.TB) {
	t.Helper()
	empty := new(stringkernel.Corpus)
	g := s.gram(t, empty)
	g.MulVecTo(nil, nil)
	g.Diag(nil)
	scorer := s.merge(t, empty, nil)
	dst := spoiled(1)
	if scorer.ScoreTo(dst, []byte(s.Letters)); dst[0] != 0 {
		t.Fatalf("score without support vectors = %v, want 0", dst[0])
	}
}

// size returns Σ |a_i|·norm_i, the size of a sum of feature vectors with coefficients a.
func size(a, norms []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += math.Abs(a[i]) * norms[i]
	}
	return sum
}
