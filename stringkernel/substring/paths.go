package substring

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/suffix"
)

// newPathIndex indexes the reference corpus of a tfidf kernel.
func newPathIndex(ctx context.Context, k Kernel, c *stringkernel.Corpus) (pathIndex, error) {
	e := newEncoding(k, c)
	if e.wide() {
		return newPaths[int32](ctx, k, c, e)
	}
	return newPaths[uint8](ctx, k, c, e)
}

// paths is the index of the reference corpus with F at its nodes: what a merged scorer has at its nodes when every leaf
// counts 1.
type paths[S suffix.Symbol] struct {
	scorer *scorer[S] // for its matcher and its edge weights
	edges  *edgeWeights
	cum    []float64 // F per node
	jump   []int32   // per node an ancestor, so that any other is a logarithm of steps away
}

func newPaths[S suffix.Symbol](ctx context.Context, k Kernel, c *stringkernel.Corpus, e *encoding) (*paths[S], error) {
	text, err := newText[S](ctx, e, c)
	if err != nil {
		return nil, err
	}
	s := &scorer[S]{weights: k.lengthWeights(k.longest(c)), encoding: e}
	if s.index, err = suffix.NewIndex(ctx, text, int(s.weights.bound)); err != nil {
		return nil, err
	}
	s.tree = s.index.Tree()
	s.matchers.New = s.newMatcher
	p := &paths[S]{scorer: s, edges: newEdgeWeights(k, &s.weights, s.tree, c.Len(), nil),
		cum: make([]float64, s.tree.Len())}
	for v := range cancel.Steps(ctx, 1, len(p.cum)) {
		p.cum[v] = p.cum[s.tree.Parent[v]] + p.edges.Node(v)
	}
	p.jump = jumpPointers(s.tree.Parent)
	return p, nil
}

// jumpPointers gives every node the ancestor that E. W. Myers's applicative random-access stack (Information Processing
// Letters 17 (1983) 241–248, doi:10.1016/0020-0190(83)90106-0) would: two jumps of equal length join to one.
func jumpPointers(parent []int32) []int32 {
	jump, level := make([]int32, len(parent)), make([]int32, len(parent))
	for v := 1; v < len(parent); v++ {
		p := parent[v]
		level[v], jump[v] = level[p]+1, p
		if j := jump[p]; level[p]-level[j] == level[j]-level[jump[j]] {
			jump[v] = jump[j]
		}
	}
	return jump
}

// edgeWeights takes F from the match that begins with a string: at the match's end or beyond it directly, within it by
// climbing to the string's length.
func (p *paths[S]) edgeWeights(
	c *stringkernel.Corpus, ends []int32, weights *lengthWeights,
) func(suffix.Edge) float64 {
	var matches []suffix.Match // by position in the text, separators included
	for i, end := range ends {
		start := len(matches)
		matches = append(matches, make([]suffix.Match, int(end)+1-start)...)
		p.scorer.match(c.Seq(i), func(at suffix.Match) { matches[start+at.Start] = at })
	}
	return func(e suffix.Edge) float64 {
		below := p.upTo(matches[e.Start], e.Below, weights)
		if e.Above == 0 {
			return below
		}
		return below - p.upTo(matches[e.Start], e.Above, weights)
	}
}

// upTo returns F for the prefix of the given length of the string that was matched from a start.
func (p *paths[S]) upTo(at suffix.Match, depth int32, weights *lengthWeights) float64 {
	ref := p.scorer.tree
	if ref.Depth[at.Node] > depth {
		at.Below = p.highestBelow(at.Node, depth)
		at.Length, at.Node = ref.Depth[at.Below], ref.Parent[at.Below]
	}
	inside := min(depth, at.Length)
	sum := p.cum[at.Node] + float64((weights.upTo(depth)-weights.upTo(inside))*p.edges.idf[0])
	if inside == ref.Depth[at.Node] {
		return sum
	}
	psi := p.edges.idf[1]
	if at.Below >= 0 {
		psi = p.edges.psi(int(at.Below))
	}
	return sum + float64((weights.upTo(inside)-weights.upTo(ref.Depth[at.Node]))*psi)
}

// highestBelow returns the highest node above v, or v itself, that is deeper than depth.
func (p *paths[S]) highestBelow(v, depth int32) int32 {
	ref := p.scorer.tree
	for ref.Depth[ref.Parent[v]] > depth {
		if j := p.jump[v]; ref.Depth[j] > depth {
			v = j
		} else {
			v = ref.Parent[v]
		}
	}
	return v
}
