package unmask

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// Pair is two texts whose authors are known to be one or two, and their curve. Curves of pairs that are learned from
// together have as many rounds.
type Pair struct {
	A, B  string // names of the texts, by which they are told apart
	Same  bool   // one author wrote both
	Curve *Curve
}

// Judge is a linear machine on curves: what a person looks for in them, learned from pairs.
type Judge struct {
	pairs   []Pair
	cost    float64
	vectors [][]float64 // of the curves of the pairs
}

// ErrOneKind says that pairs are all of one author, or all of two.
var ErrOneKind = errors.New("unmask: the pairs are not of both kinds, want some of one author and some of two")

// NewJudge returns what learns from pairs with the cost C > 0 of a margin error, zero: 1. The error is [ErrOneKind], or
// about curves of different lengths.
func NewJudge(pairs []Pair, c float64) (*Judge, error) {
	j := &Judge{pairs: slices.Clone(pairs), cost: Options{C: c}.filled().C}
	for i, p := range pairs {
		if len(p.Curve.Points) != len(pairs[0].Curve.Points) {
			return nil, fmt.Errorf("unmask: pair %d has a curve of %d points, the first of %d, want as many", i+1,
				len(p.Curve.Points), len(pairs[0].Curve.Points))
		}
		j.vectors = append(j.vectors, p.Curve.Vector())
	}
	return j, checkKinds(pairs)
}

func checkKinds(pairs []Pair) error {
	same := func(p Pair) bool { return p.Same }
	if !slices.ContainsFunc(pairs, same) || !slices.ContainsFunc(pairs, func(p Pair) bool { return !p.Same }) {
		return ErrOneKind
	}
	return nil
}

// Vector returns what a [Judge] sees of a curve (Koppel & Schler 2004): the accuracy after each round, how far it falls
// in each round and in each two, and the greatest fall in one and in two.
func (c *Curve) Vector() []float64 {
	var v []float64
	for _, p := range c.Points {
		v = append(v, p.Accuracy)
	}
	for rounds := 1; rounds <= 2; rounds++ {
		greatest := 0.0
		for i := rounds; i < len(c.Points); i++ {
			fall := c.Points[i-rounds].Accuracy - c.Points[i].Accuracy
			v, greatest = append(v, fall), max(greatest, fall)
		}
		v = append(v, greatest)
	}
	return v
}

// Decide returns a number for two texts with a curve: above 0 if one author wrote both, the farther the surer. It
// learns from the pairs that share no text with these two, values scaled as those of words are (see [Compare]), and
// costs so that both kinds weigh the same. The error is that of ctx, or [ErrOneKind] of those that are left.
func (j *Judge) Decide(ctx context.Context, a, b string, c *Curve) (float64, error) {
	var rows [][]float64
	var y []float64
	var used []Pair
	for i, p := range j.pairs {
		if p.A != a && p.A != b && p.B != a && p.B != b {
			rows, y, used = append(rows, slices.Clone(j.vectors[i])), append(y, sign(p.Same)), append(used, p)
		}
	}
	if err := checkKinds(used); err != nil {
		return 0, fmt.Errorf("%w, beside those with %s or %s", err, a, b)
	}
	asked := c.Vector()
	if len(asked) != len(rows[0]) {
		return 0, fmt.Errorf("unmask: a curve of %d points, those of the pairs have %d", len(c.Points),
			len(j.pairs[0].Curve.Points))
	}
	all := append(rows, asked)
	scale(all, len(rows))
	positives := 0.0
	for _, v := range y {
		positives += max(0, v)
	}
	n := float64(len(y))
	w, rho, err := machine(ctx, rows, y, svm.Costs{
		Positive: j.cost * (n / (2 * positives)), Negative: j.cost * (n / (2 * (n - positives)))}, 0)
	if err != nil {
		return 0, err
	}
	decision := -rho
	for f, value := range all[len(rows)] {
		decision += float64(w[f] * value)
	}
	return decision, nil
}

func sign(same bool) float64 {
	if same {
		return 1
	}
	return -1
}

// LeaveOut decides on each of the pairs by those that share no text with it.
func (j *Judge) LeaveOut(ctx context.Context) ([]float64, error) {
	decisions := make([]float64, len(j.pairs))
	return decisions, parallel.Do(ctx, len(j.pairs), func(i int) (err error) {
		p := j.pairs[i]
		decisions[i], err = j.Decide(ctx, p.A, p.B, p.Curve)
		return err
	})
}
