package classify_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// ballData are records whose lengths, and so k(x, x), vary; the last ones are novel.
func ballData(t *testing.T) *dataset.Dataset {
	t.Helper()
	var b stringkernel.CorpusBuilder
	labels := []string{}
	for i := range 30 {
		x := []byte{}
		for j := range 12 + 5*(i%7) {
			x = append(x, "ACGT"[(i*i+j*(i+3)+j*j/3)%4])
		}
		b.Add(fmt.Sprint("r", i), x)
		labels = append(labels, map[bool]string{true: "known", false: "other"}[i < 24])
	}
	return must.Get(dataset.NewNovelty(b.Corpus(), labels, []string{"known"}, nil))(t)
}

// capped projects v onto {α : 0 ≤ α ≤ most, Σα = 1}.
func capped(v []float64, most float64) (out []float64) {
	lo, hi := -10.0, 10.0
	for range 60 {
		shift, sum := (lo+hi)/2, 0.0
		out = out[:0]
		for _, x := range v {
			out = append(out, min(most, max(0, x-shift)))
			sum += out[len(out)-1]
		}
		if sum > 1 {
			lo = shift
		} else {
			hi = shift
		}
	}
	return out
}

// The ball is the solution of its dual, max Σ α_i K_ii − αᵀKα, by projected gradients: decisions are half of
// ‖φ(x) − a‖² − r², by definition, of the records of training and of others, whether trained, stored in a classifier or
// cross-validated.
func TestBall(t *testing.T) {
	d := ballData(t)
	trainer := classify.TaskTrainer()
	trainer.Kernel, trainer.Tol, trainer.Ball = spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA}, 1e-9, true
	k := svmtest.Dense(must.Get(trainer.Kernel.Gram(context.Background(), d.Corpus))(t))
	for _, nu := range []float64{0.01, 0.2, 0.55} {
		trainer.Nu = nu
		const n = 24
		most, alpha, f := 1/(nu*n), make([]float64, n), make([]float64, d.Len())
		for i := range alpha {
			alpha[i] = 1.0 / n
		}
		for range 4000 {
			product(f, k, alpha)
			for i := range alpha {
				alpha[i] -= 3e-4 * (2*f[i] - k.Of(i)[i])
			}
			copy(alpha, capped(alpha, most))
		}
		product(f, k, alpha)
		centre, radius, free := 0.0, 0.0, 0.0 // ‖a‖², r²
		for i, a := range alpha {
			centre += a * f[i]
		}
		distance := func(i int) float64 { return k.Of(i)[i] - 2*f[i] + centre }
		for i, a := range alpha {
			if a > 1e-6 && a < most-1e-6 {
				radius, free = radius+distance(i), free+1
			}
		}
		radius /= free
		m, predictions := trainTask(t, trainer, d)
		outside := 0
		for i, p := range predictions {
			if want := (distance(i) - radius) / 2; math.Abs(p.Scores[0]-want) > 1e-3*radius {
				t.Errorf("ν = %v, record %d: decision %v, want %v", nu, i, p.Scores[0], want)
			}
			if i < n && p.Scores[0] > 1e-3*radius {
				outside++
			}
		}
		if float64(outside) > nu*n || free == 0 {
			t.Errorf("ν = %v: %d records outside, %v at the radius", nu, outside, free)
		}
		if got, want := 2*m.Machines[0].Primal, dualOf(k, alpha); math.Abs(got-want) > 1e-5*want {
			t.Errorf("ν = %v: twice the primal value %v, the dual one %v", nu, got, want)
		}
	}
	fold := make([]int, d.Len())
	for i := range fold {
		fold[i] = i % 3
	}
	folds := must.Get(classify.CrossValidate(context.Background(), trainer, d, fold))(t)
	for f := range 3 {
		train, test := folds.Split(f)
		m := must.Get(trainer.Train(context.Background(), d.Subset(train)))(t)
		c := must.Get(m.Classifier(context.Background()))(t)
		for _, i := range test {
			if got, want := folds.Predictions[i].Scores[0], c.Decide(d.Corpus.Seq(i)).Scores[0]; math.Abs(got-want) > 1e-3 {
				t.Errorf("fold %d, record %d: %v, of a model of the others %v", f, i, got, want)
			}
		}
	}
}

// product writes K·(α, 0) into f.
func product(f []float64, k *svm.Precomputed, alpha []float64) {
	for i := range f {
		f[i] = 0
		for j, a := range alpha {
			f[i] += a * k.Of(i)[j]
		}
	}
}

// dualOf returns Σ α_i K_ii − αᵀKα.
func dualOf(k *svm.Precomputed, alpha []float64) (sum float64) {
	f := make([]float64, k.N)
	product(f, k, alpha)
	for i, a := range alpha {
		sum += a * (k.Of(i)[i] - f[i])
	}
	return sum
}

// Where k(x, x) is constant, the ball has the decisions of the one-class machine; elsewhere it is refused.
func TestBallIsOneClass(t *testing.T) {
	d, trainer := ballData(t), classify.TaskTrainer()
	trainer.Nu = 0.3
	_, one := trainTask(t, trainer, d)
	trainer.Ball = true
	_, ball := trainTask(t, trainer, d)
	for i := range one {
		if a, b := one[i].Scores[0], ball[i].Scores[0]; math.Abs(a-b) > 1e-4 {
			t.Errorf("record %d: %v, ball %v", i, a, b)
		}
	}
	option := (*svm.OptionError)(nil)
	if err := trainer.CheckLabels(dataset.TwoClasses); !errors.As(err, &option) || option.Option != "Ball" {
		t.Errorf("two classes: %v", err)
	}
	if err := trainer.CheckShards(); !errors.As(err, &option) || option.Option != "Ball" {
		t.Errorf("a stream: %v", err)
	}
}
