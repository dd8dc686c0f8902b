// Package kerneltest is the conformance suite of the kernel contract: whatever claims to be a stringkernel.Kernel passes
//
//	kerneltest.Run(t, spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA}, kerneltest.Options{Letters: "ACGT"})
//
// It checks that all ways to the same number agree (row = Eval, product = Σ rows = merged score), that the kernel is positive
// semidefinite on random corpora, that contributions sum to the score, that sequences without features are harmless, and that nothing depends on order of
// calls or on concurrency. It does not know what the kernel should compute: a test against the definition stands beside it.
package kerneltest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Options tells the suite what sequences to try.
type Options struct {
	Letters    string  // letters to draw from; required
	Breaks     string  // letters outside the alphabet; default none
	MaxLength  int     // longest sequence drawn; default 40
	Length     int     // if positive, all sequences have this length (kernels on fixed windows)
	Tolerance  float64 // relative; default 1e-9
	Indefinite bool    // skip vᵀKv ≥ 0
	Seed       uint64
}

// Run runs the suite as subtests.
func Run(t *testing.T, k stringkernel.Kernel, opt Options) {
	t.Helper()
	if opt.MaxLength == 0 {
		opt.MaxLength = 40
	}
	if opt.Tolerance == 0 {
		opt.Tolerance = 1e-9
	}
	if err := k.Check(); err != nil {
		t.Fatalf("Check: %v", err)
	}
	s := suite{Options: opt, kernel: k, rng: rand.New(rand.NewPCG(opt.Seed, 1))}
	t.Run("agreement", s.agreement)
	t.Run("semidefinite", s.semidefinite)
	t.Run("edge sequences", s.edges)
	t.Run("explanation", s.explanation)
	t.Run("stored form", s.stored)
	t.Run("misuse", s.misuse)
	t.Run("inputs unchanged", s.unchanged)
	t.Run("concurrency", s.concurrency)
	t.Run("json", s.json)
}

type suite struct {
	Options
	kernel stringkernel.Kernel
	rng    *rand.Rand
}

// corpus draws n sequences, among them repeats of earlier ones and, unless lengths are fixed, an empty and a one-letter sequence.
func (s *suite) corpus(n int) *stringkernel.Corpus {
	var b stringkernel.CorpusBuilder
	seqs := make([][]byte, n)
	for i := range seqs {
		seqs[i] = s.sequence()
		switch {
		case i > 2 && s.rng.IntN(4) == 0:
			seqs[i] = seqs[s.rng.IntN(i)]
		case i == 1 && s.Length == 0:
			seqs[i] = nil
		case i == 2 && s.Length == 0:
			seqs[i] = []byte(s.Letters[:1])
		}
		b.Add(fmt.Sprintf("s%d", i), seqs[i])
	}
	return b.Corpus()
}

func (s *suite) sequence() []byte {
	n := s.Length
	if n == 0 {
		n = s.rng.IntN(s.MaxLength + 1)
	}
	letters := s.Letters
	if s.rng.IntN(3) == 0 { // a repetitive sequence
		letters = letters[:min(2, len(letters))]
	}
	x := make([]byte, n)
	for i := range x {
		x[i] = letters[s.rng.IntN(len(letters))]
		if s.Breaks != "" && s.rng.IntN(12) == 0 {
			x[i] = s.Breaks[s.rng.IntN(len(s.Breaks))]
		}
	}
	return x
}

func (s *suite) vector(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = s.rng.NormFloat64()
	}
	return v
}

// near compares two values given the size of the terms they are sums of.
func (s *suite) near(got, want, size float64) bool {
	return math.Abs(got-want) <= s.Tolerance*(math.Abs(size)+math.Abs(want)) || got == want
}

// matrix evaluates the kernel pair by pair: what everything else is compared with.
func (s *suite) matrix(c *stringkernel.Corpus) [][]float64 {
	k := make([][]float64, c.Len())
	for i := range k {
		k[i] = make([]float64, c.Len())
		for j := range k[i] {
			k[i][j] = s.kernel.Eval(c.Seq(i), c.Seq(j))
		}
	}
	return k
}

// fitted returns a suite for the kernel fitted to c, where that matters.
func (s *suite) fitted(t *testing.T, c *stringkernel.Corpus) *suite {
	t.Helper()
	k, err := stringkernel.Fit(s.kernel, c)
	if err != nil {
		t.Fatalf("Fit: %v", err)
	}
	f := *s
	f.kernel = k
	return &f
}

func (s *suite) gram(t *testing.T, c *stringkernel.Corpus) stringkernel.Gram {
	t.Helper()
	g, err := s.kernel.Gram(c)
	if err != nil {
		t.Fatalf("Gram: %v", err)
	}
	if g.Len() != c.Len() {
		t.Fatalf("Len() = %d for %d sequences", g.Len(), c.Len())
	}
	return g
}

func (s *suite) agreement(t *testing.T) {
	for _, n := range []int{1, 2, 5, 23} {
		c := s.corpus(n)
		f := s.fitted(t, c)
		f.gramAgrees(t, c)
		f.mergeAgrees(t, c, s.corpus(6))
	}
}

func (s *suite) gramAgrees(t *testing.T, c *stringkernel.Corpus) {
	t.Helper()
	k, g, n := s.matrix(c), s.gram(t, c), c.Len()
	diag, row, product, v := make([]float64, n), make([]float64, n), make([]float64, n), s.vector(n)
	g.Diag(diag)
	for i := range n {
		if !s.near(diag[i], k[i][i], 0) {
			t.Fatalf("Diag[%d] = %v, Eval = %v for %q", i, diag[i], k[i][i], c.Seq(i))
		}
		g.Row(row, i)
		for j := range n {
			if !s.near(row[j], k[j][i], 0) {
				t.Fatalf("Row(%d)[%d] = %v, Eval = %v for %q and %q", i, j, row[j], k[j][i], c.Seq(j), c.Seq(i))
			}
			if !s.near(k[i][j], k[j][i], 0) {
				t.Fatalf("Eval is not symmetric: %v and %v for %q and %q", k[i][j], k[j][i], c.Seq(i), c.Seq(j))
			}
		}
	}
	g.MulVecTo(product, v)
	for j := range n {
		want, size := dot(v, k[j])
		if !s.near(product[j], want, size) {
			t.Fatalf("MulVecTo[%d] = %v, Σ rows = %v", j, product[j], want)
		}
	}
}

func (s *suite) mergeAgrees(t *testing.T, sv, queries *stringkernel.Corpus) {
	t.Helper()
	coef := [][]float64{s.vector(sv.Len()), s.vector(sv.Len())}
	scorer, err := s.kernel.Merge(sv, coef...)
	if err != nil {
		t.Fatalf("Merge: %v", err)
	}
	if scorer.Outputs() != len(coef) {
		t.Fatalf("Outputs() = %d for %d coefficient vectors", scorer.Outputs(), len(coef))
	}
	got, row := make([]float64, len(coef)), make([]float64, sv.Len())
	for _, c := range []*stringkernel.Corpus{sv, queries} {
		for q := range c.Len() {
			for i := range row {
				row[i] = s.kernel.Eval(sv.Seq(i), c.Seq(q))
			}
			scorer.ScoreTo(got, c.Seq(q))
			for m := range coef {
				if want, size := dot(coef[m], row); !s.near(got[m], want, size) {
					t.Fatalf("score %d of %q = %v, Σ Eval = %v", m, c.Seq(q), got[m], want)
				}
			}
		}
	}
}

func (s *suite) semidefinite(t *testing.T) {
	if s.Indefinite {
		t.Skip("the kernel is declared indefinite")
	}
	c := s.corpus(15)
	g := s.fitted(t, c).gram(t, c)
	product := make([]float64, c.Len())
	for range 50 {
		v := s.vector(c.Len())
		g.MulVecTo(product, v)
		if q, size := dot(v, product); q < -s.Tolerance*size {
			t.Fatalf("vᵀKv = %v for v = %v", q, v)
		}
	}
}

// edges holds kernels to the rule that a sequence without features has value 0 with everything and never gives NaN.
func (s *suite) edges(t *testing.T) {
	if s.Length != 0 {
		t.Skip("sequences have one length")
	}
	seqs := [][]byte{nil, {}, []byte(s.Letters[:1]), []byte(s.Letters), bytes.Repeat([]byte(s.Letters[:1]), s.MaxLength)}
	for _, b := range []byte(s.Breaks) {
		seqs = append(seqs, []byte{b}, bytes.Repeat([]byte{b}, 9), []byte{s.Letters[0], b, s.Letters[0]})
	}
	c, err := stringkernel.NewCorpus(seqs, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := s.fitted(t, c)
	for i := range seqs {
		for j := range seqs {
			value := f.kernel.Eval(seqs[i], seqs[j])
			if math.IsNaN(value) || math.IsInf(value, 0) {
				t.Fatalf("Eval(%q, %q) = %v", seqs[i], seqs[j], value)
			}
			if i < 2 && value != 0 {
				t.Fatalf("Eval(empty, %q) = %v, want 0", seqs[j], value)
			}
		}
	}
	f.gramAgrees(t, c)
	f.mergeAgrees(t, c, c)
	empty, _ := stringkernel.NewCorpus(nil, nil)
	f.gram(t, empty)
	scorer, err := f.kernel.Merge(empty, nil)
	if err != nil {
		t.Fatalf("Merge of no sequences: %v", err)
	}
	dst := []float64{1}
	if scorer.ScoreTo(dst, []byte(s.Letters)); dst[0] != 0 {
		t.Fatalf("score without support vectors = %v, want 0", dst[0])
	}
}

func (s *suite) explanation(t *testing.T) {
	sv := s.corpus(9)
	f := s.fitted(t, sv)
	scorer, err := f.kernel.Merge(sv, s.vector(9), s.vector(9))
	if err != nil {
		t.Fatal(err)
	}
	if !stringkernel.CanExplain(scorer) {
		t.Skip("the scorer is no Explainer")
	}
	scores := make([]float64, 2)
	for range 20 {
		x := s.sequence()
		scorer.ScoreTo(scores, x)
		for m, want := range scores {
			parts := make([]float64, len(x))
			scorer.(stringkernel.Explainer).ExplainTo(parts, m, x)
			sum, size := 0.0, 0.0
			for _, p := range parts {
				sum += p
				size += math.Abs(p)
			}
			if !s.near(sum, want, size) {
				t.Fatalf("contributions of %q to score %d sum to %v, score %v", x, m, sum, want)
			}
		}
	}
}

func (s *suite) stored(t *testing.T) {
	sv := s.corpus(9)
	f := s.fitted(t, sv)
	scorer, err := f.kernel.Merge(sv, s.vector(9), s.vector(9))
	if err != nil {
		t.Fatal(err)
	}
	storable, ok := scorer.(stringkernel.Storable)
	if !ok {
		t.Skip("the scorer is not Storable")
	}
	arrays, ok := storable.Arrays()
	if !ok {
		t.Skip("the scorer inside is not Storable")
	}
	restored, err := f.kernel.(stringkernel.Restorer).Restore(arrays)
	if err != nil {
		t.Fatalf("Restore: %v", err)
	}
	want, got := make([]float64, 2), make([]float64, 2)
	for range 20 {
		x := s.sequence()
		scorer.ScoreTo(want, x)
		restored.ScoreTo(got, x)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("restored scores %v of %q, before %v", got, x, want)
		}
	}
}

func (s *suite) misuse(t *testing.T) {
	c := s.corpus(3)
	f := s.fitted(t, c)
	if _, err := f.kernel.Merge(c); err == nil {
		t.Error("Merge without coefficients: no error")
	}
	if _, err := f.kernel.Merge(c, make([]float64, 2)); err == nil {
		t.Error("Merge of 2 coefficients for 3 sequences: no error")
	}
}

func (s *suite) unchanged(t *testing.T) {
	c := s.corpus(8)
	var before [][]byte
	for i := range c.Len() {
		before = append(before, bytes.Clone(c.Seq(i)))
	}
	v := s.vector(8)
	saved := append([]float64(nil), v...)
	f := s.fitted(t, c)
	dst := make([]float64, 8)
	f.gram(t, c).MulVecTo(dst, v)
	scorer, err := f.kernel.Merge(c, v)
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.Len() {
		scorer.ScoreTo(dst[:1], c.Seq(i))
	}
	for i := range c.Len() {
		if !bytes.Equal(before[i], c.Seq(i)) {
			t.Fatalf("sequence %d has changed", i)
		}
	}
	if !reflect.DeepEqual(v, saved) {
		t.Fatal("the coefficients have changed")
	}
}

// concurrency repeats products and scores from several goroutines: all must give the bits of the first call.
func (s *suite) concurrency(t *testing.T) {
	c := s.corpus(12)
	f := s.fitted(t, c)
	g := f.gram(t, c)
	v := s.vector(12)
	scorer, err := f.kernel.Merge(c, v)
	if err != nil {
		t.Fatal(err)
	}
	run := func() [][]float64 {
		product, row, scores := make([]float64, 12), make([]float64, 12), make([]float64, 12)
		g.MulVecTo(product, v)
		g.Row(row, 3)
		for i := range scores {
			scorer.ScoreTo(scores[i:i+1], c.Seq(i))
		}
		return [][]float64{product, row, scores}
	}
	want := run()
	var wait sync.WaitGroup
	for range 4 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for range 5 {
				if got := run(); !reflect.DeepEqual(got, want) {
					t.Errorf("a repeated call gave other bits: %v, first %v", got, want)
					return
				}
			}
		}()
	}
	wait.Wait()
}

// json checks that a kernel's parameters survive a model file. Wrappers, whose JSON the catalogue writes, are skipped.
func (s *suite) json(t *testing.T) {
	kind := reflect.TypeOf(s.kernel)
	for i := range kind.NumField() {
		if f := kind.Field(i); f.IsExported() && f.Tag.Get("json") == "" {
			t.Skipf("field %s has no json tag: a wrapper", f.Name)
		}
	}
	text, err := json.Marshal(s.kernel)
	if err != nil {
		t.Fatal(err)
	}
	back := reflect.New(kind)
	if err := json.Unmarshal(text, back.Interface()); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back.Elem().Interface(), s.kernel) {
		t.Fatalf("JSON %s reads back as %+v, was %+v", text, back.Elem().Interface(), s.kernel)
	}
}

// dot returns Σ a_i b_i and Σ |a_i b_i|.
func dot(a, b []float64) (sum, size float64) {
	for i := range a {
		sum += a[i] * b[i]
		size += math.Abs(a[i] * b[i])
	}
	return sum, size
}
