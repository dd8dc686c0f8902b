package stringkernel

import (
	"context"
	"sync"

	"github.com/seqsvm/seqsvm/internal/scratch"
)

// Comparer is an option of a [Kernel] that finds the values of one sequence with all of a corpus for less than the cost
// of each alone. Correct without it; with it, kernels that are made of single values, such as a Gaussian, score faster.
// Ask [ComparerOf], or call [Compare].
type Comparer interface {
	// Compare indexes a corpus, in time and memory linear in its letters. The error is that of ctx, or the one that
	// Merge would return.
	Compare(ctx context.Context, c *Corpus) (Comparison, error)
}

// Comparison compares sequences with those of a corpus, x_0, x_1, …: it writes k(x_i, x) for every i into dst, an entry
// for each, Eval up to rounding, and the same bits at every call. It is safe for concurrent use.
type Comparison func(dst []float64, x []byte)

// ComparerOf returns the [Comparer] of k, nil if it has none.
func ComparerOf(k Kernel) Comparer {
	return Lookup(k, func(w interface{ Comparer() Comparer }) Comparer { return w.Comparer() })
}

// Compare indexes a corpus for comparisons: by the [Comparer] of k if it has one, else for an Eval of each sequence.
func Compare(ctx context.Context, k Kernel, c *Corpus) (Comparison, error) {
	if by := ComparerOf(k); by != nil {
		return by.Compare(ctx, c)
	}
	return func(dst []float64, x []byte) {
		for i := range dst {
			dst[i] = k.Eval(c.Seq(i), x)
		}
	}, nil
}

// ComparisonScorer scores by the values of a sequence with all support vectors: what a kernel uses whose support
// vectors do not fold into one structure.
type ComparisonScorer struct {
	compare Comparison
	coef    [][]float64
	rows    sync.Pool // *[]float64, a value for each support vector
}

// NewComparisonScorer returns the scorer of support vectors with coefficients that pass [Coefficients.Check].
func NewComparisonScorer(compare Comparison, c *Coefficients) *ComparisonScorer {
	return &ComparisonScorer{compare: compare, coef: c.Dense()}
}

// Outputs returns the number of coefficient vectors.
func (s *ComparisonScorer) Outputs() int { return len(s.coef) }

// ScoreTo writes Σ_i coef[m][i]·k(x_i, x) for every m, from one row.
func (s *ComparisonScorer) ScoreTo(dst []float64, x []byte) {
	row := scratch.Borrow(&s.rows, len(s.coef[0]))
	defer s.rows.Put(row)
	s.compare(*row, x)
	for m, c := range s.coef {
		dst[m] = Mix(c, *row)
	}
}
