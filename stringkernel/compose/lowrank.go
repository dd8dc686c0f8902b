package compose

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// MaxRank is the greatest Rank of a [LowRank] kernel: its triangular factor takes half a gigabyte.
const MaxRank = 1 << 13

// LowRank approximates a kernel by its projection on r records of the training data, the pivots P (the Nyström method:
// Williams & Seeger 2001; by pivoted Cholesky: Fine & Scheinberg 2001):
//
//	k_r(x, y) = k(x, P) K_PP⁻¹ k(P, y) = ⟨φ(x), φ(y)⟩,  φ(x) = L⁻¹ k(P, x),  K_PP = LLᵀ
//
// so that a kernel without linear products ([RBF], polynomials, trees of any size) has explicit rows of r numbers. It
// is positive semidefinite by construction, never greater than k on the diagonal, and k itself where r pivots span all
// records. Pivots are drawn one after another, each with a probability proportional to the residual k(x, x) − k_r(x, x)
// that those before it leave (randomly pivoted Cholesky: Chen, Epperly, Tropp & Webber 2023; always the same numbers).
// The sum of the residuals divided by that of k(x, x), the trace error, says how much of the training data the pivots
// leave out; [stringkernel.Traits] of the matrix has it. The greatest residuals would choose outliers instead: with as
// small a trace error, their decisions are worse.
//
// A function of a kernel k, such as a Gaussian of normalised values, is w·k + (1 − w)·rest, with the linear term of its
// power series. Where that term would cost pivots much, it is exact, as are products with k, and pivots are for the
// rest alone, which leaves no more of the trace. That is so if a quarter of the pivots then leaves less, by 5 % of the
// trace, and k has products faster than rows.
//
// For n records, fitting takes r rows of the wrapped kernel's matrix and n·r² operations, a product n·r, memory 8·n·r
// bytes. A scorer is that of the wrapped kernel with the pivots as support vectors, for any number of outputs; it is
// stored as pivots and coefficients. A kernel that is not fitted has the exact values.
//
// The options of a scorer are those of the wrapped kernel's scorers. As the part of a [Normalized] kernel, which needs
// k_r(x, x) of queries, a stored scorer would be of no use: normalise the wrapped kernel.
type LowRank struct {
	Kernel stringkernel.Kernel
	Rank   int // r, the greatest number of pivots

	fitted *fittedRank
}

// fittedRank is what a LowRank kernel has learned from a corpus. The pivots are chosen when they are first needed,
// which a scorer that is restored never does.
type fittedRank struct {
	corpus *stringkernel.Corpus
	whole  cancel.Once[wholeRank]
}

// wholeRank is the kernel of all records: a projection, or the mean of a linear term and one.
type wholeRank struct {
	kernel stringkernel.Kernel
	err    error
}

// Check checks the rank and the wrapped kernel.
func (k LowRank) Check() error {
	_, err := k.Compile()
	return err
}

// Traits says that the wrapped kernel is compiled.
func (k LowRank) Traits() stringkernel.Traits { return stringkernel.Traits{Compile: k.Compile} }

// Compile checks the rank and compiles the wrapped kernel.
func (k LowRank) Compile() (stringkernel.Kernel, error) {
	if k.Rank < 1 || k.Rank > MaxRank {
		return nil, fmt.Errorf("rank = %d, want an integer from 1 to %d", k.Rank, MaxRank)
	}
	err := compileInside("rank", &k.Kernel)
	return k, err
}

// Fit fits the wrapped kernel, if that depends on a corpus, and takes the pivots from c. The error is a
// [*memory.Error] if the rows of c take more memory than --max-memory allows.
func (k LowRank) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	return k.fit(ctx, c)
}

func (k LowRank) leaves() int { return leaves(k.Kernel) }

// Reference returns the corpus of the pivots.
func (k LowRank) Reference() *stringkernel.Corpus {
	if k.fitted == nil {
		return nil
	}
	return k.fitted.corpus
}

// SelfContained reports whether the wrapped kernel depends on no corpus: a stored scorer holds the pivots.
func (k LowRank) SelfContained() bool { return !stringkernel.DependsOnCorpus(k.Kernel) }

func (k LowRank) fit(ctx context.Context, c *stringkernel.Corpus) (LowRank, error) {
	compiled, err := k.Compile()
	if err != nil {
		return k, err
	}
	k = compiled.(LowRank)
	if err := checkRows("rank", c.Len(), min(c.Len(), k.Rank)); err != nil {
		return k, err
	}
	inner, err := stringkernel.Fit(ctx, k.Kernel, c)
	if err != nil {
		return k, fmt.Errorf("rank: %w", err)
	}
	k.Kernel, k.fitted = inner, &fittedRank{corpus: c}
	k.fitted.whole.Make = func(ctx context.Context) wholeRank {
		whole, err := k.whole(ctx, c)
		cancel.Check(ctx)
		return wholeRank{whole, err}
	}
	return k, nil
}

// whole approximates the wrapped kernel, which is fitted, on a corpus.
func (k LowRank) whole(ctx context.Context, c *stringkernel.Corpus) (_ stringkernel.Kernel, err error) {
	defer cancel.Catch(&err)
	g, err := k.Kernel.Gram(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("rank: %w", err)
	}
	linear, f, err := k.factored(ctx, g, nil)
	if err != nil {
		return nil, err
	}
	if linear == nil {
		return newProjection(k.Kernel, c, f), nil
	}
	return linear.mean(newProjection(linear.rest, c, f)), nil
}

// learned returns the kernel of all records; one that is not fitted is fitted to c first.
func (k LowRank) learned(ctx context.Context, c *stringkernel.Corpus) (_ stringkernel.Kernel, err error) {
	defer cancel.Catch(&err)
	if k.fitted == nil {
		if k, err = k.fit(ctx, c); err != nil {
			return nil, err
		}
	}
	whole := k.fitted.whole.Get(ctx)
	return whole.kernel, whole.err
}

// value returns what the kernel of all records gives, NaN if its pivots could not be found, which Gram and Merge
// report. A kernel that is not fitted has the exact values.
func (k LowRank) value(of func(whole stringkernel.Kernel) float64) float64 {
	if k.fitted == nil {
		return of(k.Kernel)
	}
	whole, err := k.learned(context.Background(), nil)
	if err != nil {
		return math.NaN()
	}
	return of(whole)
}

// Eval returns ⟨φ(x), φ(y)⟩: a value of the wrapped kernel for each pivot and sequence, and r² operations; and a value
// of k for the linear term.
func (k LowRank) Eval(x, y []byte) float64 {
	return k.value(func(whole stringkernel.Kernel) float64 { return whole.Eval(x, y) })
}

// SelfEval returns |φ(x)|².
func (k LowRank) SelfEval(x []byte) float64 {
	return k.value(func(whole stringkernel.Kernel) float64 { return whole.SelfEval(x) })
}

// Gram has the rows of c: those found with the pivots if the kernel was fitted to c, else from the values of each
// record with the pivots. It indexes c for the linear term.
func (k LowRank) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	whole, err := k.learned(ctx, c)
	if err != nil {
		return nil, err
	}
	return whole.Gram(ctx, c)
}

// Merge folds the coefficients into r for each output, those of the pivots in a scorer of the wrapped kernel, beside a
// scorer of the linear term.
func (k LowRank) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("rank: %w", err)
	}
	whole, err := k.learned(ctx, sv)
	if err != nil {
		return nil, err
	}
	return whole.Merge(ctx, sv, c)
}

// Family is that of the wrapped kernel, whatever the rank.
func (k LowRank) Family() string { return "rank(" + stringkernel.FamilyOf(k.Kernel) + ")" }

// Share indexes the corpus for the wrapped kernels. The matrix of each has its pivots from the records of training.
func (k LowRank) Share(
	ctx context.Context, x *stringkernel.Indexes, members []stringkernel.Kernel,
) (stringkernel.Shared, error) {
	shared, err := shareInside(ctx, x, []stringkernel.Kernel{k.Kernel}, members,
		func(k LowRank) []stringkernel.Kernel { return []stringkernel.Kernel{k.Kernel} })
	return func(ctx context.Context, member stringkernel.Kernel, train []int) (g stringkernel.Gram, err error) {
		defer cancel.Catch(&err)
		k := member.(LowRank)
		if err := checkRows("rank", x.Corpus.Len(), min(x.Corpus.Len(), k.Rank)); err != nil {
			return nil, err
		}
		if k.fitted != nil {
			return k.Gram(ctx, x.Corpus)
		}
		matrix, err := shared[0](ctx, k.Kernel, train)
		if err != nil {
			return nil, err
		}
		linear, f, err := k.factored(ctx, matrix, train)
		if err != nil {
			return nil, err
		}
		rest := newExplicitGram(f, x.Corpus.Len(), f.rows)
		if linear == nil {
			return rest, nil
		}
		return linear.with(rest), nil
	}, err
}

// Approximations says how well a fitted kernel stands for the one that it approximates: [LowRank], [Fourier], and such
// in a [Mean]; none for other kernels. Of LowRank it takes the time of fitting, unless that is done. The error is that
// of ctx, or of fitting.
func Approximations(ctx context.Context, k stringkernel.Kernel) (list []stringkernel.Approximation, err error) {
	defer cancel.Catch(&err)
	switch k := k.(type) {
	case Linear:
		for _, term := range k.Terms {
			of, err := Approximations(ctx, term)
			if err != nil {
				return nil, err
			}
			list = append(list, of...)
		}
	case LowRank:
		if k.fitted == nil {
			return nil, errors.New("rank: the kernel is not fitted")
		}
		whole, err := k.learned(ctx, nil)
		if err != nil {
			return nil, err
		}
		return Approximations(ctx, whole)
	case *projection:
		return []stringkernel.Approximation{k.factor.approximation}, nil
	case Fourier:
		return []stringkernel.Approximation{k.approximation()}, nil
	}
	return list, nil
}

// IsApproximated reports whether a kernel approximates another, or is a mean with one that does.
func IsApproximated(k stringkernel.Kernel) bool {
	switch k := k.(type) {
	case LowRank, Fourier:
		return true
	case Linear:
		return slices.ContainsFunc(k.Terms, IsApproximated)
	}
	return false
}
