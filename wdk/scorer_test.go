package wdk

import (
	"math"

	"github.com/seqsvm/seqsvm/stringkernel"
	"pgregory.net/rapid"
)

// drawCoef draws coefficients for some outputs, a few of them 0.
func drawCoef(t *rapid.T, n, outputs int) [][]float64 {
	coef := make([][]float64, outputs)
	for m := range coef {
		coef[m] = rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-2, 2), rapid.Just(0.0)), n, n).Draw(t, "coef")
	}
	return coef
}

// sumOfEval returns Σ coef·k and the size of its terms.
func sumOfEval(k Kernel, sv *stringkernel.Corpus, coef []float64, x []byte) (sum, size float64) {
	norm := math.Sqrt(k.SelfEval(x))
	for i, a := range coef {
		sum += a * k.Eval(sv.Seq(i), x)
		size += math.Abs(a) * norm * math.Sqrt(k.SelfEval(sv.Seq(i)))
	}
	return sum, size
}
