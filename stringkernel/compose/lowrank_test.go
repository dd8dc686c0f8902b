package compose_test

import (
	"context"
	"errors"
	"math"
	"path"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
	"github.com/seqsvm/seqsvm/wdk/locality"
)

func gaussian(gamma float64) stringkernel.Kernel {
	return compose.RBF(normalized(spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA}), gamma)
}

// ofCounts is a Gaussian of counts, which has no linear term.
func ofCounts(gamma float64) stringkernel.Kernel {
	return compose.RBF(spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA}, gamma/40)
}

// fittedTo fits a kernel and returns its matrix.
func fittedTo(t *testing.T, k stringkernel.Kernel, c *stringkernel.Corpus) (stringkernel.Kernel, *mat.Dense) {
	t.Helper()
	fitted := must.Get(stringkernel.Fit(t.Context(), k, c))(t)
	return fitted, matrixOf(t, fitted, c)
}

func matrixOf(t *testing.T, k stringkernel.Kernel, c *stringkernel.Corpus) *mat.Dense {
	t.Helper()
	g := must.Get(k.Gram(t.Context(), c))(t)
	all := mat.NewDense(c.Len(), c.Len(), nil)
	for i := range c.Len() {
		g.Row(all.RawRowView(i), i)
	}
	return all
}

// approximationOf returns what the matrix says of itself.
func approximationOf(t *testing.T, k stringkernel.Kernel, c *stringkernel.Corpus) stringkernel.Approximation {
	t.Helper()
	g := must.Get(k.Gram(t.Context(), c))(t)
	return stringkernel.TraitsOf(g).Approximations[0]
}

// storedArray returns an array of the stored form of a scorer, or of the last term of one.
func storedArray[T any](t *testing.T, k stringkernel.Kernel, s stringkernel.Scorer, name string) []T {
	t.Helper()
	for _, a := range stringkernel.RestorerOf(k).Arrays(s) {
		if path.Base(a.Name) == name {
			return a.Data.([]T)
		}
	}
	t.Fatalf("no array %q", name)
	return nil
}

// pivotsOf returns the numbers in c of the pivots of a kernel fitted to it, and a scorer.
func pivotsOf(
	t *testing.T, k stringkernel.Kernel, c *stringkernel.Corpus, coef []float64,
) ([]int, stringkernel.Scorer) {
	t.Helper()
	s := must.Get(stringkernel.Merge(t.Context(), k, c, coef))(t)
	number, letters := map[string]int{}, storedArray[uint8](t, k, s, "pivots")
	for i := c.Len() - 1; i >= 0; i-- {
		number[string(c.Seq(i))] = i
	}
	var pivots []int
	start := uint64(0)
	for _, end := range storedArray[uint64](t, k, s, "pivot_ends") {
		i, known := number[string(letters[start:end])]
		if !known {
			t.Fatalf("pivot %q is no record", letters[start:end])
		}
		pivots, start = append(pivots, i), end
	}
	return pivots, s
}

// TestLowRankIsTheNystroemFormula computes K_nP K_PP⁻¹ K_Pn by another library for the pivots chosen, and scores from
// it.
func TestLowRankIsTheNystroemFormula(t *testing.T) {
	c, queries := randomDNA(t, 150, 40), randomDNA(t, 20, 50)
	for _, gamma := range []float64{0.05, 0.5, 3} {
		exact := ofCounts(gamma)
		full := matrixOf(t, exact, c)
		for _, rank := range []int{1, 31, 32, 33, 100} {
			k, got := fittedTo(t, compose.LowRank{Kernel: exact, Rank: rank}, c)
			coef := make([]float64, c.Len())
			for i := range coef {
				coef[i] = math.Sin(float64(i))
			}
			pivots, scorer := pivotsOf(t, k, c, coef)
			if len(pivots) != rank {
				t.Fatalf("γ %v: %d pivots, want %d", gamma, len(pivots), rank)
			}
			want, inverse := nystroem(t, full, pivots)
			trace, left := 0.0, 0.0
			for i := range c.Len() {
				for j := range c.Len() {
					if math.Abs(got.At(i, j)-want.At(i, j)) > 1e-10 {
						t.Fatalf("γ %v, rank %d: K[%d][%d] = %v, want %v", gamma, rank, i, j, got.At(i, j), want.At(i, j))
					}
				}
				trace, left = trace+full.At(i, i), left+full.At(i, i)-want.At(i, i)
			}
			a := approximationOf(t, k, c)
			if a.Rank != rank || a.Records != c.Len() || math.Abs(a.TraceError-left/trace) > 1e-12 {
				t.Fatalf("γ %v: %+v, want rank %d and trace error %v", gamma, a, rank, left/trace)
			}
			score, row := make([]float64, 1), make([]float64, c.Len())
			for q := range queries.Len() {
				x := queries.Seq(q)
				among := mat.NewVecDense(rank, nil)
				for p, i := range pivots {
					among.SetVec(p, exact.Eval(c.Seq(i), x))
				}
				var solved mat.VecDense
				solved.MulVec(inverse, among)
				sum := 0.0
				for i := range row {
					for p, j := range pivots {
						sum += coef[i] * full.At(i, j) * solved.AtVec(p)
					}
				}
				if scorer.ScoreTo(score, x); math.Abs(score[0]-sum) > 1e-9 {
					t.Fatalf("γ %v, rank %d: score %v, want %v", gamma, rank, score[0], sum)
				}
			}
		}
	}
}

// nystroem returns K_nP K_PP⁻¹ K_Pn and K_PP⁻¹.
func nystroem(t *testing.T, full *mat.Dense, pivots []int) (approximation, inverse *mat.Dense) {
	t.Helper()
	n, r := full.RawMatrix().Rows, len(pivots)
	columns, inside := mat.NewDense(n, r, nil), mat.NewDense(r, r, nil)
	for p, i := range pivots {
		for j := range n {
			columns.Set(j, p, full.At(j, i))
		}
		for q, j := range pivots {
			inside.Set(p, q, full.At(i, j))
		}
	}
	approximation, inverse = new(mat.Dense), new(mat.Dense)
	must.Succeed(t, inverse.Inverse(inside))
	approximation.Product(columns, inverse, columns.T())
	return approximation, inverse
}

// TestLowRankOfAllRecordsIsExact: pivots that span all records give the kernel itself, of records and of queries that
// are among them.
func TestLowRankOfAllRecordsIsExact(t *testing.T) {
	c := randomDNA(t, 90, 30)
	var b stringkernel.CorpusBuilder
	for i := range c.Len() {
		b.Add("", c.Seq(i))
		if i%7 == 0 { // duplicates are in the span of the first
			b.Add("", c.Seq(i))
		}
	}
	b.Add("", nil)
	c = b.Corpus()
	for name, exact := range map[string]stringkernel.Kernel{
		"gaussian": gaussian(1),
		"counts":   ofCounts(1),
		"linear":   spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA}, // 16 dimensions
		"words":    compose.RBF(normalized(bow.Kernel{NGram: "1"}), 0.5),
	} {
		k, got := fittedTo(t, compose.LowRank{Kernel: exact, Rank: c.Len()}, c)
		_, want := fittedTo(t, exact, c)
		scale := mat.Max(want)
		for i := range c.Len() {
			for j := range c.Len() {
				if math.Abs(got.At(i, j)-want.At(i, j)) > 2e-10*scale {
					t.Fatalf("%s: K[%d][%d] = %v, want %v", name, i, j, got.At(i, j), want.At(i, j))
				}
			}
		}
		pivots, _ := pivotsOf(t, k, c, make([]float64, c.Len()))
		if a := approximationOf(t, k, c); a.TraceError > 1e-9 {
			t.Errorf("%s: trace error %v with %d pivots", name, a.TraceError, len(pivots))
		}
		if name == "linear" && len(pivots) > 16 {
			t.Errorf("%d pivots in 16 dimensions", len(pivots))
		}
	}
}

// TestTraceErrorIsNearTheLeast: r pivots leave at most twice what the greatest r/3 eigenvalues leave (Chen et al. 2023,
// theorem 1.1 has that bound for the mean, with r/3 a little smaller), and no less than the greatest r.
func TestTraceErrorIsNearTheLeast(t *testing.T) {
	c := randomDNA(t, 240, 25)
	for _, gamma := range []float64{0.05, 0.3, 2} {
		var eigen mat.EigenSym
		full := matrixOf(t, ofCounts(gamma), c)
		if !eigen.Factorize(mat.NewSymDense(c.Len(), full.RawMatrix().Data), false) {
			t.Fatal("no eigenvalues")
		}
		values := eigen.Values(nil) // ascending
		for _, rank := range []int{3, 30, 66, 150} {
			k, rows := fittedTo(t, compose.LowRank{Kernel: ofCounts(gamma), Rank: rank}, c)
			got := approximationOf(t, k, c).TraceError
			rows.Sub(full, rows) // positive semidefinite: its trace is more than its norms
			if norm := mat.Norm(rows, 2); norm > got*floats.Sum(values)+1e-9 {
				t.Errorf("γ %v, rank %d: the error has the norm %v, the trace %v", gamma, rank, norm, got*floats.Sum(values))
			}
			least := floats.Sum(values[:c.Len()-rank]) / floats.Sum(values)
			most := 2 * floats.Sum(values[:c.Len()-rank/3]) / floats.Sum(values)
			if got < least-1e-12 || got > most {
				t.Errorf("γ %v, rank %d: trace error %v, want %v to %v", gamma, rank, got, least, most)
			}
		}
	}
}

// TestPivotsOfAFewDirections: records of few kinds need one pivot of each, whatever their numbers.
func TestPivotsOfAFewDirections(t *testing.T) {
	var b stringkernel.CorpusBuilder
	for i := range 200 {
		b.Add("", []byte([]string{"ACGTACGT", "TTTTTTTT", "ACGTACGT"}[i%3]))
	}
	b.Add("", []byte("GGGGGCGGGGGG"))
	c := b.Corpus()
	k, _ := fittedTo(t, compose.LowRank{Kernel: gaussian(3), Rank: 50}, c)
	if a := approximationOf(t, k, c); a.Rank != 3 || a.TraceError > 1e-9 {
		t.Errorf("%+v, want rank 3 and no error", a)
	}
}

func TestLowRankConforms(t *testing.T) {
	word := spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA}
	tfidf := substring.Kernel{Weight: substring.TFIDF, Alphabet: stringkernel.DNA}
	opt := kerneltest.Options{Letters: "ACGT", Breaks: "N", Tolerance: 1e-7}
	for name, k := range map[string]stringkernel.Kernel{
		"of a gaussian":      compose.LowRank{Kernel: gaussian(0.5), Rank: 5},
		"all records":        compose.LowRank{Kernel: gaussian(2), Rank: 100},
		"with a linear term": compose.LowRank{Rank: 5, Kernel: compose.RBF(words(), 0.1)},
		"of counts":          compose.LowRank{Kernel: ofCounts(0.5), Rank: 5},
		"of a table":         compose.LowRank{Kernel: normalized(word), Rank: 4},
		"of mismatches": compose.LowRank{Rank: 6, Kernel: compose.RBF(normalized(
			gapped.Mismatch{K: 3, M: 1, Alphabet: stringkernel.DNA}.BothStrands()), 1)},
		"depends on data": compose.LowRank{Kernel: compose.RBF(normalized(tfidf), 2), Rank: 6},
		"in a mean":       compose.Mean([]stringkernel.Kernel{compose.LowRank{Kernel: gaussian(1), Rank: 3}, word}, nil),
	} {
		t.Run(name, func(t *testing.T) { kerneltest.Run(t, k, opt) })
	}
	opt.Length = 12
	t.Run("of windows", func(t *testing.T) {
		kerneltest.Run(t, compose.LowRank{Kernel: locality.Polynomial{D: 3, C: 1}, Rank: 5}, opt)
	})
}

func TestLowRankFamily(t *testing.T) {
	kerneltest.Family(t, []stringkernel.Kernel{
		compose.LowRank{Kernel: gaussian(0.5), Rank: 3}, compose.LowRank{Kernel: gaussian(2), Rank: 8},
	}, kerneltest.Options{Letters: "ACGT", Breaks: "N"})
}

// TestLowRankThreads: the same bits on one processor and on several.
func TestLowRankThreads(t *testing.T) {
	c := randomDNA(t, 300, 40)
	for _, kernel := range []stringkernel.Kernel{ofCounts(0.5), compose.RBF(words(), 0.5)} {
		sameOnThreads(t, func() []float64 {
			k, all := fittedTo(t, compose.LowRank{Kernel: kernel, Rank: 100}, c)
			g := must.Get(k.Gram(t.Context(), c))(t)
			product := make([]float64, c.Len())
			g.MulVecTo(product, all.RawRowView(7))
			_, s := pivotsOf(t, k, c, product)
			return slices.Concat(all.RawMatrix().Data, product, storedArray[float64](t, k, s, "pivot_coef"))
		})
	}
}

func sameOnThreads(t *testing.T, results func() []float64) []float64 {
	t.Helper()
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	one := results()
	runtime.GOMAXPROCS(7)
	if !slices.Equal(one, results()) {
		t.Error("other bits on other numbers of processors")
	}
	return one
}

func TestApproximations(t *testing.T) {
	c := randomDNA(t, 60, 20)
	low := compose.LowRank{Kernel: gaussian(1), Rank: 10}
	for _, k := range []stringkernel.Kernel{
		low, fourier(30), compose.Mean([]stringkernel.Kernel{low, gaussian(1), fourier(8), low}, nil), gaussian(1),
	} {
		k, _ := fittedTo(t, k, c)
		got := must.Get(compose.Approximations(t.Context(), k))(t)
		g := must.Get(k.Gram(t.Context(), c))(t)
		if want := stringkernel.TraitsOf(g).Approximations; !slices.Equal(got, want) {
			t.Errorf("%v, the matrix has %v", got, want)
		}
	}
	if _, err := compose.Approximations(t.Context(), low); err == nil {
		t.Error("no error for a kernel that is not fitted")
	}
}

func TestLowRankErrors(t *testing.T) {
	c := randomDNA(t, 100, 20)
	for _, k := range []compose.LowRank{
		{Kernel: gaussian(1)}, {Kernel: gaussian(1), Rank: compose.MaxRank + 1}, {Rank: 3}, {Kernel: gaussian(-1), Rank: 3},
	} {
		if err := k.Check(); err == nil {
			t.Errorf("%+v: no error", k)
		}
	}
	k := compose.LowRank{Kernel: gaussian(1), Rank: 50}
	ctx, cancel := context.WithCancel(t.Context())
	fitted := must.Get(stringkernel.Fit(ctx, k, c))(t)
	cancel()
	if _, err := fitted.Gram(ctx, c); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	if _, err := fitted.Gram(t.Context(), c); err != nil {
		t.Errorf("after a call that was cancelled: %v", err)
	}
	before := memory.SetLimit(20_000)
	defer memory.SetLimit(before)
	var much *memory.Error
	if _, err := stringkernel.Fit(t.Context(), k, c); !errors.As(err, &much) || !strings.Contains(err.Error(), "rank") {
		t.Errorf("error %v, want one about memory", err)
	}
}
