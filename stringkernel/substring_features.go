package stringkernel

import (
	"math/bits"

	"github.com/seqsvm/seqsvm/internal/strongest"
	"github.com/seqsvm/seqsvm/suffix"
)

// Substrings that occur at the same places of the support vectors, but for letters that always surround them, are one feature: no support vector has one
// without the others. Such a class (Blumer et al., "Complete inverted files for efficient text retrieval and analysis", J. ACM 34 (1987),
// doi:10.1145/28869.28873) is the strings on the edge above a node, and on those above its suffix link, the link's suffix link … as long as the
// number of occurrences stays. The first node of such a chain, which is no such link itself, has the longest string; its members share the slope, so the
// weight of the class is slope·Σ (Ω_depth − Ω_depth of parent) over the chain. In a tree cut at a depth a window of a longer phrase is a class of its own.

// TopFeatures lists classes of substrings that occur at least twice in the support vectors (and the reference corpus), each under its longest string: in
// time linear in these.
func (s *substringScorer[S]) TopFeatures(mix []float64, n int) []Feature {
	both := strongest.NewBoth(min(n, s.tree.Len()))
	linked := s.linked()
	for v := int32(1); v < int32(s.tree.Len()); v++ {
		if !linked.has(v) {
			both.Offer(int(v), s.classWeight(v, mix))
		}
	}
	var list []Feature
	for _, item := range both.Items() {
		v := int32(item.Number)
		start := s.tree.SA[s.tree.Lo[v]]
		symbols := s.index.Text().Symbols[start : start+s.tree.Depth[v]]
		list = append(list, Feature{Text: decode(&s.encoding, symbols), Weight: item.Value, Support: int(s.supports()[v])})
	}
	return list
}

// classWeight returns the weight of the class that a node is the first of.
func (s *substringScorer[S]) classWeight(v int32, mix []float64) float64 {
	slope, omega := s.slope(v, mix), 0.0
	for member := true; member; v, member = s.nextMember(v) {
		omega += s.weights.upTo(s.tree.Depth[v]) - s.weights.upTo(s.tree.Depth[s.tree.Parent[v]])
	}
	return float64(slope * omega)
}

// nextMember returns the suffix link of a node if it is in the same class.
func (s *substringScorer[S]) nextMember(v int32) (link int32, member bool) {
	t := s.tree
	link = s.index.Link(v)
	return link, link != 0 && t.Depth[link] == t.Depth[v]-1 && t.Hi[link]-t.Lo[link] == t.Hi[v]-t.Lo[v]
}

// slope returns what a unit of length weight on the edge above a node adds to a mixture of outputs.
func (s *substringScorer[S]) slope(v int32, mix []float64) (sum float64) {
	for m, a := range mix {
		sum += float64(a * s.edges[int(v)*s.outputs+m].slope)
	}
	return sum
}

// linked marks the nodes that are the suffix link of another one of their class.
func (s *substringScorer[S]) linked() bitset {
	marks := newBitset(s.tree.Len())
	for v := int32(1); v < int32(s.tree.Len()); v++ {
		if link, member := s.nextMember(v); member {
			marks.set(link)
		}
	}
	return marks
}

// supports returns for each node the number of support vectors that hold its string. It is computed when first asked for.
func (s *substringScorer[S]) supports() []int32 {
	s.counted.Do(func() {
		s.support = make([]int32, s.tree.Len())
		s.tree.DocFreqAmong(s.support, 0, s.vectors)
	})
	return s.support
}

// decode is the inverse of encode for symbols of letters.
func decode[S suffix.Symbol](e *encoding, symbols []S) string {
	letters := make([]byte, e.sigma)
	for b, symbol := range e.symbol {
		letters[symbol] = byte(b)
	}
	text := make([]byte, len(symbols))
	for i, symbol := range symbols {
		text[i] = letters[symbol]
	}
	return string(text)
}

// bitset is a set of nodes.
type bitset []uint64

func newBitset(n int) bitset      { return make(bitset, n/bits.UintSize+1) }
func (b bitset) set(v int32)      { b[v/64] |= 1 << (v % 64) }
func (b bitset) has(v int32) bool { return b[v/64]>>(v%64)&1 == 1 }
