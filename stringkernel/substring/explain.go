package substring

import (
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/suffix"
)

// ExplainTo spreads every feature's weight evenly over its symbols, and a symbol's over its bytes: it walks up from the
// end of each match, O(Σ_i v_i), and over the symbols of lengths with a weight only. What falls to a mark goes to the
// symbol next to it.
func (s *scorer[S]) ExplainTo(dst []float64, m int, x []byte) {
	dst = dst[:len(x)]
	clear(dst)
	switch {
	case s.encoding.reader != nil:
		s.explainUnits(dst, m, x)
	case s.encoding.marks > 0 && s.encoding.hasLetter(x):
		parts := make([]float64, len(x)+marks)
		s.match(x, s.explainer(parts, m))
		copy(dst, foldMarks(parts, func(i int) bool { return !s.encoding.all && s.encoding.symbol[x[i]] == 0 }))
	default:
		s.match(x, s.explainer(dst, m))
	}
}

func (s *scorer[S]) explainUnits(dst []float64, m int, x []byte) {
	w := s.matchers.Get().(*matcher[S])
	defer s.matchers.Put(w)
	numbers := w.reader.Read(x)
	parts := make([]float64, len(numbers)+marks)
	s.matchUnits(w, numbers, s.explainer(parts, m))
	if s.encoding.marked(numbers) {
		parts = foldMarks(parts, func(i int) bool { return numbers[i] == 0 })
	}
	for i, p := range w.reader.Places() {
		for at := p.Lo; at < p.Hi; at++ {
			dst[at] += parts[i] / float64(p.Hi-p.Lo)
		}
	}
}

// foldMarks drops the first and the last part, which are those of marks, and adds them to the parts of the first and
// the last symbol that are not breaks.
func foldMarks(parts []float64, isBreak func(i int) bool) []float64 {
	begin, end := parts[0], parts[len(parts)-1]
	parts = parts[1 : len(parts)-1]
	first, last := 0, len(parts)-1
	for isBreak(first) {
		first++
	}
	for isBreak(last) {
		last--
	}
	parts[first] += begin
	parts[last] += end
	return parts
}

// explainer returns the visitor of matches that adds what each gives to the symbols of the query.
func (s *scorer[S]) explainer(parts []float64, m int) func(suffix.Match) {
	var spread []float64
	longest := s.weights.longest()
	return func(at suffix.Match) {
		if n := int(min(at.Length, longest)); n >= len(spread) {
			spread = s.weights.spread(2 * n)
		}
		e := edgeSpreader{letters: parts[at.Start:], spread: spread, longest: longest}
		switch {
		case at.Below < 0:
			e.add(s.tree.Depth[at.Node], at.Length, s.leaf[int(s.index.DocAt(at.Pos))*s.outputs+m])
		case at.Below != at.Node:
			e.add(s.tree.Depth[at.Node], at.Length, s.edges[int(at.Below)*s.outputs+m].slope)
		}
		for v := at.Node; v != 0; v = s.tree.Parent[v] {
			e.add(s.tree.Depth[s.tree.Parent[v]], s.tree.Depth[v], s.edges[int(v)*s.outputs+m].slope)
		}
	}
}

// edgeSpreader adds to the letters of one occurrence what its prefixes give them, edge by edge from the deepest up. The
// letter at offset j is in the prefixes longer than j.
type edgeSpreader struct {
	letters []float64
	spread  []float64
	longest int32   // length with a weight
	below   float64 // what the edges below give each letter above them
}

// add spreads the prefixes of lengths a < l ≤ b, where b is the a of the edge before. O(b − a).
func (e *edgeSpreader) add(a, b int32, slope float64) {
	a, b = min(a, e.longest), min(b, e.longest)
	for j := a; j < b; j++ {
		e.letters[j] += e.below + float64(slope*(e.spread[b]-e.spread[j]))
	}
	e.below += float64(slope * (e.spread[b] - e.spread[a]))
}

// Traits says where features are, and that tfidf has k(x, x) beside a score. Between units and between marks there is
// no such place.
func (s *scorer[S]) Traits() (t stringkernel.Traits) {
	if s.encoding.reader == nil && s.encoding.marks == 0 {
		t.Around = s.around
	}
	if s.prefix != nil {
		t.SelfScoreTo = selfScorer{s, s.kernel}.scoreTo
	}
	return t
}

// around returns the letters around each position that substrings of the support vectors may span: a match that reaches
// position i begins where a match of x reaches i − 1 at least, and ends where one that begins at i + 1 does at most,
// whatever letter is at i.
func (s *scorer[S]) around(x []byte) func(i int) (lo, hi int) {
	ends := make([]int, len(x)+2) // where the match from each letter ends, which never decreases
	ends[len(x)], ends[len(x)+1] = len(x), len(x)
	s.match(x, func(at suffix.Match) { ends[at.Start] = int(at.Start) + int(min(at.Length, s.weights.longest())) })
	lo := 0
	return func(i int) (from, to int) {
		for ends[lo] < i {
			lo++
		}
		return lo, max(i+1, ends[i+1])
	}
}
