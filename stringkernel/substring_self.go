package stringkernel

import (
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/suffix"
)

// k(x, x) needs no second sequence: in the suffix tree of x alone it is Σ_t lvs(t)²·(F(t) − F(parent)), the leaves' edges
// included, where F(t) is the weight of all prefixes of t's string together: Ω_depth(t) for weights by length.

// pathIndex knows the weight F of the prefixes of any substring of a query under tfidf, that is, in another corpus's index.
type pathIndex interface {
	// pathWeights returns F for every node of the query's own tree and for the end of every leaf.
	pathWeights(x []byte, t *suffix.Tree, rest []int32) (nodes, leaves []float64)
}

// SelfEval returns k(x, x) in O(|x|).
func (k Substring) SelfEval(x []byte) float64 {
	weights := k.lengthWeights()
	value, err := k.selfEval(x, &weights)
	if err != nil {
		panic("stringkernel: SelfEval of a sequence beyond 2³¹ letters: " + err.Error()) // such a sequence does not fit a corpus either
	}
	return value
}

// selfEvalAll writes k(x_i, x_i) for a whole corpus.
func (k Substring) selfEvalAll(dst []float64, c *Corpus) error {
	if k.Weight == TFIDF && k.fitted == nil {
		k.fitted = &fitted{corpus: c}
	}
	errs := make([]error, c.Len())
	parallel.For(c.Len(), func(lo, hi int) {
		weights := k.lengthWeights()
		for i := lo; i < hi; i++ {
			dst[i], errs[i] = k.selfEval(c.Seq(i), &weights)
		}
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (k Substring) selfEval(x []byte, weights *lengthWeights) (float64, error) {
	c := &Corpus{arena: x, ends: []int{len(x)}, names: []string{""}}
	e := newEncoding(k.Alphabet, c)
	if e.wide() {
		return selfEval1[int32](k, c, &e, weights)
	}
	return selfEval1[uint8](k, c, &e, weights)
}

func selfEval1[S suffix.Symbol](k Substring, c *Corpus, e *encoding, weights *lengthWeights) (float64, error) {
	text, err := newText[S](e, c)
	if err != nil {
		return 0, err
	}
	t, err := suffix.NewTree(text, int(weights.bound))
	if err != nil {
		return 0, err
	}
	rest := make([]int32, t.Ranks())
	text.RestTo(rest, t.SA)
	nodes, leaves, err := k.pathWeights(c.arena, t, rest, weights)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for v := 1; v < t.Len(); v++ {
		count := float64(t.Hi[v] - t.Lo[v])
		sum += float64(float64(count*count) * (nodes[v] - nodes[t.Parent[v]]))
	}
	for r, v := range t.Leaf {
		sum += leaves[r] - nodes[v]
	}
	return sum, nil
}

// pathWeights returns F at the nodes and at the ends of the leaves of x's own tree.
func (k Substring) pathWeights(x []byte, t *suffix.Tree, rest []int32, weights *lengthWeights) (nodes, leaves []float64, err error) {
	if k.fitted != nil {
		f := k.fitted
		f.once.Do(func() { f.paths, f.err = newPathIndex(k, f.corpus) })
		if f.err != nil {
			return nil, nil, f.err
		}
		nodes, leaves = f.paths.pathWeights(x, t, rest)
		return nodes, leaves, nil
	}
	nodes, leaves = make([]float64, t.Len()), make([]float64, t.Ranks())
	for v, depth := range t.Depth {
		nodes[v] = weights.upTo(depth)
	}
	for r, depth := range rest {
		leaves[r] = weights.upTo(depth)
	}
	return nodes, leaves, nil
}

// newPathIndex indexes the reference corpus of a tfidf kernel.
func newPathIndex(k Substring, c *Corpus) (pathIndex, error) {
	e := newEncoding(k.Alphabet, c)
	if e.wide() {
		return newPaths[int32](k, c, e)
	}
	return newPaths[uint8](k, c, e)
}

// paths is the index of the reference corpus with F at its nodes: what a merged scorer has at its nodes when every leaf counts 1.
type paths[S suffix.Symbol] struct {
	scorer *substringScorer[S] // for its matcher and its edge weights
	edges  *edgeWeights
	cum    []float64 // F per node
}

func newPaths[S suffix.Symbol](k Substring, c *Corpus, e encoding) (*paths[S], error) {
	text, err := newText[S](&e, c)
	if err != nil {
		return nil, err
	}
	s := &substringScorer[S]{weights: k.lengthWeights(), encoding: e}
	if s.index, err = suffix.NewIndex(text, int(s.weights.bound)); err != nil {
		return nil, err
	}
	s.tree = s.index.Tree()
	s.matchers.New = func() any { return &substringMatcher[S]{matcher: s.index.NewMatcher()} }
	p := &paths[S]{scorer: s, edges: newEdgeWeights(k, &s.weights, s.tree, c.Len(), nil), cum: make([]float64, s.tree.Len())}
	for v := 1; v < len(p.cum); v++ {
		p.cum[v] = p.cum[s.tree.Parent[v]] + p.edges.node(v)
	}
	return p, nil
}

// pathWeights takes a node's F from the match of one of its occurrences: at the match's end or beyond it directly, within it by
// climbing to the depth of the node.
func (p *paths[S]) pathWeights(x []byte, t *suffix.Tree, rest []int32) (nodes, leaves []float64) {
	matches := make([]suffix.Match, len(x))
	p.scorer.match(x, func(at suffix.Match) { matches[at.Start] = at })
	nodes, leaves = make([]float64, t.Len()), make([]float64, t.Ranks())
	for v := 1; v < t.Len(); v++ {
		nodes[v] = p.upTo(matches[t.SA[t.Lo[v]]], t.Depth[v])
	}
	for r, depth := range rest {
		leaves[r] = p.upTo(matches[t.SA[r]], depth)
	}
	return nodes, leaves
}

// upTo returns F for the prefix of the given length of the string that was matched from a start.
func (p *paths[S]) upTo(at suffix.Match, depth int32) float64 {
	ref, weights := p.scorer.tree, &p.scorer.weights
	for at.Node != 0 && ref.Depth[at.Node] > depth {
		at.Below, at.Length, at.Node = at.Node, ref.Depth[at.Node], ref.Parent[at.Node]
	}
	inside := min(depth, at.Length)
	sum := p.cum[at.Node] + float64((weights.upTo(depth)-weights.upTo(inside))*p.edges.idf.squared(0))
	if inside == ref.Depth[at.Node] {
		return sum
	}
	psi := p.edges.idf.squared(1)
	if at.Below >= 0 {
		psi = p.edges.psi(int(at.Below))
	}
	return sum + float64((weights.upTo(inside)-weights.upTo(ref.Depth[at.Node]))*psi)
}
