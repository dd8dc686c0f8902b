package compose

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// RBF is the Gaussian of a kernel's distance, exp(−γ(k(x, x) + k(y, y) − 2k(x, y))): a [Function] of the kernel, with
// its costs. A sequence without features has the value 0 with every sequence, as everywhere; all others have 1 with
// themselves.
//
// On a [Normalized] kernel the distance is 2 − 2k, so exp(γ'(k − 1)), the RBF of LS-GKM (-t 3, -t 5), is γ = γ'/2. If
// the wrapped kernel is indefinite, a negative distance counts as 0, and the RBF is indefinite too.
type RBF struct {
	Kernel stringkernel.Kernel
	Gamma  float64 // γ > 0; 0 where Quantile learns it
	// Quantile, from 0 to 1 exclusive, learns γ from the training records: 1 over this quantile of the squared
	// distances of up to 1,000 pairs (Caputo, Sim, Furesjo & Smola 2002 for 0.1 to 0.9). A fitted kernel has a Gamma
	// and no Quantile; one that is not fitted has the values of γ = 1.
	Quantile float64
}

// gaussian is the function of RBF.
type gaussian struct{ gamma float64 }

func (g gaussian) String() string { return "rbf" }

func (g gaussian) check() error {
	if !(g.gamma > 0) || math.IsInf(g.gamma, 0) {
		return fmt.Errorf("gamma = %v, want a finite number > 0", g.gamma)
	}
	return nil
}

func (g gaussian) value(xx, yy, xy float64) float64 {
	return elementary.Exp(-g.gamma * max(0, xx+yy-2*xy))
}

// linear returns 2γ·exp(−2γ) if all norms are 1: then the function is exp(2γ(k − 1)).
func (g gaussian) linear(of stringkernel.Kernel) float64 {
	if !ofUnits(of) {
		return 0
	}
	return Exponential{2 * g.gamma}.linear(of)
}

// ofUnits reports whether a kernel's norms are all 1, but for sequences without features, by construction.
func ofUnits(k stringkernel.Kernel) bool {
	l, is := k.(Linear)
	return is && l.Cosine
}

// function returns the kernel as a function of the wrapped one.
func (k RBF) function() Function {
	if k.Quantile != 0 {
		return Function{k.Kernel, gaussian{1}}
	}
	return Function{k.Kernel, gaussian{k.Gamma}}
}

// Check checks γ and the wrapped kernel.
func (k RBF) Check() error {
	_, err := k.Compile()
	return err
}

// Compile checks γ and compiles the wrapped kernel.
func (k RBF) Compile() (stringkernel.Kernel, error) {
	switch {
	case k.Quantile != 0 && !(k.Quantile > 0 && k.Quantile < 1):
		return nil, fmt.Errorf("rbf: quantile = %v, want a number between 0 and 1", k.Quantile)
	case k.Quantile != 0 && k.Gamma != 0:
		return nil, fmt.Errorf("rbf: gamma = %v beside quantile = %v, which learns it", k.Gamma, k.Quantile)
	}
	compiled, err := k.function().Compile()
	if err != nil {
		return nil, err
	}
	k.Kernel = compiled.(Function).Kernel
	return k, nil
}

// Eval returns the value from two norms and k(x, y).
func (k RBF) Eval(x, y []byte) float64 { return k.function().Eval(x, y) }

// SelfEval returns 1, or 0 for a sequence without features.
func (k RBF) SelfEval(x []byte) float64 { return k.function().SelfEval(x) }

// JointSelfEval returns |φ(x) + φ(y)|².
func (k RBF) JointSelfEval(x, y []byte) float64 { return k.function().JointSelfEval(x, y) }

// Gram indexes the corpus once, for rows; it learns γ from it if the kernel is not fitted.
func (k RBF) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	k, err := k.learned(ctx, c)
	if err != nil {
		return nil, err
	}
	return k.function().Gram(ctx, c)
}

// Merge indexes the support vectors for comparisons: a score costs a value of the wrapped kernel for each.
func (k RBF) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("rbf: %w", err)
	}
	k, err := k.learned(ctx, sv)
	if err != nil {
		return nil, err
	}
	return k.function().Merge(ctx, sv, c)
}

// Comparer takes Gaussians of what the wrapped kernel's finds.
func (k RBF) Comparer() Comparer { return k.function().Comparer() }

// Fitter learns γ if Quantile says so, and fits the wrapped kernel.
func (k RBF) Fitter() stringkernel.Fitter {
	if k.Quantile == 0 && !stringkernel.DependsOnCorpus(k.Kernel) {
		return nil
	}
	return rbfFitter(k)
}

type rbfFitter RBF

// Fit fits the wrapped kernel if it depends on a corpus, and learns γ from pairs of records.
func (k rbfFitter) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	inner, err := stringkernel.Fit(ctx, k.Kernel, c)
	if err != nil {
		return nil, err
	}
	k.Kernel = inner
	return RBF(k).learned(ctx, c)
}

// Reference returns the corpus the wrapped kernel was fitted to.
func (k rbfFitter) Reference() *stringkernel.Corpus { return stringkernel.Reference(k.Kernel) }

// SelfContained reports false: scorers have no stored form.
func (k rbfFitter) SelfContained() bool { return false }

// learned returns the kernel with the γ that its quantile of the distances in c gives.
func (k RBF) learned(ctx context.Context, c *stringkernel.Corpus) (fitted RBF, err error) {
	if k.Quantile == 0 {
		return k, nil
	}
	defer cancel.Catch(&err)
	kernel, err := stringkernel.Compile(k.Kernel)
	if err != nil {
		return k, fmt.Errorf("rbf: %w", err)
	}
	fitted = RBF{Kernel: kernel, Gamma: 1}
	if distances := someDistances(ctx, kernel, c); len(distances) > 0 {
		fitted.Gamma = 1 / distances[int(k.Quantile*float64(len(distances)))]
	}
	return fitted, nil
}

// someDistances returns the squared distances that are not 0 of up to 1,000 pairs of records with features, drawn at
// random, always the same ones, in ascending order.
func someDistances(ctx context.Context, k stringkernel.Kernel, c *stringkernel.Corpus) (distances []float64) {
	const pairs = 1000
	n, draw := c.Len(), rand.New(rand.NewPCG(1, 1))
	if n < 2 {
		return nil
	}
	if err := stringkernel.Prepare(ctx, k); err != nil {
		return nil // as ctx says
	}
	for range min(pairs, n*(n-1)/2) {
		cancel.Check(ctx)
		i, j := draw.IntN(n), draw.IntN(n-1)
		if j >= i {
			j++
		}
		x, y := c.Seq(i), c.Seq(j)
		xx, yy := SelfEval(k, x), SelfEval(k, y)
		if d := xx + yy - 2*k.Eval(x, y); xx >= leastNorm && yy >= leastNorm && d > 0x1p-40*(xx+yy) {
			distances = append(distances, d)
		}
	}
	slices.Sort(distances)
	return distances
}

// Family is that of the wrapped kernel, whatever γ.
func (k RBF) Family() string { return k.function().Family() }

// Share indexes the corpus for the wrapped kernels. The matrix of each has its γ, if it is learned, from the records of
// training.
func (k RBF) Share(
	ctx context.Context, x *stringkernel.Indexes, members []stringkernel.Kernel,
) (stringkernel.Shared, error) {
	inner := make([]stringkernel.Kernel, len(members))
	for i, m := range members {
		inner[i] = m.(RBF).Kernel
	}
	shared, err := x.Share(ctx, inner)
	return func(ctx context.Context, member stringkernel.Kernel, train []int) (stringkernel.Gram, error) {
		k := member.(RBF)
		g, err := shared(ctx, k.Kernel, train)
		if err != nil || k.Quantile == 0 {
			return newFunctionGram(k.function(), g), err
		}
		reference := x.Corpus
		if train != nil {
			reference = x.Corpus.Subset(train)
		}
		fitted, err := rbfFitter(k).Fit(ctx, reference)
		if err != nil {
			return nil, err
		}
		return newFunctionGram(fitted.(RBF).function(), g), nil
	}, err
}
