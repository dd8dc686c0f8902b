package locality

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

func TestPolynomialCheck(t *testing.T) {
	kerneltest.Parameters(t, []kerneltest.ParameterCase{
		{Kernel: Polynomial{D: 1, Alphabet: stringkernel.DNA}, Want: ""},
		{Kernel: Polynomial{D: 16, C: 1e6}, Want: ""},
		{Kernel: Polynomial{C: 1}, Want: "poly: d = 0, want 1…16"},
		{Kernel: Polynomial{D: 17}, Want: "poly: d = 17, want 1…16"},
		{Kernel: Polynomial{D: 2, C: -0.5}, Want: "poly: c = -0.5, want 0…1000000"},
		{Kernel: Polynomial{D: 2, C: 1000001}, Want: "poly: c = 1.000001e+06, want 0…1000000"},
		{Kernel: Polynomial{D: 2, C: math.NaN()}, Want: "poly: c = NaN"},
		{Kernel: Polynomial{D: 2, Alphabet: "greek"}, Want: `poly: alphabet "greek" is unknown`},
	})
}

func TestLocalityCheck(t *testing.T) {
	good := Locality{Window: 3, Inner: 2, Outer: 1, Weights: Triangle, Alphabet: stringkernel.DNA}
	with := func(change func(k *Locality)) Locality {
		k := good
		change(&k)
		return k
	}
	kerneltest.Parameters(t, []kerneltest.ParameterCase{
		{Kernel: good, Want: ""},
		{Kernel: with(func(k *Locality) { k.Window = 0 }), Want: ""},
		{Kernel: with(func(k *Locality) { k.Window, k.Inner, k.Outer, k.Weights = 31, 8, 4, Uniform }), Want: ""},
		{Kernel: with(func(k *Locality) { k.Window = -1 }), Want: "locality: window = -1, want 0…31"},
		{Kernel: with(func(k *Locality) { k.Window = 32 }), Want: "locality: window = 32, want 0…31"},
		{Kernel: with(func(k *Locality) { k.Inner = 0 }), Want: "locality: inner = 0, want 1…8"},
		{Kernel: with(func(k *Locality) { k.Inner = 9 }), Want: "locality: inner = 9, want 1…8"},
		{Kernel: with(func(k *Locality) { k.Outer = 0 }), Want: "locality: outer = 0, want 1…4"},
		{Kernel: with(func(k *Locality) { k.Outer = 5 }), Want: "locality: outer = 5, want 1…4"},
		{
			Kernel: with(func(k *Locality) { k.Weights = "square" }),
			Want:   `locality: weights = "square", want triangle or uniform`,
		},
		{Kernel: with(func(k *Locality) { k.Alphabet = "greek" }), Want: `locality: alphabet "greek" is unknown`},
	})
}

func TestAlignedConform(t *testing.T) {
	kernels := []stringkernel.Kernel{
		Polynomial{
			D:        1,
			Alphabet: stringkernel.DNA,
		}, Polynomial{D: 3, C: 1, Alphabet: stringkernel.DNA}, Polynomial{D: 2, C: 0.5},
		Polynomial{D: 2, Alphabet: stringkernel.Protein},
		Locality{Window: 0, Inner: 1, Outer: 1, Weights: Triangle, Alphabet: stringkernel.DNA},
		Locality{Window: 4, Inner: 3, Outer: 2, Weights: Triangle, Alphabet: stringkernel.DNA},
		Locality{
			Window:  2,
			Inner:   2,
			Outer:   1,
			Weights: Uniform,
		}, Locality{Window: 20, Inner: 2, Outer: 2, Weights: Triangle, Alphabet: stringkernel.DNA},
	}
	for _, k := range kernels {
		for _, length := range []int{1, 20, 64, 70} {
			t.Run(fmt.Sprintf("%T%+v of %d", k, k, length), func(t *testing.T) {
				kerneltest.Run(t, k, kerneltest.Options{Letters: "ACGT", Breaks: "N", Length: length})
			})
		}
	}
}

// window draws a sequence of n letters, often alike.
func window(t *rapid.T, letters string, n int) []byte {
	return rapid.SliceOfN(rapid.SampledFrom([]byte(letters)), n, n).Draw(t, "window")
}

// alignedCase draws windows of one length, and a query of any.
func alignedCase(t *rapid.T) (windows [][]byte, query []byte) {
	n := rapid.IntRange(0, 200).Draw(t, "length")
	for range rapid.IntRange(1, 4).Draw(t, "windows") {
		windows = append(windows, window(t, "AAACGTN", n))
	}
	return windows, window(t, "AAACGTN", rapid.OneOf(rapid.Just(n), rapid.IntRange(0, 220)).Draw(t, "query length"))
}

// checkAligned compares values, rows and scores with the definition.
func checkAligned(t *rapid.T, k stringkernel.Kernel, windows [][]byte, query []byte, define func(x, y []byte) float64) {
	c := must.Get(stringkernel.NewCorpus(windows, nil))(t)
	g := must.Get(k.Gram(context.Background(), c))(t)
	row, coef, score := make([]float64, len(windows)), make([]float64, len(windows)), 0.0
	for i, x := range windows {
		g.Row(row, i)
		for j, y := range windows {
			want := define(x, y)
			if got := k.Eval(x, y); !isNear(got, want, 0) {
				t.Fatalf("Eval(%q, %q) = %v, want %v", x, y, got, want)
			}
			if !isNear(row[j], want, 0) {
				t.Fatalf("Row of %q and %q: %v, want %v", x, y, row[j], want)
			}
		}
		if got, want := k.Eval(x, query), define(x, query); !isNear(got, want, 0) {
			t.Fatalf("Eval(%q, %q) = %v, want %v", x, query, got, want)
		}
		coef[i] = float64(i + 1)
		score += coef[i] * define(x, query)
	}
	s := must.Get(stringkernel.Merge(context.Background(), k, c, coef))(t)
	got := make([]float64, 1)
	if s.ScoreTo(got, query); !isNear(got[0], score, 0) {
		t.Fatalf("score of %q = %v, want %v", query, got[0], score)
	}
}

func TestPolynomialDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := Polynomial{
			D:        rapid.IntRange(1, mostDegree).Draw(t, "d"),
			C:        rapid.SampledFrom([]float64{0, 1, 0.25}).Draw(t, "c"),
			Alphabet: stringkernel.DNA,
		}
		windows, query := alignedCase(t)
		checkAligned(
			t,
			k,
			windows,
			query,
			func(x, y []byte) float64 { return polynomialByDefinition(x, y, "ACGT", k.D, k.C) },
		)
	})
}

func TestLocalityDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := Locality{
			Window:   rapid.IntRange(0, mostWindow).Draw(t, "l"),
			Inner:    rapid.IntRange(1, mostInner).Draw(t, "inner"),
			Outer:    rapid.IntRange(1, mostOuter).Draw(t, "outer"),
			Weights:  rapid.SampledFrom([]Shape{Triangle, Uniform}).Draw(t, "shape"),
			Alphabet: stringkernel.DNA,
		}
		weight := func(int) float64 { return 1 }
		if k.Weights == Triangle {
			weight = func(j int) float64 { return float64(k.Window+1) - math.Abs(float64(j)) }
		}
		windows, query := alignedCase(t)
		checkAligned(t, k, windows, query, func(x, y []byte) float64 {
			return localityByDefinition(x, y, "ACGT", k.Window, k.Inner, k.Outer, weight)
		})
	})
}

// A window without letters has the value 0 with everything, whatever c.
func TestAlignedWithoutLetters(t *testing.T) {
	c := corpusOf(t, [][]byte{[]byte("NNNN"), []byte("ACGT"), []byte("TGCA")})
	k := Polynomial{D: 2, C: 3, Alphabet: stringkernel.DNA}
	g := must.Get(k.Gram(t.Context(), c))(t)
	row := make([]float64, 3)
	if g.Row(row, 0); row[0] != 0 || row[1] != 0 {
		t.Errorf("row of a window without letters: %v, want zeros", row)
	}
	if g.Row(row, 1); row[0] != 0 || row[1] != 49 || row[2] != 9 {
		t.Errorf("row %v, want 0, 49, 9", row)
	}
	if got := k.Eval(c.Seq(0), c.Seq(1)); got != 0 {
		t.Errorf("Eval = %v, want 0", got)
	}
}

func TestAlignedLengths(t *testing.T) {
	c := must.Get(stringkernel.NewCorpus([][]byte{[]byte("ACGT"), []byte("ACG")}, []string{"one", "other"}))(t)
	for name, k := range map[string]stringkernel.Kernel{"poly": Polynomial{D: 2},
		"locality": Locality{Inner: 1, Outer: 1, Weights: Uniform}} {
		for _, fails := range []func() error{
			func() error { _, err := k.Gram(t.Context(), c); return err },
			func() error { _, err := stringkernel.Merge(t.Context(), k, c, []float64{1, 1}); return err },
		} {
			err := fails()
			if err == nil || !strings.HasPrefix(err.Error(), name+": ") ||
				!strings.Contains(err.Error(), `record "other" (number 2): 3 letters, but the first record has 4`) {
				t.Errorf("%s: error %v", name, err)
			}
		}
	}
}

func corpusOf(t testing.TB, seqs [][]byte) *stringkernel.Corpus {
	t.Helper()
	return must.Get(stringkernel.NewCorpus(seqs, nil))(t)
}

// isNear compares with what rounding allows sums of the size of scale.
func isNear(got, want, scale float64) bool {
	return math.Abs(got-want) <= 1e-11*(math.Abs(scale)+math.Abs(want))+1e-300
}
