package stringkernel

import (
	"sync"

	"github.com/seqsvm/seqsvm/internal/scratch"
)

// Comparison compares sequences with those of a corpus, x_0, x_1, …: it writes k(x_i, x) for every i into dst, an entry
// for each, Eval up to rounding, and the same bits at every call. It is safe for concurrent use.
type Comparison func(dst []float64, x []byte)

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
