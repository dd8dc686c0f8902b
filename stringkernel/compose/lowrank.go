package compose

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
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
// For n records, fitting takes r rows of the wrapped kernel's matrix and n·r² operations, a product n·r, memory 8·n·r
// bytes. A scorer is that of the wrapped kernel with the pivots as support vectors, for any number of outputs; it is
// stored as pivots and coefficients. A kernel that is not fitted has the exact values.
//
// The options of a scorer are those of the wrapped kernel's scorers. As the part of a [Normalized] kernel, which needs
// k_r(x, x) of queries, a stored scorer would be of no use: normalise the wrapped kernel.
type LowRank struct {
	Kernel stringkernel.Kernel
	Rank   int // r, the greatest number of pivots

	fitted *projection
}

// projection is what a LowRank kernel has learned from a corpus. The pivots are chosen when they are first needed,
// which a scorer that is restored never does.
type projection struct {
	corpus *stringkernel.Corpus
	factor cancel.Once[fittedFactor]
	// numbers of the records of the corpus, by the hash of their letters: the first of equal ones
	numbers func() map[uint64]int
}

type fittedFactor struct {
	*pivoted
	err error
}

// Check checks the rank and the wrapped kernel.
func (k LowRank) Check() error {
	_, err := k.Compile()
	return err
}

// Compile checks the rank and compiles the wrapped kernel.
func (k LowRank) Compile() (stringkernel.Kernel, error) {
	if k.Rank < 1 || k.Rank > MaxRank {
		return nil, fmt.Errorf("rank = %d, want an integer from 1 to %d", k.Rank, MaxRank)
	}
	err := compileInside("rank", &k.Kernel)
	return k, err
}

// Fitter returns the kernel.
func (k LowRank) Fitter() stringkernel.Fitter { return lowRankFitter(k) }

type lowRankFitter LowRank

// Fit fits the wrapped kernel, if that depends on a corpus, and takes the pivots from c. The error is a
// [*memory.Error] if the rows of c take more memory than --max-memory allows.
func (k lowRankFitter) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	fitted, err := LowRank(k).fit(ctx, c)
	return fitted, err
}

// Reference returns the corpus of the pivots.
func (k lowRankFitter) Reference() *stringkernel.Corpus {
	if k.fitted == nil {
		return nil
	}
	return k.fitted.corpus
}

// SelfContained reports whether the wrapped kernel depends on no corpus: a stored scorer holds the pivots.
func (k lowRankFitter) SelfContained() bool { return !stringkernel.DependsOnCorpus(k.Kernel) }

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
	k.Kernel, k.fitted = inner, &projection{corpus: c, numbers: sync.OnceValue(func() map[uint64]int {
		numbers := make(map[uint64]int, c.Len())
		for i := c.Len() - 1; i >= 0; i-- {
			numbers[maphash.Bytes(intern.Seed, c.Seq(i))] = i
		}
		return numbers
	})}
	k.fitted.factor.Make = func(ctx context.Context) fittedFactor {
		f, err := newPivoted(ctx, k, c)
		cancel.Check(ctx)
		return fittedFactor{f, err}
	}
	return k, nil
}

// checkRows returns an error if the rows of n records, and the values they are made of, take too much memory.
func checkRows(wrapper string, n, rank int) error {
	err := memory.Check(8 * float64(n) * float64(rank+2*candidates))
	var much *memory.Error
	if errors.As(err, &much) {
		return fmt.Errorf("%s: rows of %d numbers for %d records take %w", wrapper, rank, n, much)
	}
	return err
}

// learned returns what the kernel has learned; one that is not fitted is fitted to c first.
func (k LowRank) learned(ctx context.Context, c *stringkernel.Corpus) (LowRank, *pivoted, error) {
	if k.fitted == nil {
		var err error
		if k, err = k.fit(ctx, c); err != nil {
			return k, nil, err
		}
	}
	f := k.fitted.factor.Get(ctx)
	return k, f.pivoted, f.err
}

// features returns φ(x), nil if the kernel is not fitted. It is NaN if the pivots could not be found, which Gram and
// Merge report.
func (k LowRank) features(x []byte) []float64 {
	if k.fitted == nil {
		return nil
	}
	_, f, err := k.learned(context.Background(), nil)
	var phi func(dst []float64, x []byte)
	if err == nil {
		phi, err = f.features(context.Background())
	}
	if err != nil {
		return []float64{math.NaN()}
	}
	dst := make([]float64, f.rank)
	phi(dst, x)
	return dst
}

// Eval returns ⟨φ(x), φ(y)⟩: a value of the wrapped kernel for each pivot and sequence, and r² operations.
func (k LowRank) Eval(x, y []byte) float64 {
	if k.fitted == nil {
		return k.Kernel.Eval(x, y)
	}
	return vectors.Dot(k.features(x), k.features(y))
}

// SelfEval returns |φ(x)|².
func (k LowRank) SelfEval(x []byte) float64 {
	if k.fitted == nil {
		return SelfEval(k.Kernel, x)
	}
	phi := k.features(x)
	return vectors.Dot(phi, phi)
}

// JointSelfEval returns |φ(x) + φ(y)|².
func (k LowRank) JointSelfEval(x, y []byte) float64 { return stringkernel.JointByEval(k, x, y) }

// Gram has the rows of c: those found with the pivots if the kernel was fitted to c, else from the values of each
// record with the pivots.
func (k LowRank) Gram(ctx context.Context, c *stringkernel.Corpus) (gram stringkernel.Gram, err error) {
	defer cancel.Catch(&err)
	k, f, err := k.learned(ctx, c)
	if err != nil {
		return nil, err
	}
	if k.fitted.corpus == c {
		return newExplicitGram(f, c.Len(), f.rows), nil
	}
	if err := checkRows("rank", c.Len(), f.rank); err != nil {
		return nil, err
	}
	phi, err := f.features(ctx)
	if err != nil {
		return nil, err
	}
	g := newExplicitGram(f, c.Len(), make([]float64, c.Len()*f.rank))
	parallel.EachContext(ctx, c.Len(), func(i int) { phi(g.row(i), c.Seq(i)) })
	return g, nil
}

// Merge folds the coefficients into r for each output, those of the pivots in a scorer of the wrapped kernel.
func (k LowRank) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (s stringkernel.Scorer, err error) {
	defer cancel.Catch(&err)
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("rank: %w", err)
	}
	k, f, err := k.learned(ctx, sv)
	if err != nil {
		return nil, err
	}
	row, err := k.rowOf(ctx, f, sv)
	if err != nil {
		return nil, err
	}
	weights := scratch.Vectors(c.Outputs, f.rank)
	for i := range sv.Len() {
		cancel.Check(ctx)
		outputs, values := c.Row(i)
		phi := row(i)
		for e, m := range outputs {
			vectors.AddScaled(weights[m], values[e], phi)
		}
	}
	parallel.EachContext(ctx, len(weights), func(m int) { f.triangle.Backward(weights[m]) })
	return newLowRankScorer(ctx, k.Kernel, f.pivots, weights)
}

// rowOf returns a function that returns φ of record i of sv, valid until the next call: that found with the pivots if
// the record is one of those the kernel was fitted to.
func (k LowRank) rowOf(ctx context.Context, f *pivoted, sv *stringkernel.Corpus) (func(i int) []float64, error) {
	numbers, others := make([]int, sv.Len()), []int(nil) // of other records: −1 − their number among these
	for i := range numbers {
		x := sv.Seq(i)
		j, found := k.fitted.numbers()[maphash.Bytes(intern.Seed, x)]
		if found && bytes.Equal(k.fitted.corpus.Seq(j), x) {
			numbers[i] = j
			continue
		}
		numbers[i] = -1 - len(others)
		others = append(others, i)
	}
	if err := checkRows("rank", len(others), f.rank); err != nil {
		return nil, err
	}
	rows := scratch.Vectors(len(others), f.rank)
	if len(others) > 0 {
		phi, err := f.features(ctx)
		if err != nil {
			return nil, err
		}
		parallel.EachContext(ctx, len(others), func(j int) { phi(rows[j], sv.Seq(others[j])) })
	}
	return func(i int) []float64 {
		if j := numbers[i]; j < 0 {
			return rows[-1-j]
		}
		return f.row(numbers[i])
	}, nil
}

// Family is that of the wrapped kernel, whatever the rank.
func (k LowRank) Family() string { return "rank(" + stringkernel.FamilyOf(k.Kernel) + ")" }

// Share indexes the corpus for the wrapped kernels. The matrix of each has its pivots from the records of training.
func (k LowRank) Share(
	ctx context.Context, x *stringkernel.Indexes, members []stringkernel.Kernel,
) (stringkernel.Shared, error) {
	inner := make([]stringkernel.Kernel, len(members))
	for i, m := range members {
		inner[i] = m.(LowRank).Kernel
	}
	shared, err := x.Share(ctx, inner)
	return func(ctx context.Context, member stringkernel.Kernel, train []int) (g stringkernel.Gram, err error) {
		defer cancel.Catch(&err)
		k := member.(LowRank)
		if err := checkRows("rank", x.Corpus.Len(), min(x.Corpus.Len(), k.Rank)); err != nil {
			return nil, err
		}
		if k.fitted != nil {
			return k.Gram(ctx, x.Corpus)
		}
		matrix, err := shared(ctx, k.Kernel, train)
		if err != nil {
			return nil, err
		}
		f := new(pivoted)
		if _, err := f.factorize(ctx, matrix, k.Rank, train); err != nil {
			return nil, err
		}
		return newExplicitGram(f, x.Corpus.Len(), f.rows), nil
	}, err
}

// Restorer stores pivots and coefficients.
func (k LowRank) Restorer() stringkernel.Restorer { return lowRankRestorer(k) }

// Approximations says how well a fitted kernel stands for the one that it approximates: [LowRank], [Fourier], and such
// in a [Mean]; none for other kernels. Of LowRank it takes the time of fitting, unless that is done. The error is that
// of ctx, or of fitting.
func Approximations(ctx context.Context, k stringkernel.Kernel) (list []stringkernel.Approximation, err error) {
	defer cancel.Catch(&err)
	switch k := k.(type) {
	case Mean:
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
		_, f, err := k.learned(ctx, nil)
		if err != nil {
			return nil, err
		}
		return []stringkernel.Approximation{f.approximation}, nil
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
	case Mean:
		return slices.ContainsFunc(k.Terms, IsApproximated)
	}
	return false
}
