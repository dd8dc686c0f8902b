package baseline

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/krylov"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Centroid predicts the class whose centroid μ_c, the mean of its records in feature space, is nearest, which takes the
// mean kernel value to the records of each class:
//
//	⟨μ_c, φ(x)⟩ − ½‖μ_c‖²,   ⟨μ_c, φ(x)⟩ = (1/n_c) Σ_{i in c} k(x_i, x)
//
// (Schölkopf & Smola 2002, Learning with Kernels, section 1.2). The score of a class is its lead over the best of the
// others. Of novelty the decision is the squared distance from the centroid of the known records, less the distance
// that the share Nu of these exceeds.
//
// With Windows it predicts the class with the greatest mean kernel value alone, ⟨μ_c, φ(x)⟩: Parzen windows, whose
// shape is the kernel (Parzen 1962, Ann. Math. Statist. 33, 1065–1076), with classes of equal prior probability.
//
// Time: a product with the matrix per class. Memory: 16 bytes per record and class, for 16 classes at a time, and 8
// bytes per score.
type Centroid struct {
	Gram    classify.GramFunc
	Nu      float64 // zero: 0.5
	Windows bool    // of classes
}

// Predict implements [Method].
func (m Centroid) Predict(ctx context.Context, d *dataset.Dataset, train, test []int) ([]decide.Prediction, error) {
	g, err := m.Gram(ctx, train)
	if err != nil {
		return nil, err
	}
	switch labelling := d.Labelling(); {
	case labelling == dataset.KnownOrNovel && m.Windows:
		return nil, fmt.Errorf("classify: Parzen windows of known records, want classes")
	case labelling == dataset.KnownOrNovel:
		return m.novelty(ctx, d, g, train, test)
	}
	const together = 16 // classes
	scores := scratch.Vectors(len(test), len(d.Classes))
	for first := 0; first < len(d.Classes); first += together {
		means, norms, err := centroids(ctx, d, g, train, first, min(first+together, len(d.Classes)))
		if err != nil {
			return nil, err
		}
		for c, mean := range means {
			half := float64(norms[c] / 2)
			if m.Windows {
				half = 0
			}
			for j, i := range test {
				scores[j][first+c] = mean[i] - half
			}
		}
	}
	predictions := make([]decide.Prediction, len(test))
	for j := range test {
		predictions[j] = strongestOf(d, scores[j])
	}
	return predictions, nil
}

// centroids returns, for the classes from first up to last, the mean kernel value of every record to those of training,
// and the squared norm of the centroid.
func centroids(ctx context.Context, d *dataset.Dataset, g stringkernel.Gram, train []int, first, last int) (
	means [][]float64, norms []float64, err error) {
	weights := make([][]float64, last-first)
	for c := range weights {
		weights[c], means = make([]float64, g.Len()), append(means, make([]float64, g.Len()))
	}
	totals, norms := make([]float64, last-first), make([]float64, last-first)
	in := func(i int) bool { return d.Y[i] >= first && d.Y[i] < last }
	for _, i := range train {
		if in(i) {
			totals[d.Y[i]-first] += d.Weight(i)
		}
	}
	for _, i := range train {
		if in(i) {
			weights[d.Y[i]-first][i] = d.Weight(i) / totals[d.Y[i]-first]
		}
	}
	if err := krylov.Multiply(ctx, krylov.Of(g), means, weights); err != nil {
		return nil, nil, err
	}
	for c, mean := range means {
		for i, w := range weights[c] {
			norms[c] += float64(w * mean[i])
		}
	}
	return means, norms, nil
}

// novelty predicts by the distances from the centroid of the known records.
func (m Centroid) novelty(ctx context.Context, d *dataset.Dataset, g stringkernel.Gram, train, test []int) (
	[]decide.Prediction, error) {
	means, norms, err := centroids(ctx, d, g, train, 0, 1)
	if err != nil {
		return nil, err
	}
	diag := make([]float64, g.Len())
	g.Diag(diag)
	distances := func(records []int) (out []float64) {
		for _, i := range records {
			out = append(out, diag[i]-float64(2*means[0][i])+norms[0])
		}
		return out
	}
	return novelties(d, m.Nu, distances(test), distances(known(d, train))), nil
}

// known returns the records of a list that are known, of a data set of novelty.
func known(d *dataset.Dataset, records []int) (known []int) {
	for _, i := range records {
		if d.Y[i] != d.Positive {
			known = append(known, i)
		}
	}
	return known
}
