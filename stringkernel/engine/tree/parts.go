package tree

import (
	"cmp"
	"slices"
	"sort"

	"github.com/seqsvm/seqsvm/internal/parallel"
)

// A large tree is multiplied by all processors. Its leaves are in parts by the nodes they hang from, so that no two
// parts add to a node; each part has a sum per document of its own, and these are added in their order. How many parts
// there are depends on the tree alone, and so do the bits of a product. Nodes are dealt with level by level.

const (
	partLeaves   = 1 << 19 // leaves of a tree that is divided
	mostParts    = 16
	leavesPerSum = 4       // leaves of a part per document, at least: a sum costs about as much as a leaf
	levelNodes   = 1 << 15 // nodes of a level that several processors deal with
)

// span is the entries lo … hi−1 of a list.
type span struct{ lo, hi int32 }

// part is the leaves below a range of nodes.
type part struct {
	nodes, fans, plain, valued, pairs span
	spread                            int32 // where its first fan begins
}

// divide finds parts and levels. A tree of fewer leaves than least is one part, as is one whose nodes are out of order.
func (s *flatTree) divide(least int) {
	s.parts, s.levels = nil, []int32{1}
	work := len(s.spread) + len(s.plain.node) + len(s.valued.node) + 2*len(s.pairs)
	parts := 1
	if work >= max(1, least) && s.ascends() {
		parts = max(1, min(mostParts, work/(leavesPerSum*s.docs)))
	}
	begin := part{}
	for k := range parts {
		node := int32(len(s.nodes))
		if k < parts-1 {
			share := (k + 1) * work / parts
			node = int32(sort.Search(len(s.nodes), func(t int) bool { return s.before(int32(t)).work() >= share }))
		}
		end := s.before(node)
		s.parts = append(s.parts, part{
			nodes: span{begin.nodes.hi, end.nodes.hi}, fans: span{begin.fans.hi, end.fans.hi},
			plain: span{begin.plain.hi, end.plain.hi}, valued: span{begin.valued.hi, end.valued.hi},
			pairs: span{begin.pairs.hi, end.pairs.hi}, spread: begin.spread,
		})
		begin = end
	}
	if parts == 1 {
		s.levels = append(s.levels, int32(len(s.nodes)))
		return
	}
	for next := 1; next < len(s.nodes); {
		next += sort.Search(len(s.nodes)-next, func(t int) bool { return int(s.nodes[next+t].parent) >= next })
		s.levels = append(s.levels, int32(next))
	}
}

// ascends reports whether the parents of nodes and of pairs are in ascending order.
func (s *flatTree) ascends() bool {
	return slices.IsSortedFunc(s.nodes, func(a, b edge) int { return cmp.Compare(a.parent, b.parent) }) &&
		slices.IsSortedFunc(s.pairs, func(a, b pair) int { return cmp.Compare(a.parent, b.parent) })
}

// before returns the part of all leaves that hang from the nodes before one. Its spread is where the next fan begins.
func (s *flatTree) before(node int32) part {
	count := func(n int, at func(i int) int32) int32 {
		return int32(sort.Search(n, func(i int) bool { return at(i) >= node }))
	}
	p := part{
		nodes:  span{0, node},
		fans:   span{0, count(len(s.fans), func(i int) int32 { return s.fans[i].node })},
		plain:  span{0, count(len(s.plain.node), func(i int) int32 { return s.plain.node[i] })},
		valued: span{0, count(len(s.valued.node), func(i int) int32 { return s.valued.node[i] })},
		pairs:  span{0, count(len(s.pairs), func(i int) int32 { return s.pairs[i].parent })},
	}
	if p.fans.hi > 0 {
		p.spread = s.fans[p.fans.hi-1].end
	}
	return p
}

// work returns the number of leaves of a part that before returns.
func (p part) work() int {
	return int(p.spread) + int(p.plain.hi) + int(p.valued.hi) + 2*int(p.pairs.hi)
}

// eachPart calls visit for every part.
func (s *flatTree) eachPart(visit func(i int, p part)) {
	if len(s.parts) == 1 {
		visit(0, s.parts[0])
		return
	}
	parallel.Each(len(s.parts), func(i int) { visit(i, s.parts[i]) })
}

// eachFan calls visit with the fans of a part, their documents less their bases, and the values of their leaves.
func (s *flatTree) eachFan(p part, visit func(f fan, docs []uint16, value float64)) {
	start := p.spread
	for i := p.fans.lo; i < p.fans.hi; i++ {
		f, value := s.fans[i], 1.0
		if s.values != nil {
			value = s.values[i]
		}
		visit(f, s.spread[start:f.end], value)
		start = f.end
	}
}

// eachLeaves calls visit with the leaves of a part that are listed one by one.
func (s *flatTree) eachLeaves(p part, visit func(l listed)) {
	visit(s.plain.cut(p.plain.lo, p.plain.hi))
	visit(s.valued.cut(p.valued.lo, p.valued.hi))
}

// pairsOf returns the pairs of a part.
func (s *flatTree) pairsOf(p part) []pair { return s.pairs[p.pairs.lo:p.pairs.hi] }

// inLevel calls visit for ranges of the nodes of level k, several at once if there are many. No parent has children in
// two of them.
func (s *flatTree) inLevel(k int, visit func(lo, hi int)) {
	first, end := int(s.levels[k-1]), int(s.levels[k])
	if len(s.parts) == 1 || end-first < levelNodes {
		visit(first, end)
		return
	}
	start := func(at int) int {
		for first < at && at < end && s.nodes[at].parent == s.nodes[at-1].parent {
			at++
		}
		return at
	}
	parallel.For(end-first, func(lo, hi int) { visit(start(first+lo), start(first+hi)) })
}

// space returns the entries of scratch that a product needs.
func (s *flatTree) space() int {
	if len(s.parts) == 1 {
		return len(s.nodes)
	}
	return len(s.nodes) + len(s.parts)*s.docs
}
