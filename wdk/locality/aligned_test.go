package locality

import (
	"fmt"
	"math"
	"strings"
	"testing"

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

// poly is a polynomial kernel with its definition.
func poly(d int, c float64) (stringkernel.Kernel, valueOf) {
	return Polynomial{D: d, C: c, Alphabet: stringkernel.DNA}, func(x, y []byte) float64 {
		return polynomialByDefinition(x, y, "ACGT", d, c)
	}
}

type valueOf = func(x, y []byte) float64

// improved is a locality-improved kernel with its definition.
func improved(window, inner, outer int, weights Shape) (stringkernel.Kernel, valueOf) {
	k := Locality{Window: window, Inner: inner, Outer: outer, Weights: weights, Alphabet: stringkernel.DNA}
	return k, func(x, y []byte) float64 {
		return localityByDefinition(x, y, "ACGT", window, inner, outer, func(j int) float64 {
			if weights == Uniform {
				return 1
			}
			return float64(window+1) - math.Abs(float64(j))
		})
	}
}

func TestAlignedConform(t *testing.T) {
	run := func(k stringkernel.Kernel, value valueOf) {
		for _, length := range []int{1, 20, 64, 70, 200} {
			t.Run(fmt.Sprintf("%T%+v of %d", k, k, length), func(t *testing.T) {
				kerneltest.Run(t, k, kerneltest.Options{Letters: "ACGT", Breaks: "N", Length: length, Value: value})
				if value != nil && k.Eval([]byte("ACGT"), []byte("ACG")) != 0 {
					t.Error("windows of two lengths have a value that is not 0")
				}
			})
		}
	}
	run(poly(1, 0))
	run(poly(3, 1))
	run(poly(16, 0.25))
	run(Polynomial{D: 2, C: 0.5}, nil)
	run(Polynomial{D: 2, Alphabet: stringkernel.Protein}, nil)
	run(improved(0, 1, 1, Triangle))
	run(improved(4, 3, 2, Triangle))
	run(improved(20, 2, 2, Triangle))
	run(improved(2, 2, 1, Uniform))
	run(improved(31, 8, 4, Uniform))
	run(Locality{Window: 2, Inner: 2, Outer: 1, Weights: Uniform}, nil)
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
