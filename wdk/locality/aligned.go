package locality

import (
	"context"
	"fmt"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/wdk/internal/windowed"
)

// comparer computes kernel values of windows that are encoded as bits. It has scratch space, so each goroutine needs
// its own.
type comparer interface {
	// size is the number of 64-bit words of an encoded window.
	size() int
	// encode writes the bits of a window.
	encode(dst []uint64, x []byte)
	// value returns k of two encoded windows.
	value(x, y []uint64) float64
}

// kernel is a kernel of windows.
type kernel interface {
	Check() error
	name() string
	// comparers returns a constructor of comparers for windows of a given length.
	comparers() func(length int) comparer
}

// aligned is a set of encoded windows of one length that a query is compared with one by one, for kernels whose
// features no index can list.
type aligned struct {
	length    int
	size      int
	bits      []uint64
	n         int
	comparers sync.Pool // comparer
}

func newAligned(ctx context.Context, k kernel, c *stringkernel.Corpus) (*aligned, error) {
	length, err := windowed.Length(c)
	if err != nil {
		return nil, err
	}
	newComparer := k.comparers()
	a := &aligned{length: length, size: newComparer(length).size(), n: c.Len()}
	if err := stringkernel.CheckIndex(c, float64(8*a.size)/float64(max(length, 1))); err != nil {
		return nil, err
	}
	a.comparers.New = func() any { return newComparer(length) }
	a.bits = make([]uint64, a.n*a.size)
	a.compare(ctx, func(by comparer, i int) { by.encode(a.at(i), c.Seq(i)) })
	return a, nil
}

// compare calls task for every window, with a comparer to use.
func (a *aligned) compare(ctx context.Context, task func(by comparer, i int)) {
	parallel.ForContext(ctx, a.n, func(lo, hi int) {
		by := a.comparers.Get().(comparer)
		defer a.comparers.Put(by)
		for i := range cancel.Steps(ctx, lo, hi) {
			task(by, i)
		}
	})
}

// at returns the bits of window i.
func (a *aligned) at(i int) []uint64 { return a.bits[i*a.size : (i+1)*a.size : (i+1)*a.size] }

// rowTo writes the kernel values of an encoded window with all windows of the set into dst.
func (a *aligned) rowTo(dst []float64, x []uint64) {
	parallel.For(a.n, func(lo, hi int) {
		by := a.comparers.Get().(comparer)
		defer a.comparers.Put(by)
		for j := lo; j < hi; j++ {
			dst[j] = by.value(a.at(j), x)
		}
	})
}

// alignedGram is the matrix of a set of windows, computed by rows.
type alignedGram struct {
	set  *aligned
	diag []float64
}

func newAlignedGram(ctx context.Context, k kernel, c *stringkernel.Corpus) (_ stringkernel.Gram, err error) {
	defer cancel.Catch(&err)
	if err := k.Check(); err != nil {
		return nil, err
	}
	set, err := newAligned(ctx, k, c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.name(), err)
	}
	g := &alignedGram{set: set, diag: make([]float64, set.n)}
	set.compare(ctx, func(by comparer, i int) { g.diag[i] = by.value(set.at(i), set.at(i)) })
	return g, nil
}

func (g *alignedGram) Len() int { return g.set.n }

// Traits says that products are computed from rows.
func (g *alignedGram) Traits() stringkernel.Traits { return stringkernel.Traits{RowBased: true} }

func (g *alignedGram) Diag(dst []float64) { copy(dst, g.diag) }

func (g *alignedGram) Row(dst []float64, i int) { g.set.rowTo(dst, g.set.at(i)) }

// MulVecTo adds up the rows of the entries of v that are not 0.
func (g *alignedGram) MulVecTo(dst, v []float64) { stringkernel.MulByRows(g, dst, v) }

// alignedComparison compares windows of elsewhere with a set. One of another length has the value 0 with all.
type alignedComparison struct {
	set     *aligned
	queries sync.Pool // *[]uint64, an encoded query
}

func newAlignedComparison(
	ctx context.Context, k kernel, c *stringkernel.Corpus,
) (_ stringkernel.Comparison, err error) {
	defer cancel.Catch(&err)
	if err := k.Check(); err != nil {
		return nil, err
	}
	set, err := newAligned(ctx, k, c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.name(), err)
	}
	return (&alignedComparison{set: set}).rowTo, nil
}

func (c *alignedComparison) rowTo(dst []float64, x []byte) {
	if len(x) != c.set.length {
		clear(dst)
		return
	}
	by, query := c.set.comparers.Get().(comparer), scratch.BorrowOf[uint64](&c.queries, c.set.size)
	defer c.set.comparers.Put(by)
	defer c.queries.Put(query)
	by.encode(*query, x)
	for j := range dst {
		dst[j] = by.value(c.set.at(j), *query)
	}
}

// alignedScorer compares a query with every support vector. A query of another length scores 0.
type alignedScorer struct {
	*stringkernel.ComparisonScorer
	length int
}

func newAlignedScorer(
	ctx context.Context, k kernel, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (_ stringkernel.Scorer, err error) {
	defer cancel.Catch(&err)
	if err := k.Check(); err != nil {
		return nil, err
	}
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("%s: %w", k.name(), err)
	}
	set, err := newAligned(ctx, k, sv)
	if err != nil {
		return nil, fmt.Errorf("%s: support vectors: %w", k.name(), err)
	}
	compare := (&alignedComparison{set: set}).rowTo
	return alignedScorer{stringkernel.NewComparisonScorer(compare, c), set.length}, nil
}

// Traits has the length of the support vectors: sequences of other lengths score 0.
func (s alignedScorer) Traits() stringkernel.Traits {
	return stringkernel.Traits{WindowLength: s.length}
}

// power returns base^degree by multiplication, exact as long as the result is an integer below 2⁵³.
func power(base float64, degree int) float64 {
	product := 1.0
	for range degree {
		product *= base
	}
	return product
}
