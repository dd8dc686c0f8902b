package stringkernel

import (
	"sync"

	"github.com/seqsvm/seqsvm/suffix"
)

// substringScorer is the merged, annotated suffix structure of the support vectors. For output m
//
//	slope(t) = ψ(t)·Σ_i coef[m][i]·lvs_{x_i}(t)            what a unit of length weight on the edge above t adds
//	base(t)  = base(parent) + slope(t)·(Ω_depth(t) − Ω_depth(parent))
//	f_m(x)   = Σ_i base(node_i) + slope(below_i)·(Ω_{v_i} − Ω_depth(node_i))
//
// over the matching statistics (v_i, node_i, below_i) of x: one term per position.
type substringScorer[S suffix.Symbol] struct {
	kernel   Substring
	weights  lengthWeights
	encoding encoding
	index    *suffix.Index[S]
	tree     *suffix.Tree
	outputs  int
	base     []float64 // node-major: base[t·outputs + m]
	slope    []float64 // node-major
	leaf     []float64 // document-major: slope of the leaf edges of a document
	matchers sync.Pool // of *substringMatcher[S]
}

// substringMatcher is the state of one query.
type substringMatcher[S suffix.Symbol] struct {
	matcher *suffix.Matcher[S]
	symbols []S
}

func newSubstringScorer[S suffix.Symbol](k Substring, sv *Corpus, coef [][]float64, e encoding) (*substringScorer[S], error) {
	text, err := newText[S](&e, sv, k.Reference())
	if err != nil {
		return nil, err
	}
	s := &substringScorer[S]{kernel: k, weights: k.lengthWeights(), encoding: e, outputs: len(coef)}
	if s.index, err = suffix.NewIndex(text, int(s.weights.bound)); err != nil {
		return nil, err
	}
	s.tree = s.index.Tree()
	s.annotate(sv, coef)
	s.matchers.New = func() any { return &substringMatcher[S]{matcher: s.index.NewMatcher()} }
	return s, nil
}

// annotate computes base, slope and leaf. Documents of a reference have coefficient 0.
func (s *substringScorer[S]) annotate(sv *Corpus, coef [][]float64) {
	edges := newEdgeWeights(s.kernel, &s.weights, s.tree, sv.Len(), s.referenceOrNone())
	nodes, outputs := s.tree.Len(), s.outputs
	s.base, s.slope = make([]float64, nodes*outputs), make([]float64, nodes*outputs)
	s.leaf = make([]float64, s.tree.NumDocs*outputs)
	docs, sums := make([]float64, s.tree.NumDocs), make([]float64, nodes)
	for m, c := range coef {
		copy(docs, c)
		s.tree.SumDocs(sums, docs)
		for v, sum := range sums {
			s.slope[v*outputs+m] = float64(edges.psi(v) * sum)
		}
		for v := 1; v < nodes; v++ {
			p := int(s.tree.Parent[v])
			length := s.weights.upTo(s.tree.Depth[v]) - s.weights.upTo(s.tree.Depth[p])
			s.base[v*outputs+m] = s.base[p*outputs+m] + float64(length*s.slope[v*outputs+m])
		}
		for d, a := range c {
			s.leaf[d*outputs+m] = float64(edges.soloPsi() * a)
		}
	}
}

// referenceOrNone returns a corpus to count document frequencies in, empty if the kernel is not fitted: nothing is known of any
// string then.
func (s *substringScorer[S]) referenceOrNone() *Corpus {
	if r := s.kernel.Reference(); r != nil {
		return r
	}
	return new(Corpus)
}

// Outputs returns the number of coefficient vectors.
func (s *substringScorer[S]) Outputs() int { return s.outputs }

// ScoreTo adds one term per position of x, in order.
func (s *substringScorer[S]) ScoreTo(dst []float64, x []byte) {
	dst = dst[:s.outputs]
	clear(dst)
	if s.outputs == 1 {
		dst[0] = s.scoreOne(x)
		return
	}
	s.match(x, func(at suffix.Match) {
		base := s.base[int(at.Node)*s.outputs:][:len(dst)]
		for m := range dst {
			dst[m] += base[m]
		}
		if slope := s.below(at); slope != nil {
			length := s.edgeWeight(at)
			for m := range dst {
				dst[m] += float64(length * slope[m])
			}
		}
	})
}

// scoreOne is ScoreTo for the common case of a single output.
func (s *substringScorer[S]) scoreOne(x []byte) float64 {
	sum := 0.0
	s.match(x, func(at suffix.Match) {
		term := s.base[at.Node]
		if slope := s.below(at); slope != nil {
			term += float64(s.edgeWeight(at) * slope[0])
		}
		sum += term
	})
	return sum
}

// match feeds x, letter codes for letters, to a matcher.
func (s *substringScorer[S]) match(x []byte, visit func(suffix.Match)) {
	w := s.matchers.Get().(*substringMatcher[S])
	defer s.matchers.Put(w)
	const block = 4096 // long queries are encoded piece by piece
	for len(x) > 0 {
		n := min(len(x), block)
		w.symbols = encode(&s.encoding, w.symbols[:0], x[:n])
		w.matcher.Feed(w.symbols, visit)
		x = x[n:]
	}
	w.matcher.Flush(visit)
}

// below returns the slopes of the edge on which a match ends, nil if it ends at a node.
func (s *substringScorer[S]) below(at suffix.Match) []float64 {
	switch {
	case at.Below == at.Node:
		return nil
	case at.Below < 0:
		return s.leaf[int(s.tree.Docs[^at.Below])*s.outputs:]
	default:
		return s.slope[int(at.Below)*s.outputs:]
	}
}

// edgeWeight returns the length weight between the node and the end of a match.
func (s *substringScorer[S]) edgeWeight(at suffix.Match) float64 {
	return s.weights.upTo(at.Length) - s.weights.upTo(s.tree.Depth[at.Node])
}

// ExplainTo spreads every feature's weight over its letters: it walks up from the end of each match, O(Σ_i v_i).
func (s *substringScorer[S]) ExplainTo(dst []float64, m int, x []byte) {
	dst = dst[:len(x)]
	clear(dst)
	var spread []float64
	s.match(x, func(at suffix.Match) {
		if int(at.Length) >= len(spread) {
			spread = s.weights.spread(2 * int(at.Length))
		}
		if slope := s.below(at); slope != nil {
			spreadEdge(dst[at.Start:], spread, s.tree.Depth[at.Node], at.Length, slope[m])
		}
		for v := at.Node; v != 0; v = s.tree.Parent[v] {
			spreadEdge(dst[at.Start:], spread, s.tree.Depth[s.tree.Parent[v]], s.tree.Depth[v], s.slope[int(v)*s.outputs+m])
		}
	})
}

// spreadEdge adds to the letters of an occurrence what the prefixes of lengths a < l ≤ b give them: the letter at offset j is in
// those longer than j.
func spreadEdge(letters, spread []float64, a, b int32, slope float64) {
	for j := range b {
		letters[j] += float64(slope * (spread[b] - spread[max(a, j)]))
	}
}
