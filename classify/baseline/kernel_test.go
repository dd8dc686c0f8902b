package baseline_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/baseline"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// words are random words with labels 0, 1 or 2, and their matrix by the definition.
type words struct {
	corpus *stringkernel.Corpus
	labels []string
	matrix [][]float64
}

func randomWords(t *testing.T, n int) words {
	t.Helper()
	random := rand.New(rand.NewPCG(5, uint64(n)))
	var w words
	var b stringkernel.CorpusBuilder
	for range n {
		seq := drawn.Text(random, "ACGT", 6+random.IntN(6))
		b.Add("", seq)
		w.labels = append(w.labels, string("012"[random.IntN(3)]))
	}
	w.corpus = b.Corpus()
	kernel := spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA}
	for i := range n {
		row := make([]float64, n)
		for j := range row {
			row[j] = kernel.Eval(w.corpus.Seq(i), w.corpus.Seq(j))
		}
		w.matrix = append(w.matrix, row)
	}
	return w
}

// gram gives the matrix, whatever the records of training.
func (w words) gram(context.Context, []int) (stringkernel.Gram, error) {
	return &svm.Precomputed{N: len(w.matrix), K: slices.Concat(w.matrix...)}, nil
}

func (w words) distance(i, j int) float64 { return w.matrix[i][i] + w.matrix[j][j] - 2*w.matrix[i][j] }

// toCentroid is the squared distance of record i from the mean of others in feature space.
func (w words) toCentroid(i int, others []int) float64 {
	n, out := float64(len(others)), w.matrix[i][i]
	for _, j := range others {
		out -= 2 * w.matrix[i][j] / n
		for _, k := range others {
			out += w.matrix[j][k] / (n * n)
		}
	}
	return out
}

// TestKernelMethodsOfClasses compares predictions of the nearest neighbour and centroid with brute force.
func TestKernelMethodsOfClasses(t *testing.T) {
	for _, classes := range []string{"01", "012"} {
		w := randomWords(t, 40)
		for i, label := range w.labels {
			if !strings.Contains(classes, label) {
				w.labels[i] = "0"
			}
		}
		d := must.Get(dataset.New(w.corpus, w.labels, nil))(t)
		fold := must.Get(d.Folds(3, 1))(t)
		for name, c := range map[string]struct {
			method   baseline.Method
			distance func(i int, others []int) float64
		}{
			"neighbour": {baseline.Neighbour{Gram: w.gram}, func(i int, others []int) float64 {
				least := math.Inf(1)
				for _, j := range others {
					least = min(least, w.distance(i, j))
				}
				return least
			}},
			"parzen": {baseline.Centroid{Gram: w.gram, Windows: true}, func(i int, others []int) float64 {
				sum := 0.0
				for _, j := range others {
					sum += w.matrix[i][j]
				}
				return -sum / float64(len(others))
			}},
			"centroid": {baseline.Centroid{Gram: w.gram}, func(i int, others []int) float64 { return w.toCentroid(i, others) / 2 }},
		} {
			out := must.Get(baseline.CrossValidate(t.Context(), c.method, d, fold))(t)
			for i, p := range out.Predictions {
				distances := make([]float64, len(d.Classes))
				for class := range distances {
					var members []int
					for j, y := range d.Y {
						if y == class && fold[j] != fold[i] {
							members = append(members, j)
						}
					}
					distances[class] = c.distance(i, members)
				}
				for k, score := range p.Scores {
					class := k
					if len(p.Scores) == 1 {
						class = d.Positive
					}
					rest := slices.Delete(slices.Clone(distances), class, class+1)
					if want := slices.Min(rest) - distances[class]; math.Abs(score-want) > 1e-12 {
						t.Fatalf("%s, record %d: score %v of class %d, want %v", name, i, score, class, want)
					}
				}
				if distances[p.Class] > slices.Min(distances)+1e-12 {
					t.Fatalf("%s, record %d: class %d, distances %v", name, i, p.Class, distances)
				}
			}
		}
	}
}

// TestBaselinesOfNumbers: the mean is weighted, the neighbour's number is that of the nearest record.
func TestBaselinesOfNumbers(t *testing.T) {
	w := randomWords(t, 30)
	d := must.Get(dataset.NewTargets(w.corpus, w.labels, nil))(t)
	d.Weights = make([]float64, 30)
	for i := range d.Weights {
		d.Weights[i] = float64(1 + i%3)
	}
	fold := must.Get(d.Folds(4, 1))(t)
	mean := must.Get(baseline.CrossValidate(t.Context(), baseline.Mean{}, d, fold))(t)
	neighbour := must.Get(baseline.CrossValidate(t.Context(), baseline.Neighbour{Gram: w.gram}, d, fold))(t)
	for i := range fold {
		sum, weight, nearest, least := 0.0, 0.0, -1, math.Inf(1)
		for j, target := range d.Targets {
			if fold[j] == fold[i] {
				continue
			}
			sum, weight = sum+d.Weights[j]*target, weight+d.Weights[j]
			if w.distance(i, j) < least {
				nearest, least = j, w.distance(i, j)
			}
		}
		if got := mean.Predictions[i].Scores[0]; math.Abs(got-sum/weight) > 1e-12 {
			t.Errorf("record %d: mean %v, want %v", i, got, sum/weight)
		}
		if got := neighbour.Predictions[i].Scores[0]; got != d.Targets[nearest] {
			t.Errorf("record %d: %v of the nearest, want %v", i, got, d.Targets[nearest])
		}
	}
	classes := must.Get(dataset.New(w.corpus, w.labels, nil))(t)
	if _, err := baseline.CrossValidate(t.Context(), baseline.Mean{}, classes, fold); err == nil {
		t.Error("no error for the mean of classes")
	}
}

// TestBaselinesOfNovelty: decisions are distances from the known records of training, less the one that the share ν of
// them exceeds.
func TestBaselinesOfNovelty(t *testing.T) {
	w := randomWords(t, 40)
	d := must.Get(dataset.NewNovelty(w.corpus, w.labels, []string{"0", "1"}, nil))(t)
	fold := must.Get(d.Folds(2, 1))(t)
	for _, nu := range []float64{0, 0.2, 1} {
		share := nu
		if nu == 0 {
			share = 0.5
		}
		centroid := must.Get(baseline.CrossValidate(t.Context(), baseline.Centroid{Gram: w.gram, Nu: nu}, d, fold))(t)
		neighbour := must.Get(baseline.CrossValidate(t.Context(), baseline.Neighbour{Gram: w.gram, Nu: nu}, d, fold))(t)
		for f := range 2 {
			var known []int
			for i, y := range d.Y {
				if y == 0 && fold[i] != f {
					known = append(known, i)
				}
			}
			toCentroid := func(i int) float64 { return w.toCentroid(i, known) }
			toNearest := func(i int) float64 {
				least := math.Inf(1)
				for _, j := range known {
					if j != i {
						least = min(least, w.distance(i, j))
					}
				}
				return least
			}
			checkNovelty(t, centroid, f, known, share, toCentroid)
			checkNovelty(t, neighbour, f, known, share, toNearest)
		}
	}
}

func checkNovelty(t *testing.T, out *classify.CVResult, f int, known []int, nu float64, distance func(int) float64) {
	t.Helper()
	var usual []float64
	for _, i := range known {
		usual = append(usual, distance(i))
	}
	slices.Sort(usual)
	least := usual[max(0, len(usual)-1-int(nu*float64(len(usual))))]
	for _, i := range out.Tested(f) {
		p := out.Predictions[i]
		if want := distance(i) - least; math.Abs(p.Scores[0]-want) > 1e-12 || (p.Class == 1) != (p.Scores[0] > 0) {
			t.Errorf("record %d: %+v, want a decision of %v", i, p, want)
		}
	}
}
