package substring

import (
	"context"
	"fmt"
	"iter"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/engine/tree"
	"github.com/seqsvm/seqsvm/suffix"
)

// IndexSharer shares one suffix tree, which has the weights of any length, λ and weighting on its edges. Document
// frequencies (tfidf) need a separate tree, nucleotide substrings that package spectrum counts none.
func (k Kernel) IndexSharer() stringkernel.IndexSharer {
	if _, is := k.counted(); is || k.Weight == TFIDF || !k.Count.Linear() {
		return nil
	}
	return k
}

// Family is the alphabet, the units and whether there are marks.
func (k Kernel) Family() string {
	return fmt.Sprintf("substring %s %s %p %t", k.Alphabet, k.Unit, k.units, k.Ends)
}

// Share builds the suffix tree of a corpus, as deep as the members need, and the profile of each sequence, from which
// come all k(x, x): O(N) once. A matrix is then a pass over the tree: no sorting, and nothing done per sequence.
// Memory: the tree (12 bytes per letter, 16 per node), a profile (8 bytes per letter, or per length up to the greatest
// bound), and what the matrices in use take.
func (k Kernel) Share(ctx context.Context, x *stringkernel.Indexes,
	members []stringkernel.Kernel) (shared stringkernel.Shared, err error) {
	defer cancel.Catch(&err)
	c := x.Corpus
	e := newEncoding(k, c)
	share := newShared[uint8]
	if e.wide() {
		share = newShared[int32]
	}
	s, err := share(ctx, k, c, e, deepest(members))
	if err != nil {
		return nil, fmt.Errorf("substring: %w", err)
	}
	return s.gram, nil
}

// deepest returns the length that no weight of the members goes beyond, 0 if there is none.
func deepest(members []stringkernel.Kernel) int {
	bound := 0
	for _, m := range members {
		weights := m.(Kernel).lengthWeights(0)
		if weights.bound == 0 {
			return 0
		}
		bound = max(bound, int(weights.bound))
	}
	return bound
}

// sharedIndex is the suffix tree of a corpus for any weights up to a bound.
type sharedIndex struct {
	corpus   *stringkernel.Corpus
	index    *tree.Index
	profiles [][]float64 // per sequence x and length j − 1: Σ #_s(x)² over |s| = j
}

func newShared[S suffix.Symbol](
	ctx context.Context, k Kernel, c *stringkernel.Corpus, e *encoding, bound int,
) (*sharedIndex, error) {
	text, err := newText[S](ctx, e, c)
	if err != nil {
		return nil, err
	}
	if err := e.checkTree(c, len(text.Symbols), bound); err != nil {
		return nil, err
	}
	s := &sharedIndex{corpus: c, profiles: make([][]float64, c.Len())}
	if s.index, err = tree.NewIndex(ctx, text, bound); err != nil {
		return nil, err
	}
	return s, parallel.Do(ctx, c.Len(), func(i int) error {
		own, err := k.ownText(ctx, stringkernel.View(c.Seq(i)))
		if err != nil {
			return err
		}
		edges, err := own.edges(ctx, bound)
		if err == nil {
			s.profiles[i] = profile(edges)
		}
		return err
	})
}

// profile returns Σ #_s(x)² over the substrings s of each length, from 1 up to the greatest that the edges of the tree
// of x have. O(|x|).
func profile(edges iter.Seq[suffix.Edge]) []float64 {
	steps := []float64{0} // of the sum, from one length to the next
	for e := range edges {
		if missing := int(e.Below) + 1 - len(steps); missing > 0 {
			steps = append(steps, make([]float64, missing)...)
		}
		square := float64(float64(e.Count) * float64(e.Count))
		steps[e.Above] += square
		steps[e.Below] -= square
	}
	for j := 1; j < len(steps); j++ {
		steps[j] += steps[j-1]
	}
	return steps[:len(steps)-1]
}

// gram weighs the edges of the tree. It is a [stringkernel.Shared].
func (s *sharedIndex) gram(ctx context.Context, k stringkernel.Kernel, _ []int) (shared stringkernel.Gram, err error) {
	defer cancel.Catch(&err)
	member := k.(Kernel)
	weights := member.lengthWeights(member.longest(s.corpus))
	g := s.index.Gram(ctx, newEdgeWeights(member, &weights, s.index.Tree, 0), s.corpus.Len(), member.Count)
	for i, squares := range s.profiles {
		for j, square := range squares {
			g.Diagonal[i] += float64(square * (weights.upTo(int32(j+1)) - weights.upTo(int32(j))))
		}
	}
	return g, nil
}
