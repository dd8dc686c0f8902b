package wdk_test

import (
	"bytes"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/wdk"
)

// drawKernel draws a kernel for windows of a length.
func drawKernel(t *rapid.T, length int) wdk.Kernel {
	k := wdk.Kernel{
		D: rapid.OneOf(rapid.SampledFrom([]int{1, 2, 3, 5, 20, length + 1, 10_000}), rapid.IntRange(1, 66)).
			Draw(t, "d"),
		Alphabet: rapid.SampledFrom([]stringkernel.Alphabet{stringkernel.DNA, stringkernel.RNA, stringkernel.Protein,
			stringkernel.Bytes}).
			Draw(t, "alphabet"),
	}
	if rapid.Bool().Draw(t, "shifted") {
		k.Shift = rapid.SampledFrom([]int{1, 2, 5, length + 1, 10_000}).Draw(t, "shift")
		k.Shogun = rapid.Bool().Draw(t, "shogun")
		if rapid.Bool().Draw(t, "ramped") {
			k.Ramp = rapid.SampledFrom([]float64{0.1, 0.5, 1, 3}).Draw(t, "ramp")
			k.Anchor = rapid.IntRange(0, length+3).Draw(t, "anchor")
		}
	}
	if length > 0 && rapid.Bool().Draw(t, "weighted") {
		k.Weights = rapid.SliceOfN(rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(1e-3, 3)), length, length).
			Draw(t, "weights")
		k.Weights[length/2] = 1
	}
	return k
}

// drawWindow draws letters of few kinds, so that matches are long, and some outside the alphabet.
func drawWindow(t *rapid.T, k wdk.Kernel, length int) []byte {
	letters := map[stringkernel.Alphabet]string{
		stringkernel.DNA: "AAAACCCGTN", stringkernel.RNA: "AAAACCCGUN", stringkernel.Protein: "AAAALLLVX*",
		stringkernel.Bytes: "aaaab\x00",
	}[k.Alphabet]
	return rapid.SliceOfN(rapid.SampledFrom([]byte(letters)), length, length).Draw(t, "window")
}

// near allows rounding; below 1e-307 or so, numbers have fewer digits.
func near(a, b, size float64) bool { return math.Abs(a-b) <= 1e-12*size+1e-300 }

func TestEvalByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.IntRange(0, 40).Draw(t, "length")
		k := drawKernel(t, length)
		must.Succeed(t, k.Check())
		other := length
		if rapid.IntRange(0, 4).Draw(t, "unequal") == 0 {
			other = rapid.IntRange(0, 40).Draw(t, "other length")
		}
		x, y := drawWindow(t, k, length), drawWindow(t, k, other)
		want, size := byDefinition(k, x, y), math.Sqrt(byDefinition(k, x, x)*byDefinition(k, y, y))
		if got := k.Eval(x, y); !near(got, want, size) {
			t.Fatalf("%+v: %q and %q: %v, want %v", k, x, y, got, want)
		}
		if got := k.SelfEval(x); !near(got, byDefinition(k, x, x), got) {
			t.Fatalf("%+v: %q: self %v, want %v", k, x, got, byDefinition(k, x, x))
		}
	})
}

// letterAt is a window with one letter, at a position.
func letterAt(p, length int) []byte {
	x := bytes.Repeat([]byte("N"), length)
	x[p] = 'A'
	return x
}

// The weights of pairs of positions are a positive semidefinite matrix, with ramps, too.
func TestShiftsAreSemidefinite(t *testing.T) {
	const length = 60
	for _, shift := range []int{1, 3, 20} {
		for _, ramp := range []float64{0, 0.3, 1, 7} {
			for _, shogun := range []bool{false, true} {
				k := wdk.Kernel{D: 1, Shift: shift, Ramp: ramp, Shogun: shogun, Alphabet: stringkernel.DNA}
				if ramp > 0 {
					k.Anchor = 25
				}
				matrix := mat.NewSymDense(length, nil)
				for p := range length {
					for q := p; q < length; q++ {
						matrix.SetSym(p, q, k.Eval(letterAt(p, length), letterAt(q, length)))
					}
				}
				var e mat.EigenSym
				if !e.Factorize(matrix, false) {
					t.Fatalf("%+v: no eigenvalues", k)
				}
				if least := e.Values(nil)[0]; least < -1e-12 {
					t.Errorf("%+v: least eigenvalue %v, want ≥ 0", k, least)
				}
			}
		}
	}
}

// drawCorpus draws n windows of a length, some of them mostly like the one before.
func drawCorpus(t *rapid.T, k wdk.Kernel, n, length int) *stringkernel.Corpus {
	seqs := make([][]byte, n)
	for i := range seqs {
		seqs[i] = drawWindow(t, k, length)
		if i > 0 {
			copy(seqs[i], seqs[i-1][:rapid.SampledFrom([]int{0, 0, length / 2, length}).Draw(t, "copied")])
		}
	}
	return must.Get(stringkernel.NewCorpus(seqs, nil))(t)
}

// drawCoef draws coefficients for some outputs, a few of them 0.
func drawCoef(t *rapid.T, n, outputs int) [][]float64 {
	coef := make([][]float64, outputs)
	for m := range coef {
		coef[m] = rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-2, 2), rapid.Just(0.0)), n, n).Draw(t, "coef")
	}
	return coef
}

// sumOfEval returns Σ coef·k and the size of its terms.
func sumOfEval(k wdk.Kernel, sv *stringkernel.Corpus, coef []float64, x []byte) (sum, size float64) {
	norm := math.Sqrt(k.SelfEval(x))
	for i, a := range coef {
		sum += a * k.Eval(sv.Seq(i), x)
		size += math.Abs(a) * norm * math.Sqrt(k.SelfEval(sv.Seq(i)))
	}
	return sum, size
}
