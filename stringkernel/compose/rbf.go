package compose

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// RBF is the Gaussian of a kernel's distance, exp(−γ(k(x, x) + k(y, y) − 2k(x, y))): a [Function] of the kernel, with
// its costs. A sequence without features has the value 0 with every sequence, as everywhere; all others have 1 with
// themselves.
//
// On a [Normalized] kernel the distance is 2 − 2k, so exp(γ'(k − 1)), the RBF of LS-GKM (-t 3, -t 5), is γ = γ'/2. If
// the wrapped kernel is indefinite, a negative distance counts as 0, and the RBF is indefinite too.
func RBF(k stringkernel.Kernel, gamma float64) Function {
	return FunctionOf(Form{Op: Gaussian, Gamma: gamma}, k)
}

// learns reports whether γ is to be learned.
func (k Function) learns() bool { return k.Of.Quantile != 0 }

// learned returns the kernel with the γ that its quantile of the distances in c gives.
func (k Function) learned(ctx context.Context, c *stringkernel.Corpus) (fitted Function, err error) {
	if !k.learns() {
		return k, nil
	}
	defer cancel.Catch(&err)
	compiled, err := k.Compile()
	if err != nil {
		return k, err
	}
	fitted = Function{Form{Op: Gaussian, Gamma: 1}, compiled.(Function).Kernels}
	if distances := someDistances(ctx, Product(fitted.Kernels...), c); len(distances) > 0 {
		fitted.Of.Gamma = 1 / distances[int(k.Of.Quantile*float64(len(distances)))]
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
		xx, yy := k.SelfEval(x), k.SelfEval(y)
		if d := xx + yy - 2*k.Eval(x, y); xx >= leastNorm && yy >= leastNorm && d > 0x1p-40*(xx+yy) {
			distances = append(distances, d)
		}
	}
	slices.Sort(distances)
	return distances
}
