package compose_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/wdk/locality"
)

// words is a kernel of words that few records share, and which pivots do not span soon.
func words() stringkernel.Kernel {
	return normalized(spectrum.Kernel{K: 4, Alphabet: stringkernel.DNA})
}

// TestLinearTermIsExact computes w·s + K_nP K_PP⁻¹ K_Pn, where K is what is left of the function without w·s, by
// another library for the pivots chosen, and scores from it.
func TestLinearTermIsExact(t *testing.T) {
	c, queries := randomDNA(t, 150, 40), randomDNA(t, 20, 50)
	coef := make([]float64, c.Len())
	for i := range coef {
		coef[i] = math.Sin(float64(i))
	}
	inner := matrixOf(t, words(), c)
	for name, test := range map[string]struct {
		function stringkernel.Kernel
		weight   float64
	}{
		"gaussian": {compose.RBF(words(), 0.5), 1 / math.E},
		"narrow":   {compose.RBF(words(), 0.1), 0.2 * math.Exp(-0.2)},
		"exponential": {
			compose.FunctionOf(compose.Form{Op: compose.Exponential, Scale: 2}, words()), 2 * math.Exp(-2)},
		"power": {compose.FunctionOf(compose.Form{Op: compose.Power, Degree: 3, Offset: 1}, words()), 3. / 8},
	} {
		full := matrixOf(t, test.function, c)
		for _, rank := range []int{33, 70} {
			k, got := fittedTo(t, compose.LowRank{Kernel: test.function, Rank: rank}, c)
			pivots, scorer := pivotsOf(t, k, c, coef)
			rest := mat.NewDense(c.Len(), c.Len(), nil)
			rest.Scale(-test.weight, inner)
			rest.Add(rest, full)
			beyond, inverse := nystroem(t, rest, pivots)
			whole, _ := nystroem(t, full, pivots)
			left, leftOfWhole := 0.0, 0.0
			for i := range c.Len() {
				for j := range c.Len() {
					want := test.weight*inner.At(i, j) + beyond.At(i, j)
					if math.Abs(got.At(i, j)-want) > 1e-10 {
						t.Fatalf("%s, rank %d: K[%d][%d] = %v, want %v", name, rank, i, j, got.At(i, j), want)
					}
				}
				left += full.At(i, i) - got.At(i, i)
				leftOfWhole += full.At(i, i) - whole.At(i, i)
			}
			if left > leftOfWhole {
				t.Errorf("%s, rank %d: %v of the trace is left, and %v without the linear term", name, rank, left, leftOfWhole)
			}
			g := must.Get(k.Gram(t.Context(), c))(t)
			if stringkernel.FeatureRowsOf(g) == nil || !stringkernel.TraitsOf(g).FavorsProducts {
				t.Errorf("%s, rank %d: no rows, or no products favoured", name, rank)
			}
			a, trace := approximationOf(t, k, c), mat.Trace(full)
			if a.Rank != rank || math.Abs(a.TraceError-left/trace) > 1e-10 || math.Abs(a.Linear-test.weight) > 1e-15 {
				t.Fatalf("%s: %+v, want rank %d, trace error %v, weight %v", name, a, rank, left/trace, test.weight)
			}
			score, among := make([]float64, 1), mat.NewVecDense(rank, nil)
			for q := range queries.Len() {
				x, want := queries.Seq(q), 0.0
				for p, i := range pivots {
					s := words().Eval(c.Seq(i), x)
					among.SetVec(p, test.function.Eval(c.Seq(i), x)-test.weight*s)
				}
				var solved mat.VecDense
				solved.MulVec(inverse, among)
				for i := range coef {
					want += coef[i] * test.weight * words().Eval(c.Seq(i), x)
					for p, j := range pivots {
						want += coef[i] * rest.At(i, j) * solved.AtVec(p)
					}
				}
				if scorer.ScoreTo(score, x); math.Abs(score[0]-want) > 1e-9 {
					t.Fatalf("%s, rank %d: score %v, want %v", name, rank, score[0], want)
				}
				if compose.Raw(scorer).ScoreTo(score, x); math.Abs(score[0]-want) > 1e-9 {
					t.Fatalf("%s, rank %d: without norms %v, want the same %v", name, rank, score[0], want)
				}
			}
		}
	}
}

// TestNoLinearTerm: nothing is taken from functions without a linear term, of kernels without products, or where pivots
// span the linear term soon.
func TestNoLinearTerm(t *testing.T) {
	c := randomDNA(t, 150, 40)
	for name, k := range map[string]stringkernel.Kernel{
		"norms that differ": ofCounts(0.5),
		"no linear term":    compose.FunctionOf(compose.Form{Op: compose.Power, Degree: 2}, words()),
		"nothing else":      compose.FunctionOf(compose.Form{Op: compose.Power, Degree: 1}, words()),
		"rows alone":        compose.RBF(normalized(locality.Polynomial{D: 3, C: 1}), 0.5),
		"few features": compose.RBF(
			normalized(spectrum.Kernel{K: 1, Alphabet: stringkernel.DNA}), 0.5),

		"not a function": words(),
	} {
		k, _ := fittedTo(t, compose.LowRank{Kernel: k, Rank: 40}, c)
		if a := approximationOf(t, k, c); a.Linear != 0 {
			t.Errorf("%s: %+v", name, a)
		}
	}
}
