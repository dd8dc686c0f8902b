package tree

import (
	"cmp"
	"slices"
	"sort"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/simd"
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
func (s *flat) divide(least int) {
	s.parts, s.levels = nil, []int32{1}
	work := len(s.spread) + len(s.plain.node) + len(s.valued.node) + 2*len(s.pairs)
	parts := 1
	if work >= max(1, least) && s.ascends() {
		parts = max(1, min(mostParts, work/(leavesPerSum*s.docs)))
	}
	first := part{}
	for k := range parts {
		node := int32(len(s.nodes))
		if k < parts-1 {
			share := (k + 1) * work / parts
			node = int32(sort.Search(len(s.nodes), func(t int) bool { return s.before(int32(t)).work() >= share }))
		}
		end := s.before(node)
		s.parts = append(s.parts, part{
			nodes: span{first.nodes.hi, end.nodes.hi}, fans: span{first.fans.hi, end.fans.hi},
			plain: span{first.plain.hi, end.plain.hi}, valued: span{first.valued.hi, end.valued.hi},
			pairs: span{first.pairs.hi, end.pairs.hi}, spread: first.spread,
		})
		first = end
	}
	if parts == 1 {
		s.levels = append(s.levels, int32(len(s.nodes)))
		return
	}
	for first := 1; first < len(s.nodes); {
		first += sort.Search(len(s.nodes)-first, func(t int) bool { return int(s.nodes[first+t].Parent) >= first })
		s.levels = append(s.levels, int32(first))
	}
}

// ascends reports whether the parents of nodes and of pairs are in ascending order.
func (s *flat) ascends() bool {
	return slices.IsSortedFunc(s.nodes, func(a, b simd.Edge) int { return cmp.Compare(a.Parent, b.Parent) }) &&
		slices.IsSortedFunc(s.pairs, func(a, b simd.Pair) int { return cmp.Compare(a.Parent, b.Parent) })
}

// before returns the leaves that hang from nodes before one, and where the fans of those behind them begin.
func (s *flat) before(node int32) part {
	count := func(n int, at func(i int) int32) int32 {
		return int32(sort.Search(n, func(i int) bool { return at(i) >= node }))
	}
	p := part{
		nodes:  span{0, node},
		fans:   span{0, count(len(s.fans), func(i int) int32 { return s.fans[i].node })},
		plain:  span{0, count(len(s.plain.node), func(i int) int32 { return s.plain.node[i] })},
		valued: span{0, count(len(s.valued.node), func(i int) int32 { return s.valued.node[i] })},
		pairs:  span{0, count(len(s.pairs), func(i int) int32 { return s.pairs[i].Parent })},
	}
	if p.fans.hi > 0 {
		p.spread = s.fans[p.fans.hi-1].end
	}
	return p
}

// work returns the number of leaves of what before returns.
func (p part) work() int {
	return int(p.spread) + int(p.plain.hi) + int(p.valued.hi) + 2*int(p.pairs.hi)
}

// eachPart calls visit for every part.
func (s *flat) eachPart(visit func(i int, p part)) {
	if len(s.parts) == 1 {
		visit(0, s.parts[0])
		return
	}
	parallel.Each(len(s.parts), func(i int) { visit(i, s.parts[i]) })
}

// eachLeaves calls visit with the leaves of a part that are listed one by one.
func (s *flat) eachLeaves(p part, visit func(l listed)) {
	visit(s.plain.cut(p.plain.lo, p.plain.hi))
	visit(s.valued.cut(p.valued.lo, p.valued.hi))
}

// pairsOf returns the pairs of a part.
func (s *flat) pairsOf(p part) []simd.Pair { return s.pairs[p.pairs.lo:p.pairs.hi] }

// inLevel calls visit for ranges of the nodes of level k, several at once if there are many. No parent has children in
// two of them.
func (s *flat) inLevel(k int, visit func(lo, hi int)) {
	first, end := int(s.levels[k-1]), int(s.levels[k])
	if len(s.parts) == 1 || end-first < levelNodes {
		visit(first, end)
		return
	}
	start := func(at int) int {
		for first < at && at < end && s.nodes[at].Parent == s.nodes[at-1].Parent {
			at++
		}
		return at
	}
	parallel.For(end-first, func(lo, hi int) { visit(start(first+lo), start(first+hi)) })
}

// space returns the entries of scratch that a product needs.
func (s *flat) space() int {
	if len(s.parts) == 1 {
		return len(s.nodes)
	}
	return len(s.nodes) + len(s.parts)*s.docs
}
