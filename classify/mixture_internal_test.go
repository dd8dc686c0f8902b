package classify

import (
	"math"
	"testing"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// sumOf returns the mean of spectrum kernels of some lengths.
func sumOf(weights []float64, lengths ...int) compose.Linear {
	k := compose.Mean(nil, weights)
	for _, length := range lengths {
		k.Terms = append(k.Terms, compose.Normalized(spectrum.Kernel{K: length, Alphabet: stringkernel.Bytes}))
	}
	return k
}

// TestMixtureIsTheBest compares the objective of learned weights with those of weights all over the ball ‖d‖_p ≤ r: the
// kernel Σ d_t K_t with the cost C is the mean with C·Σ d_t, times Σ d_t.
func TestMixtureIsTheBest(t *testing.T) {
	d := toyData(36, 3)
	for norm, scheme := range map[float64]string{1: decide.OneVsRest, 1.3: decide.CrammerSinger} {
		trainer := Trainer{Kernel: sumOf(nil, 1, 2, 3), Tol: 1e-5, C: 2, MKL: norm, Multiclass: scheme}
		model := must.Get(trainer.Train(t.Context(), d))(t)
		found := model.Rule.Mixture
		if found.Gap > trainer.Tol || found.Dual > found.Primal || found.Norm != norm {
			t.Errorf("p = %v, %s: %+v, want a gap of at most %v", norm, scheme, found, trainer.Tol)
		}
		least := math.Inf(1)
		for _, a := range []float64{0, 0.1, 1} {
			for _, b := range []float64{0.01, 0.4, 1} {
				for _, c := range []float64{0, 0.1, 1} {
					least = min(least, objective(t, d, trainer, []float64{a, b, c}))
				}
			}
		}
		if found.Dual > least {
			t.Errorf("p = %v, %s: the dual %v is above the primal %v of other weights", norm, scheme, found.Dual, least)
		}
		if found.Primal > least*1.05 || found.Primal < least*0.8 {
			t.Errorf("p = %v, %s: the primal %v is far from the least of a coarse grid, %v", norm, scheme,
				found.Primal, least)
		}
	}
}

// objective returns the primal objective of the weights d, scaled to the bound.
func objective(t *testing.T, d *dataset.Dataset, trainer Trainer, weights []float64) float64 {
	t.Helper()
	size := normOf(weights, trainer.MKL)
	var kernel compose.Linear
	total := 0.0
	for i, w := range weights {
		if w *= math.Pow(float64(len(weights)), 1/trainer.MKL-1) / size; w > 0 {
			kernel.Terms = append(kernel.Terms, trainer.Kernel.(compose.Linear).Terms[i])
			kernel.Weights = append(kernel.Weights, w)
			total += w
		}
	}
	trainer.Kernel, trainer.MKL, trainer.C = kernel, 0, trainer.C*total
	model := must.Get(trainer.Train(t.Context(), d))(t)
	sum := 0.0
	for _, m := range model.Problems {
		sum += m.Primal / total
	}
	return sum
}
