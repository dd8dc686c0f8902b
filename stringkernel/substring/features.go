package substring

import (
	"github.com/seqsvm/seqsvm/internal/strongest"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Substrings that occur at the same places of the support vectors, but for letters that always surround them, are one
// feature: no support vector has one without the others. Such a class (Blumer et al., "Complete inverted files for
// efficient text retrieval and analysis", J. ACM 34 (1987), doi:10.1145/28869.28873) is the strings on the edge above a
// node, and on those above its suffix link, the link's suffix link … as long as the number of occurrences stays. The
// first node of such a chain, which is not such a link itself, has the longest string; its members share the slope. In
// a tree cut at a depth, a window of a longer phrase is a separate class.

// TopFeatures lists classes of substrings that occur at least twice in the support vectors (and the reference corpus),
// each under its longest string. The weight is that of the one that weighs most: what an occurrence of it adds alone. A
// class is left out if a string with a letter more, on either side, has at least half its slope, so that most of its
// weight comes from occurrences in that one: " oil " represents " o", "oi" and "oil". It takes time linear in the
// strings' nodes and links, times the logarithm of their number with a list of weights.
func (s *scorer[S]) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	t := s.tree
	slopes, both := make([]float64, t.Len()), strongest.NewBoth(min(n, t.Len()))
	for v := range slopes {
		slopes[v] = s.slope(int32(v), mix)
	}
	explained, greatest := s.explained(slopes), s.weights.greatest()
	for v := int32(1); v < int32(t.Len()); v++ {
		if !explained[v] {
			both.Offer(int(v), float64(slopes[v]*s.classWeight(v, greatest)))
		}
	}
	var list []stringkernel.Feature
	for _, item := range both.Items() {
		v := int32(item.Number)
		list = append(list, stringkernel.Feature{Text: s.text(t.SA[t.Lo[v]], t.Depth[v]), Weight: item.Value,
			Support: int(s.supports()[v])})
	}
	return list
}

// half is the share of a string's weight from which on one with a letter more explains it, up to rounding.
const half = 0.5 - 1e-9

// explained marks the nodes whose slope is that of a string with a letter more, by half or more. Such a string is on
// the edge to a node v: without its last letter it is v's parent, without its first it is at the suffix link of v or
// above.
func (s *scorer[S]) explained(slopes []float64) []bool {
	t, marks := s.tree, make([]bool, s.tree.Len())
	for v := int32(1); v < int32(t.Len()); v++ {
		if u, member := s.nextMember(v); member {
			marks[u] = true // by the first of its class, whatever rounding has made of their slope
		}
		mark := func(u int32) {
			if u != 0 && slopes[u] != 0 && slopes[v]/slopes[u] >= half {
				marks[u] = true
			}
		}
		mark(t.Parent[v])
		for u := s.index.Link(v); u != 0 && t.Depth[u] >= t.Depth[t.Parent[v]]; u = t.Parent[u] {
			mark(u)
		}
	}
	return marks
}

// classWeight returns the greatest length weight of the class that a node is the first of; greatest gives that of the
// lengths on an edge.
func (s *scorer[S]) classWeight(v int32, greatest func(a, b int32) float64) (weight float64) {
	for member := true; member; v, member = s.nextMember(v) {
		weight = max(weight, greatest(s.tree.Depth[s.tree.Parent[v]], s.tree.Depth[v]))
	}
	return weight
}

// nextMember returns the suffix link of a node if it is in the same class.
func (s *scorer[S]) nextMember(v int32) (link int32, member bool) {
	t := s.tree
	link = s.index.Link(v)
	return link, link != 0 && t.Depth[link] == t.Depth[v]-1 && t.Hi[link]-t.Lo[link] == t.Hi[v]-t.Lo[v]
}

// slope returns what a unit of length weight on the edge above a node adds to a mixture of outputs.
func (s *scorer[S]) slope(v int32, mix []float64) (sum float64) {
	for m, a := range mix {
		sum += float64(a * s.edges[int(v)*s.outputs+m].slope)
	}
	return sum
}

// supports returns for each node the number of support vectors that hold its string. It is computed when first asked
// for.
func (s *scorer[S]) supports() []int32 {
	s.counted.Do(func() {
		s.support = make([]int32, s.tree.Len())
		s.tree.DocFreqAmong(s.support, 0, s.vectors)
	})
	return s.support
}

// FeatureLister returns s if the units can be written, else nil.
func (s *scorer[S]) FeatureLister() stringkernel.FeatureLister {
	if _, spells := s.encoding.reader.(UnitSpeller); !spells && s.encoding.reader != nil {
		return nil
	}
	return s
}

// text writes a string of the support vectors: letters, or units as their reader spells them.
func (s *scorer[S]) text(start, length int32) string {
	e := s.encoding
	speller, _ := e.reader.(UnitSpeller)
	var letters [257 + marks]byte
	for b, symbol := range e.symbol {
		letters[symbol] = byte(b)
	}
	var text []byte // without marks, which go outside
	begin, end := "", ""
	for _, symbol := range s.index.Text().Symbols[start : start+length] {
		switch number := int32(symbol) - e.marks; {
		case e.marks > 0 && symbol == beginMark:
			begin = string(stringkernel.BeginSign)
		case e.marks > 0 && symbol == endMark:
			end = string(stringkernel.EndSign)
		case speller != nil:
			text = speller.AppendUnit(text, number)
		default:
			text = append(text, letters[symbol])
		}
	}
	return begin + string(text) + end
}
