package compose

import (
	"bytes"
	"context"
	"fmt"
	"hash/maphash"
	"math"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// projection is a kernel projected on its pivots among the records of a corpus, or, as that of a restored scorer
// without these, the kernel itself.
type projection struct {
	kernel stringkernel.Kernel // compiled and fitted
	corpus *stringkernel.Corpus
	factor *pivoted // nil: there are no pivots
	pivots *stringkernel.Corpus
	// numbers of the records of the corpus, by the hash of their letters: the first of equal ones
	numbers    func() map[uint64]int
	comparison cancel.Once[pivotComparison]
}

type pivotComparison struct {
	stringkernel.Comparison
	err error
}

// newProjection returns the projection of a kernel, fitted to c, by a factorisation of its matrix.
func newProjection(k stringkernel.Kernel, c *stringkernel.Corpus, f *pivoted) *projection {
	p := &projection{kernel: k, corpus: c, factor: f, pivots: c.Subset(f.pivots)}
	p.numbers = sync.OnceValue(func() map[uint64]int {
		numbers := make(map[uint64]int, c.Len())
		for i := c.Len() - 1; i >= 0; i-- {
			numbers[maphash.Bytes(intern.Seed, c.Seq(i))] = i
		}
		return numbers
	})
	p.comparison.Make = func(ctx context.Context) pivotComparison {
		compare, err := Compare(ctx, p.kernel, p.pivots)
		cancel.Check(ctx)
		return pivotComparison{compare, err}
	}
	return p
}

// Check returns nil: the kernel was compiled.
func (k *projection) Check() error { return nil }

// writer returns the function that writes φ(x) = L⁻¹ k(P, x).
func (k *projection) writer(ctx context.Context) (phi func(dst []float64, x []byte), err error) {
	defer cancel.Catch(&err)
	c := k.comparison.Get(ctx)
	if c.err != nil {
		return nil, fmt.Errorf("rank: %w", c.err)
	}
	return func(dst []float64, x []byte) {
		c.Comparison(dst, x)
		k.factor.triangle.Forward(dst)
	}, nil
}

// features returns φ(x), NaN if the pivots have no comparison, which Gram and Merge report.
func (k *projection) features(x []byte) []float64 {
	phi, err := k.writer(context.Background())
	if err != nil {
		return []float64{math.NaN()}
	}
	dst := make([]float64, k.factor.rank)
	phi(dst, x)
	return dst
}

// Eval returns ⟨φ(x), φ(y)⟩.
func (k *projection) Eval(x, y []byte) float64 {
	if k.factor == nil {
		return k.kernel.Eval(x, y)
	}
	return vectors.Dot(k.features(x), k.features(y))
}

// SelfEval returns |φ(x)|².
func (k *projection) SelfEval(x []byte) float64 {
	if k.factor == nil {
		return k.kernel.SelfEval(x)
	}
	phi := k.features(x)
	return vectors.Dot(phi, phi)
}

// Gram has the rows of c.
func (k *projection) Gram(ctx context.Context, c *stringkernel.Corpus) (gram stringkernel.Gram, err error) {
	defer cancel.Catch(&err)
	f := k.factor
	if k.corpus == c {
		return newExplicitGram(f, c.Len(), f.rows), nil
	}
	if err := checkRows("rank", c.Len(), f.rank); err != nil {
		return nil, err
	}
	phi, err := k.writer(ctx)
	if err != nil {
		return nil, err
	}
	g := newExplicitGram(f, c.Len(), make([]float64, c.Len()*f.rank))
	parallel.EachContext(ctx, c.Len(), func(i int) { phi(g.row(i), c.Seq(i)) })
	return g, nil
}

// Merge folds the coefficients into those of the pivots.
func (k *projection) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (s stringkernel.Scorer, err error) {
	defer cancel.Catch(&err)
	row, err := k.rowOf(ctx, sv)
	if err != nil {
		return nil, err
	}
	weights := scratch.Vectors(c.Outputs, k.factor.rank)
	for i := range sv.Len() {
		cancel.Check(ctx)
		outputs, values := c.Row(i)
		phi := row(i)
		for e, m := range outputs {
			vectors.AddScaled(weights[m], values[e], phi)
		}
	}
	parallel.EachContext(ctx, len(weights), func(m int) { k.factor.triangle.Backward(weights[m]) })
	return newPivotScorer(ctx, k.kernel, k.pivots, weights)
}

// rowOf returns a function that returns φ of record i of sv, valid until the next call: that found with the pivots if
// the record is one of those the kernel was fitted to.
func (k *projection) rowOf(ctx context.Context, sv *stringkernel.Corpus) (func(i int) []float64, error) {
	f, numbers := k.factor, make([]int, sv.Len()) // of other records: −1 − their number among these
	var others []int
	for i := range numbers {
		x := sv.Seq(i)
		j, found := k.numbers()[maphash.Bytes(intern.Seed, x)]
		if found && bytes.Equal(k.corpus.Seq(j), x) {
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
		phi, err := k.writer(ctx)
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

// Restorer stores pivots and coefficients.
func (k *projection) Restorer() stringkernel.Restorer { return pivotRestorer{k.kernel} }
