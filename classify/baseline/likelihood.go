package baseline

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Density is a probability of every sequence, such as that of a Markov chain.
type Density interface {
	// LogLikelihood returns the logarithm of the probability of x.
	LogLikelihood(x []byte) float64
}

// Likelihood predicts the class whose density makes a record most probable, times its share of the records: the Bayes
// classifier of densities that are learned class by class. With n_c of n records of class c, a record goes to the class
// of the greatest
//
//	ln (n_c/n) + ln p_c(x).
//
// The score of a class is its lead over the best of the others. Weights of records do not count.
//
// Of several ways to learn, from simple to complex, it takes the one that, learned from four fifths of the records of
// training, makes the classes of the others most probable, the sum of ln P(class|x).
//
// Time: that of Learn, on the records of each class, and a log-likelihood per record and class; of several, of each.
type Likelihood struct {
	Learn []func(ctx context.Context, c *stringkernel.Corpus) (Density, error)
}

// Predict implements [Method].
func (m Likelihood) Predict(ctx context.Context, d *dataset.Dataset, train, test []int) (
	predictions []decide.Prediction, err error) {
	defer cancel.Catch(&err)
	if labelling := d.Labelling(); labelling == dataset.Numbers || labelling == dataset.KnownOrNovel {
		return nil, fmt.Errorf("classify: likelihoods of classes, want records of classes")
	}
	way, err := m.choose(ctx, d, train)
	if err != nil {
		return nil, err
	}
	bayes, err := m.learn(ctx, d, train, way)
	if err != nil {
		return nil, err
	}
	for _, i := range test {
		cancel.Check(ctx)
		predictions = append(predictions, strongestOf(d, bayes.scores(d.Corpus.Seq(i))))
	}
	return predictions, nil
}

// choose returns the number of the way to learn.
func (m Likelihood) choose(ctx context.Context, d *dataset.Dataset, train []int) (best int, err error) {
	if len(m.Learn) == 1 {
		return 0, nil
	}
	var learned, left []int
	seen := make([]int, len(d.Classes))
	for _, i := range train {
		if seen[d.Y[i]]++; seen[d.Y[i]]%5 == 0 {
			left = append(left, i)
		} else {
			learned = append(learned, i)
		}
	}
	most := math.Inf(-1)
	for way := range m.Learn {
		bayes, err := m.learn(ctx, d, learned, way)
		if err != nil {
			return 0, err
		}
		sum := 0.0
		for _, i := range left {
			cancel.Check(ctx)
			sum += logShare(bayes.scores(d.Corpus.Seq(i)), d.Y[i])
		}
		if sum > most {
			best, most = way, sum
		}
	}
	return best, nil
}

// logShare returns ln (exp scores[c]/Σ exp scores).
func logShare(scores []float64, c int) float64 {
	most, sum := slices.Max(scores), 0.0
	for _, score := range scores {
		sum += elementary.Exp(score - most)
	}
	return scores[c] - most - elementary.Log(sum)
}

// classDensities are densities with the logarithms of the shares of their classes.
type classDensities struct {
	densities []Density
	priors    []float64
}

// learn learns from some records in one of the ways.
func (m Likelihood) learn(ctx context.Context, d *dataset.Dataset, records []int, way int) (
	b classDensities, err error) {
	members := make([][]int, len(d.Classes))
	for _, i := range records {
		members[d.Y[i]] = append(members[d.Y[i]], i)
	}
	for c, of := range members {
		if len(of) == 0 {
			return b, fmt.Errorf("classify: class %d has no records", c)
		}
		density, err := m.Learn[way](ctx, d.Corpus.Subset(of))
		if err != nil {
			return b, err
		}
		b.densities = append(b.densities, density)
		b.priors = append(b.priors, elementary.Log(float64(len(of))/float64(len(records))))
	}
	return b, nil
}

// scores returns ln (n_c/n) + ln p_c(x) of each class.
func (b classDensities) scores(x []byte) []float64 {
	scores := make([]float64, len(b.densities))
	for c, density := range b.densities {
		scores[c] = b.priors[c] + density.LogLikelihood(x)
	}
	return scores
}
