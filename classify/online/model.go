package online

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// Model returns what was learned. Classes are sorted; of two, the scores speak for positive, by default for that of
// [dataset.PositiveOf]. The learner must not be used afterwards.
func (l *Learner) Model(ctx context.Context, positive string) (*decide.Model, error) {
	if l.updates == 0 {
		return nil, errors.New("online: no record changed the weights")
	}
	m := &decide.Model{Kernel: l.o.Kernel}
	rows, err := l.rule(&m.Rule, positive)
	if err != nil {
		return nil, err
	}
	weights, bias := l.learned(rows)
	for c := range rows {
		b := decide.Binary{Positive: c, Negative: decide.Rest, Rho: -bias[c], Solver: l.o.Algorithm,
			SupportVectors: l.updates, Iterations: l.seen}
		if len(m.Classes) == 2 {
			b.Positive, b.Negative = m.Positive, 1-m.Positive
		}
		m.Machines = append(m.Machines, b)
	}
	if err := l.w.mix(ctx, weights, len(rows)); err != nil {
		return nil, err
	}
	return m, l.w.store(m)
}

// rule fills in a rule but for its machines, and returns the rows that make their scores of those of the learner.
func (l *Learner) rule(r *decide.Rule, positive string) ([][]float64, error) {
	known := dataset.SortedClasses(l.classes)
	switch {
	case l.o.Task == dataset.Regression:
		r.Scheme, r.Classes = decide.RegressionScheme, []string{dataset.ValueName}
		return [][]float64{{1}}, nil
	case l.o.Task == dataset.Novelty: // which speaks for novel records
		r.Scheme, r.Classes, r.Positive = decide.NoveltyScheme, []string{dataset.KnownName, dataset.NovelName}, 1
		r.Known = known
		return [][]float64{{-1}}, nil
	case len(known) < 2:
		return nil, errors.New("online: fewer than two classes in the stream")
	}
	r.Scheme, r.Classes, r.Positive = decide.OneVsRest, known, dataset.PositiveOf(known)
	if positive != "" {
		if r.Positive = slices.Index(known, positive); r.Positive < 0 {
			return nil, fmt.Errorf("online: the positive class %.80q is not in the stream", positive)
		}
	}
	if len(known) > 2 {
		rows := scratch.Vectors(len(known), len(known))
		for c, name := range known {
			rows[c][l.number[name]] = 1
		}
		return rows, nil
	}
	r.Scheme = decide.TwoClass
	if l.classes[1] == known[r.Positive] {
		return [][]float64{{1}}, nil
	}
	return [][]float64{{-1}}, nil
}

// learned returns the rows that make the weights learned of the vectors kept, s·v, or their average (S·v − u)/T, and
// the biases.
func (l *Learner) learned(rows [][]float64) (weights [][]float64, bias []float64) {
	if !l.average {
		return l.pairs(rows, l.scale, 0), product(rows, l.bias)
	}
	bias = product(rows, l.biases)
	vectors.Scale(bias, 1/l.mass)
	return l.pairs(rows, l.scales/l.mass, -1/l.mass), bias
}
