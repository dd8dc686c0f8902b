package kerneltest

import (
	"bytes"
	"context"
	"math"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// matrix evaluates the kernel pair by pair: what everything else is compared with.
func (s *suite) matrix(c *stringkernel.Corpus) [][]float64 { return s.between(c, c) }

// between evaluates the kernel for each sequence of a with each of b.
func (s *suite) between(a, b *stringkernel.Corpus) [][]float64 {
	k := make([][]float64, a.Len())
	for i := range k {
		k[i] = make([]float64, b.Len())
		for j := range k[i] {
			k[i][j] = s.kernel.Eval(a.Seq(i), b.Seq(j))
		}
	}
	return k
}

// norms returns |φ(x)| of every sequence.
func (s *suite) norms(c *stringkernel.Corpus) []float64 {
	norms := make([]float64, c.Len())
	for i := range norms {
		norms[i] = s.norm(c.Seq(i))
	}
	return norms
}

func (s *suite) norm(x []byte) float64 { return normOf(s.kernel.Eval(x, x)) }

// normOf returns |φ(x)| given k(x, x).
func normOf(own float64) float64 { return math.Sqrt(math.Abs(own)) }

// normsOf returns |φ(x)| of the sequences of a matrix.
func normsOf(k [][]float64) []float64 {
	norms := make([]float64, len(k))
	for i := range k {
		norms[i] = normOf(k[i][i])
	}
	return norms
}

// agreement compares every way to a value with Eval.
func (s *suite) agreement(t testing.TB) {
	sizes := []int{1, 2, 5, 23}
	if testing.Short() {
		sizes[3] = 9
	}
	for _, n := range sizes {
		c := s.corpus(n)
		f := s.fitted(t, c)
		k := f.matrix(c)
		f.gramAgrees(t, c, k)
		f.selfAgrees(t, c, k)
		queries := s.corpus(6)
		between := f.between(c, queries)
		f.mergeAgrees(t, c, k, queries, between)
		f.comparisonAgrees(t, c, k, queries, between)
	}
}

// gramAgrees compares the ways to the matrix k.
func (s *suite) gramAgrees(t testing.TB, c *stringkernel.Corpus, k [][]float64) {
	t.Helper()
	g, n, norms := s.gram(t, c), c.Len(), normsOf(k)
	diag, v := spoiled(n), s.vector(n)
	g.Diag(diag)
	for i := range n {
		if !s.near(diag[i], k[i][i], 0) {
			t.Fatalf("Diag[%d] = %v, Eval = %v for %q", i, diag[i], k[i][i], c.Seq(i))
		}
		row := spoiled(n)
		g.Row(row, i)
		for j := range n {
			if !s.near(row[j], k[j][i], norms[i]*norms[j]) {
				t.Fatalf("Row(%d)[%d] = %v, Eval = %v for %q and %q", i, j, row[j], k[j][i], c.Seq(j), c.Seq(i))
			}
			if !s.near(k[i][j], k[j][i], norms[i]*norms[j]) {
				t.Fatalf("Eval is not symmetric: %v and %v for %q and %q", k[i][j], k[j][i], c.Seq(i), c.Seq(j))
			}
		}
	}
	s.rowsAgree(t, g, k, norms)
	s.denseAgrees(t, g, k, norms)
	v[s.rng.IntN(n)] = 0
	product := spoiled(n)
	g.MulVecTo(product, v)
	for j := range n {
		want := floats.Dot(v, k[j])
		if !s.near(product[j], want, size(v, norms)*norms[j]) {
			t.Fatalf("MulVecTo[%d] = %v, Σ rows = %v", j, product[j], want)
		}
	}
}

// rowsAgree compares several rows together, where the kernel has a separate way to them, those of one record twice.
func (s *suite) rowsAgree(t testing.TB, g stringkernel.Gram, k [][]float64, norms []float64) {
	t.Helper()
	block := compose.RowBlockOf(g)
	if block == nil {
		return
	}
	n := g.Len()
	records := []int{n - 1}
	for range n {
		records = append(records, s.rng.IntN(n))
	}
	rows := make([][]float64, len(records))
	for c := range rows {
		rows[c] = spoiled(n)
	}
	block.RowsTo(rows, records)
	for c, i := range records {
		for j, got := range rows[c] {
			if !s.near(got, k[j][i], norms[i]*norms[j]) {
				t.Fatalf("RowsTo has %v at (%d, %d), Eval = %v", got, i, j, k[j][i])
			}
		}
	}
}

// denseAgrees compares the whole matrix, where the kernel has a separate way to it.
func (s *suite) denseAgrees(t testing.TB, g stringkernel.Gram, k [][]float64, norms []float64) {
	t.Helper()
	dense := stringkernel.DenseOf(g)
	if dense == nil {
		return
	}
	n := g.Len()
	all := spoiled(n * n)
	dense.DenseTo(context.Background(), all)
	for i := range n {
		for j := range n {
			if got := all[i*n+j]; !s.near(got, k[j][i], norms[i]*norms[j]) || got != all[j*n+i] {
				t.Fatalf("DenseTo has %v at (%d, %d), %v at (%d, %d), Eval = %v", got, i, j, all[j*n+i], j, i, k[j][i])
			}
		}
	}
}

// selfAgrees compares the shorter ways to k(x, x) and |φ(x) + φ(y)|², if the kernel has them.
func (s *suite) selfAgrees(t testing.TB, c *stringkernel.Corpus, k [][]float64) {
	t.Helper()
	e := compose.NormsOf(s.kernel)
	if e == nil {
		return
	}
	for i := range c.Len() {
		j := (i + 1) % c.Len()
		x, y := c.Seq(i), c.Seq(j)
		own, other, across := k[i][i], k[j][j], k[i][j]
		if got := e.SelfEval(x); !s.near(got, own, 0) {
			t.Fatalf("SelfEval = %v, Eval = %v for %q", got, own, x)
		}
		got, want := e.JointSelfEval(x, y), own+other+2*across
		if !s.near(got, want, own+other) {
			t.Fatalf("JointSelfEval = %v, from Eval %v for %q and %q", got, want, x, y)
		}
		if turned := e.JointSelfEval(y, x); turned != got {
			t.Fatalf("JointSelfEval = %v, the other way round %v for %q and %q", got, turned, x, y)
		}
	}
}

// comparisonAgrees compares the values of queries with a corpus, if the kernel has a way to all of them. Matrix and
// between hold those of the corpus with itself and with the queries.
func (s *suite) comparisonAgrees(t testing.TB, c *stringkernel.Corpus, matrix [][]float64,
	queries *stringkernel.Corpus, between [][]float64,
) {
	t.Helper()
	by := compose.ComparerOf(s.kernel)
	if by == nil {
		return
	}
	compare, err := by.Compare(context.Background(), c)
	if err != nil {
		t.Fatalf("Compare: %v", err)
	}
	row, norms := spoiled(c.Len()), normsOf(matrix)
	for q := range queries.Len() {
		x := queries.Seq(q)
		compare(row, x)
		for i := range row {
			if want := between[i][q]; !s.near(row[i], want, norms[i]*s.norm(x)) {
				t.Fatalf("Compare[%d] = %v, Eval = %v for %q and %q", i, row[i], want, c.Seq(i), x)
			}
		}
	}
}

// mergeAgrees scores with one output and with several. Matrix and between hold the values of the support vectors with
// each other and with the queries.
func (s *suite) mergeAgrees(t testing.TB, sv *stringkernel.Corpus, matrix [][]float64, queries *stringkernel.Corpus,
	between [][]float64,
) {
	t.Helper()
	coef := [][]float64{s.vector(sv.Len()), s.vector(sv.Len()), s.vector(sv.Len())}
	scorers := []stringkernel.Scorer{s.merge(t, sv, coef...), s.merge(t, sv, coef[0])}
	row, norms := make([]float64, sv.Len()), normsOf(matrix)
	for _, part := range []struct {
		c     *stringkernel.Corpus
		k     [][]float64
		norms []float64
	}{{sv, matrix, norms}, {queries, between, s.norms(queries)}} {
		for q := range part.c.Len() {
			for i := range row {
				row[i] = part.k[i][q]
			}
			x, norm := part.c.Seq(q), part.norms[q]
			for _, scorer := range scorers {
				got := spoiled(scorer.Outputs())
				scorer.ScoreTo(got, x)
				for m := range got {
					if want := floats.Dot(coef[m], row); !s.near(got[m], want, size(coef[m], norms)*norm) {
						t.Fatalf("score %d of %d of %q = %v, Σ Eval = %v", m, len(got), x, got[m], want)
					}
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
	n := 15
	if testing.Short() {
		n = 8
	}
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
	c, err := stringkernel.NewCorpus(seqs, nil)
	if err != nil {
		t.Fatalf("NewCorpus: %v", err)
	}
	f := s.fitted(t, c)
	k := f.matrix(c)
	for i := range seqs {
		for j, value := range k[i] {
			if math.IsNaN(value) || math.IsInf(value, 0) {
				t.Fatalf("Eval(%q, %q) = %v", seqs[i], seqs[j], value)
			}
			if i < featureless && value != 0 {
				t.Fatalf("Eval(%q, %q) = %v, want 0: the first has no letter of the alphabet", seqs[i], seqs[j], value)
			}
		}
	}
	f.gramAgrees(t, c, k)
	f.selfAgrees(t, c, k)
	f.mergeAgrees(t, c, k, c, k)
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
