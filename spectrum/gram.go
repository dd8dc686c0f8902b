package spectrum

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/engine/table"
)

// Gram indexes a corpus of fewer than 2³⁰ sequences; see the package comment for time and memory.
func (k Kernel) Gram(ctx context.Context, c *stringkernel.Corpus) (matrix stringkernel.Gram, err error) {
	defer cancel.Catch(&err)
	if err := k.Check(); err != nil {
		return nil, err
	}
	if c.Len() >= table.MostRecords {
		return nil, fmt.Errorf("spectrum: %d sequences, want fewer than 2³⁰", c.Len())
	}
	if k.TFIDF {
		return tfidf(k).gram(ctx, c)
	}
	depth := gramDepth(k, c.Letters())
	if k.byTree(c, depth) {
		return k.treeGram(ctx, c)
	}
	if err := k.checkIndex(c, depth); err != nil {
		return nil, err
	}
	return newGram(ctx, k, c, depth), nil
}

// checkIndex returns an error if the index of a corpus, with k-mers of up to depth letters in tables and sorted longer
// ones, would take too much memory.
func (k Kernel) checkIndex(c *stringkernel.Corpus, depth int) error {
	if err := k.checkSorted(c, depth == k.K); err != nil {
		return err
	}
	perLetter := k.indexBytes(depth, c.Letters())
	if k.weighs() {
		perLetter += float64(8 * k.lengths()) // of repeats
	}
	if k.bothStrands {
		perLetter *= 2
	}
	if err := stringkernel.CheckIndex(c, perLetter); err != nil {
		return fmt.Errorf("spectrum: %w", err)
	}
	return nil
}

// indexBytes returns the memory of a letter at the peak of indexing, as measured on random sequences and on records of
// which each occurs twice.
func (k Kernel) indexBytes(depth, letters int) float64 {
	const listed = 10 // the features of positions, and their postings
	if depth == k.K {
		return listed
	}
	lists := k.K - max(depth, k.shortest()-1)
	if depth > 0 {
		lists++
	}
	return float64(listed*lists+1) + sortingBytes(letters)/float64(max(letters, 1))
}

// gram is the implicit matrix of an indexed corpus: see [Kernel.Gram].
//
// It is a sum of parts: k-mers counted in arrays indexed by their codes (short ones), and sorted k-mers of each longer
// length.
type gram struct {
	diag   []float64
	parts  []part
	scale  float64 // of the sum of the parts: a foldPart is in units of g(1)²
	linear bool    // counts are raw
}

// part is the Gram matrix of some of the features, its methods adding to dst.
type part interface {
	// prepare makes what the first product would make.
	prepare(ctx context.Context)
	product(dst, v []float64)
	row(dst []float64, i int)
}

// Limits of the array regime of the Gram matrix: an array of 2²⁰ float64 (8 MB) still shares a third-level cache, and
// one that is much larger than the corpus costs more to clear than the corpus to walk.
const (
	gramBits       = 20
	gramPerLetter  = 1
	gramAlwaysBits = 10
)

// gramDepth returns the longest length to count in arrays: for the plain kernel K or 0.
func gramDepth(k Kernel, letters int) int {
	bits := k.Alphabet.Bits()
	fits := func(length int) bool {
		width := bits * length
		return width <= gramAlwaysBits || width <= gramBits && 1<<width <= gramPerLetter*letters
	}
	if !k.Bounded {
		if fits(k.K) {
			return k.K
		}
		return 0
	}
	depth := 0
	for depth < k.K && fits(depth+1) {
		depth++
	}
	return depth
}

// newGram indexes a corpus with k-mers of up to depth letters in arrays; for the plain kernel depth is K or 0.
func newGram(ctx context.Context, k Kernel, c *stringkernel.Corpus, depth int) *gram {
	g, records := &gram{diag: make([]float64, c.Len()), scale: 1, linear: k.Count.Linear()}, k.records(c)
	some := k // of its lengths
	for some.K = max(depth+1, k.shortest()); some.K <= k.K; some.K++ {
		g.parts = append(g.parts, newSortedPart(ctx, some, records))
	}
	if some.K = depth; depth > 0 && k.Bounded {
		g.parts, g.scale = append(g.parts, newFoldPart(ctx, some, records)), k.Count.Pair(1, 1)
	} else if depth > 0 {
		g.parts = append(g.parts, newCodePart(ctx, some, records))
	}
	parallel.EachContext(ctx, c.Len(), func(j int) { g.diag[j] = k.selfEval(ctx, c.Seq(j)) })
	return g
}

// Traits says that products may need an index of their own.
func (g *gram) Traits() stringkernel.Traits {
	return stringkernel.Traits{Prepare: func(ctx context.Context) (err error) {
		defer cancel.Catch(&err)
		for _, p := range g.parts {
			p.prepare(ctx)
		}
		return nil
	}}
}

// Len returns the number of sequences n.
func (g *gram) Len() int { return len(g.diag) }

// Diag writes k(x_i, x_i), counted when the corpus was indexed. O(n).
func (g *gram) Diag(dst []float64) { copy(dst[:len(g.diag)], g.diag) }

// Row writes k(x_j, x_i) for every j. It costs the shorter of two ways, chosen once for the corpus: the postings of the
// features of x_i, or a scatter of x_i and a gather of the corpus, O(N).
func (g *gram) Row(dst []float64, i int) {
	dst = dst[:len(g.diag)]
	clear(dst)
	for _, p := range g.parts {
		p.row(dst, i)
	}
	vectors.Scale(dst, g.scale)
}

// MulVecTo writes K·v: a scatter of v over the features and a gather back. O(N); zero entries of v save their scatter.
func (g *gram) MulVecTo(dst, v []float64) {
	dst, v = dst[:len(g.diag)], v[:len(g.diag)]
	clear(dst)
	for _, p := range g.parts {
		p.product(dst, v)
	}
	vectors.Scale(dst, g.scale)
}

// FeatureRows returns the explicit rows of the plain kernel: its k-mers, or those that several sequences share where
// k-mers are sorted. The bounded kernel has none (nil): a position would have K features, and one look-up per position
// in a folded array is what makes that kernel fast. O(1).
func (g *gram) FeatureRows() stringkernel.FeatureRows {
	if len(g.parts) != 1 {
		return nil
	}
	f, ok := g.parts[0].(*flatPart)
	if !ok {
		return nil
	}
	return flatRows{f}
}
