package compose

import (
	"context"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Pair is a kernel on records that are two sequences ([stringkernel.SidesOf]), a kernel A of the left ones times a
// kernel B of the right ones (Kronecker), whose features are the products of a feature of each side:
//
//	k((a, b), (c, d)) = A(a, c)·B(b, d)
//
// With one kernel the order of the sides does not count: k((a, b), (c, d)) = A(a, c)·A(b, d) + A(a, d)·A(b, c).
//
// Each side is indexed once, however many pairs it is in. With m and q different sequences on the sides, up to
// [MaxSides] each, a product takes O(n·(m + q)) of the values among these, and no n × n matrix. Of more, where the
// kernels list their features and there are at most 2¹⁸ products of one of each side, a product takes all of these for
// each record at most; else the matrix has rows alone. A score takes a value of each side with those of the support
// vectors.
type Pair struct {
	Sides []stringkernel.Kernel // of the left side and of the right one, or one of both

	fitted *stringkernel.Corpus
}

// Compile compiles the kernels of the sides.
func (k Pair) Compile() (_ stringkernel.Kernel, err error) {
	if n := len(k.Sides); n != 1 && n != 2 {
		return k, fmt.Errorf("pair: %d kernels, want one of each side, or one of both", n)
	}
	k.Sides, err = ofSides(k, func(_ int, side stringkernel.Kernel) (stringkernel.Kernel, error) {
		err := compileInside("pair", &side)
		return side, err
	})
	return k, err
}

// ofSides collects something of the kernel of each side.
func ofSides[T any](k Pair, of func(i int, side stringkernel.Kernel) (T, error)) ([]T, error) {
	return ofParts("pair: side", k.Sides, of)
}

// Check checks the kernels of the sides.
func (k Pair) Check() error {
	_, err := k.Compile()
	return err
}

func (k Pair) leaves() int { return leavesOf(k.Sides) }

// last returns the kernel of the right sides.
func (k Pair) last() stringkernel.Kernel { return k.Sides[len(k.Sides)-1] }

// Eval returns the value of the definition.
func (k Pair) Eval(x, y []byte) float64 {
	a, b := stringkernel.SidesOf(x)
	c, d := stringkernel.SidesOf(y)
	value := k.Sides[0].Eval(a, c) * k.last().Eval(b, d)
	if len(k.Sides) == 1 {
		value = float64(value) + float64(k.Sides[0].Eval(a, d)*k.Sides[0].Eval(b, c))
	}
	return value
}

// SelfEval returns k(x, x).
func (k Pair) SelfEval(x []byte) float64 {
	a, b := stringkernel.SidesOf(x)
	value := k.Sides[0].SelfEval(a) * k.last().SelfEval(b)
	if len(k.Sides) == 1 {
		across := k.Sides[0].Eval(a, b)
		value = float64(value) + float64(across*across)
	}
	return value
}

// Traits compile the sides and compare pairs.
func (k Pair) Traits() stringkernel.Traits {
	return stringkernel.Traits{
		Compile: k.Compile, Compare: k.compare,
		Prepare: func(ctx context.Context) error { return prepareAll(ctx, k.Sides) },
	}
}

// Fitter fits the kernels that depend on a corpus, each to the different sequences of its side.
func (k Pair) Fitter() stringkernel.Fitter {
	if slices.ContainsFunc(k.Sides, stringkernel.DependsOnCorpus) {
		return k
	}
	return nil
}

// Fit fits the kernels to the different sequences of their sides.
func (k Pair) Fit(ctx context.Context, c *stringkernel.Corpus) (_ stringkernel.Kernel, err error) {
	s := stringkernel.Divide(c, len(k.Sides))
	k.fitted = c
	k.Sides, err = ofSides(k, func(i int, side stringkernel.Kernel) (stringkernel.Kernel, error) {
		return stringkernel.Fit(ctx, side, s.Corpora[i])
	})
	return k, err
}

// Reference returns the corpus fitted to, nil if there is none.
func (k Pair) Reference() *stringkernel.Corpus { return k.fitted }

// SelfContained reports false: scorers have no stored form.
func (k Pair) SelfContained() bool { return false }

// ready compiles the kernel, and fits it to a corpus if it depends on one and was not fitted.
func (k Pair) ready(ctx context.Context, c *stringkernel.Corpus) (Pair, error) {
	compiled, err := k.Compile()
	if err == nil && k.Fitter() != nil && k.fitted == nil {
		compiled, err = compiled.(Pair).Fit(ctx, c)
	}
	return compiled.(Pair), err
}

// combine writes the values of a pair with all, from those of its left side with all of the first corpus and those of
// its right side with all of the last one.
func combine(dst []float64, s stringkernel.Sides, left, right []float64) {
	for j, a := range s.Left {
		b := s.Right[j]
		if dst[j] = left[a] * right[b]; len(s.Corpora) == 1 {
			dst[j] = float64(dst[j]) + float64(left[b]*right[a])
		}
	}
}

// pairScorer scores pairs by the values of their sides with those of support vectors.
type pairScorer struct {
	*stringkernel.ComparisonScorer
	stringkernel.Sides
	kernel      Pair
	comparisons []stringkernel.Comparison // of each corpus
	coef        *stringkernel.Coefficients
}

func (k Pair) newScorer(ctx context.Context, c *stringkernel.Corpus) (*pairScorer, error) {
	k, err := k.ready(ctx, c)
	if err != nil {
		return nil, err
	}
	p := &pairScorer{kernel: k, Sides: stringkernel.Divide(c, len(k.Sides))}
	p.comparisons, err = ofSides(k, func(i int, side stringkernel.Kernel) (stringkernel.Comparison, error) {
		return Compare(ctx, side, p.Corpora[i])
	})
	return p, err
}

// compare compares each side with the different ones of a corpus.
func (k Pair) compare(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	p, err := k.newScorer(ctx, c)
	if err != nil {
		return nil, err
	}
	return p.compare, nil
}

func (p *pairScorer) compare(dst []float64, x []byte) {
	left, right := p.values(x)
	combine(dst, p.Sides, left, right)
}

// values returns those of the sides of a pair with all of the first and of the last corpus.
func (p *pairScorer) values(x []byte) (left, right []float64) {
	a, b := stringkernel.SidesOf(x)
	last := len(p.Corpora) - 1
	left, right = make([]float64, p.Corpora[0].Len()), make([]float64, p.Corpora[last].Len())
	p.comparisons[0](left, a)
	p.comparisons[last](right, b)
	return left, right
}

// Merge indexes the sides of the support vectors for comparisons.
func (k Pair) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("pair: %w", err)
	}
	p, err := k.newScorer(ctx, sv)
	if err != nil {
		return nil, err
	}
	p.coef, p.ComparisonScorer = c, stringkernel.NewComparisonScorer(p.compare, c)
	return p, nil
}

// Explainer explains if the kernels of the sides do: it merges them once to see.
func (p *pairScorer) Explainer() stringkernel.Explainer {
	for i, c := range p.Corpora {
		if p.explainer(i, make([]float64, c.Len())) == nil {
			return nil
		}
	}
	return p
}

// explainer returns that of a side by coefficients of its different sequences, nil if there is none.
func (p *pairScorer) explainer(side int, coef []float64) stringkernel.Explainer {
	s, err := stringkernel.Merge(context.Background(), p.kernel.Sides[side], p.Corpora[side], coef)
	if err != nil {
		return nil
	}
	return stringkernel.ExplainerOf(s)
}

// ExplainTo gives half of the score to each side: a score is linear in the features of one given the other, so that
// the letters of each explain all of it.
func (p *pairScorer) ExplainTo(dst []float64, m int, x []byte) {
	left, right := p.values(x)
	ofLeft, ofRight, mix := make([]float64, len(left)), make([]float64, len(right)), make([]float64, p.Outputs())
	mix[m] = 0.5
	for j, c := range p.coef.Mix(mix) {
		a, b := p.Left[j], p.Right[j]
		ofLeft[a] += float64(c * right[b])
		ofRight[b] += float64(c * left[a])
		if len(p.Corpora) == 1 {
			ofLeft[b] += float64(c * right[a])
			ofRight[a] += float64(c * left[b])
		}
	}
	a, b := stringkernel.SidesOf(x)
	clear(dst[:len(x)])
	p.explainer(0, ofLeft).ExplainTo(dst[:len(a)], 0, a)
	p.explainer(len(p.Corpora)-1, ofRight).ExplainTo(dst[len(x)-len(b):len(x)], 0, b)
}
