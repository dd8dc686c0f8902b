package tree

import (
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// edge is the parent of a node, and the number of its weight.
type edge struct{ parent, omega int32 }

// pair is a node whose only children are two leaves, of two documents.
type pair struct {
	edge
	doc1, doc2 int32
}

// flatTree is a tree whose leaves belong to documents, as flat arrays that the four passes of a product stream through:
//
//	up    c(t) = Σ value·v[doc] over the leaves below t      children before parents
//	down  val(t) = val(parent) + ω(t)·c(t)                   parents before children
//	      (K·v)_j = Σ value·val over the leaves of document j
//
// Nodes are numbered in level order, parents before children, so c and val share one array and no pass waits for memory
// in a chain. The random side of every loop is v and the result, n numbers each.
//
// The value of a leaf is 1, but where counts are seen through a function. Leaves are kept in three ways. Nodes with two
// leaves of 1 and nothing else, more than half of the leaves on DNA, are pairs: they need no c, and their four numbers
// come from one place. Many leaves of one value at a node, all there is where the length is bounded, are fans: a list
// of documents. The rest are (node, document) one by one, with a value if it is not 1.
//
// The weights ω are few, since they depend on two depths (and a document frequency): nodes hold numbers of a table.
type flatTree struct {
	nodes  []edge    // by number; node 0 is the root, whose val is 0
	omega  []float64 // the distinct weights
	pairs  []pair    // by ascending parent
	fans   []fan     // by ascending node
	values []float64 // of the fans' leaves; nil if all are 1
	spread []uint16  // documents of the fans' leaves, ascending within a fan, less its base
	plain  listed    // the other leaves of value 1
	valued listed    // and those of other values
	docs   int       // more than any document
	parts  []part    // of the leaves, at least one
	levels []int32   // nodes levels[k−1] … levels[k]−1 have their parents before them; the first is the root alone
}

// Leaf is a leaf of a document with a value.
type Leaf struct {
	Node, Doc int32
	Value     float64
}

// listed are leaves one by one, by ascending node.
type listed struct {
	node, doc []int32
	value     []float64 // nil if all are 1
}

// cut returns leaves lo … hi−1.
func (l listed) cut(lo, hi int32) listed {
	l.node, l.doc = l.node[lo:hi], l.doc[lo:hi]
	if l.value != nil {
		l.value = l.value[lo:hi]
	}
	return l
}

// fan is a run of leaves of one node and value whose documents are less than 2¹⁶ apart: those of spread up to end, from
// the end of the fan before it. Two bytes a leaf in place of eight is what makes short words fast: they are all leaves.
type fan struct {
	node, base, end int32
}

const (
	fanBits   = 16 // documents with the same upper bits share a fan
	fanLeaves = 8  // a node whose fans have fewer leaves on average is not worth them
)

// newFlatTree arranges a tree. Node 0 is the root, parent[t] < t, and omega[t] is the weight of node t. leafNode and
// leafDoc list the leaves of value 1 by ascending document; valued lists the others in any order, and is overwritten.
// Leaves of the root are dropped, their val is 0. Package cancel ends it.
func newFlatTree(
	ctx context.Context, parent []int32, omega []float64, leafNode, leafDoc []int32, valued []Leaf,
) *flatTree {
	leaves := make([]int32, len(parent)) // per node
	for _, t := range leafNode {
		leaves[t]++
	}
	inner := make([]bool, len(parent)) // has nodes for children, or leaves with values
	for t := 1; t < len(parent); t++ {
		inner[parent[t]] = true
	}
	for _, l := range valued {
		inner[l.Node] = true
	}
	// Nodes that stay are renumbered; pairs get their place among the pairs as −1 − place.
	s, number := new(flatTree), make([]int32, len(parent))
	var count, pairs int32 = 1, 0
	for t := range cancel.Steps(ctx, 1, len(parent)) {
		if leaves[t] == 2 && !inner[t] {
			number[t] = -1 - pairs
			pairs++
		} else {
			number[t] = count
			leaves[count] = leaves[t] // count ≤ t: by new number from here on
			count++
		}
	}
	if n := len(leafDoc); n > 0 {
		s.docs = int(leafDoc[n-1]) + 1
	}
	for _, l := range valued {
		s.docs = max(s.docs, int(l.Doc)+1)
	}
	s.addNodes(ctx, parent, omega, number, count, pairs)
	valued = sortLeaves(ctx, valued, number, int(count), s.docs)
	s.addLeaves(ctx, leafNode, leafDoc, number, leaves[:count], valued)
	s.divide(partLeaves)
	return s
}

// addNodes fills in the nodes that stay and the pairs. A pair's parent has a node below it, so it stays.
func (s *flatTree) addNodes(ctx context.Context, parent []int32, omega []float64, number []int32, count, pairs int32) {
	s.nodes, s.pairs = make([]edge, count), make([]pair, pairs)
	var table Numbering
	for t := range cancel.Steps(ctx, 1, len(parent)) {
		e := edge{parent: number[parent[t]], omega: table.Number(omega[t])}
		if k := number[t]; k < 0 {
			s.pairs[-1-k] = pair{edge: e, doc1: -1}
		} else {
			s.nodes[k] = e
		}
	}
	s.omega = table.Values
}

// addLeaves sorts the leaves of value 1 by node, keeping their order by document: a counting sort into the fans' list
// and the others'. leaves has their number per node that stays. Sorted leaves of other values join them.
func (s *flatTree) addLeaves(ctx context.Context, leafNode, leafDoc, number, leaves []int32, valued []Leaf) {
	fanned := fanLeaves * (int32(s.docs-1)>>fanBits + 1)
	next := make([]int32, len(leaves)) // where the node's next leaf goes
	var spread, others int32
	for k := 1; k < len(leaves); k++ {
		if leaves[k] >= fanned {
			next[k] = spread
			spread += leaves[k]
		} else {
			next[k] = others
			others += leaves[k]
		}
	}
	fanDocs := make([]int32, spread)
	s.plain.node, s.plain.doc = make([]int32, others), make([]int32, others)
	place := func(t, doc int32) {
		k := number[t]
		switch {
		case k > 0 && leaves[k] >= fanned:
			fanDocs[next[k]] = doc
			next[k]++
		case k > 0:
			s.plain.node[next[k]], s.plain.doc[next[k]] = k, doc
			next[k]++
		case k < 0 && s.pairs[-1-k].doc1 < 0:
			s.pairs[-1-k].doc1 = doc
		case k < 0:
			s.pairs[-1-k].doc2 = doc
		}
	}
	// A range of nodes at a time, so that what is written at random fits a cache: that is worth going through all
	// leaves for each, and several processors may.
	ranges := min(16, 1+len(leafNode)>>16)
	parallel.EachContext(ctx, ranges, func(r int) {
		first := int32(r * len(number) / ranges)
		count := uint32(int32((r+1)*len(number)/ranges) - first)
		for j, t := range cancel.All(ctx, leafNode) {
			if uint32(t-first) < count {
				place(t, leafDoc[j])
			}
		}
	})
	few, docs := valued[:0], []int32(nil)
	s.spread = make([]uint16, 0, spread)
	for k := 1; k < len(leaves); k++ {
		if leaves[k] >= fanned {
			s.addFans(int32(k), 1, fanDocs[:leaves[k]])
			fanDocs = fanDocs[leaves[k]:]
		}
		for len(valued) > 0 && valued[0].Node == int32(k) {
			n := alike(valued)
			if n < int(fanned) {
				few = append(few, valued[:n]...)
			} else {
				docs = docs[:0]
				for _, l := range valued[:n] {
					docs = append(docs, l.Doc)
				}
				s.addFans(int32(k), valued[0].Value, docs)
			}
			valued = valued[n:]
		}
	}
	s.valued = listed{make([]int32, len(few)), make([]int32, len(few)), make([]float64, len(few))}
	for i, l := range few {
		s.valued.node[i], s.valued.doc[i], s.valued.value[i] = l.Node, l.Doc, l.Value
	}
}

// alike returns how many leaves at the start of a list have its first's node and value.
func alike(list []Leaf) int {
	n := 1
	for n < len(list) && list[n].Node == list[0].Node && list[n].Value == list[0].Value {
		n++
	}
	return n
}

// sortLeaves gives leaves the numbers of their nodes, and sorts them by number, value and document in linear time.
// Those of the root are dropped.
func sortLeaves(ctx context.Context, list []Leaf, number []int32, nodes, docs int) []Leaf {
	var values Numbering
	for i, l := range list {
		list[i].Node = number[l.Node]
		values.Number(l.Value)
	}
	other, key := make([]Leaf, len(list)), make([]int32, len(list))
	sortBy := func(n int, keyOf func(l *Leaf) int32) { // keeps the order of those with the same key, which is below n
		cancel.Check(ctx)
		next := make([]int32, n+1)
		for i := range list {
			key[i] = keyOf(&list[i])
			next[key[i]+1]++
		}
		for k := range n {
			next[k+1] += next[k]
		}
		for i, k := range key {
			other[next[k]] = list[i]
			next[k]++
		}
		list, other = other, list
	}
	sortBy(docs, func(l *Leaf) int32 { return l.Doc })
	sortBy(len(values.Values), func(l *Leaf) int32 { return values.Number(l.Value) })
	sortBy(nodes, func(l *Leaf) int32 { return l.Node })
	for len(list) > 0 && list[0].Node == 0 {
		list = list[1:]
	}
	return list
}

// addFans cuts leaves of a node and a value into fans.
func (s *flatTree) addFans(node int32, value float64, docs []int32) {
	before := len(s.fans)
	for i, doc := range docs {
		base := doc >> fanBits << fanBits
		s.spread = append(s.spread, uint16(doc-base))
		if i == 0 || s.fans[len(s.fans)-1].base != base {
			s.fans = append(s.fans, fan{node: node, base: base})
		}
		s.fans[len(s.fans)-1].end = int32(len(s.spread))
	}
	if value != 1 && s.values == nil {
		s.values = slices.Repeat([]float64{1}, before)
	}
	for s.values != nil && len(s.values) < len(s.fans) {
		s.values = append(s.values, value)
	}
}
