// Package streams multiplies with the Gram matrices of kernels that count common prefixes: sums over the nodes of trees
// whose leaves belong to documents, laid out as flat arrays that a product streams through.
package streams

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/gather"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/simd"
)

// Tree is the product K·v on a tree whose leaves belong to documents, as flat arrays that four passes stream through:
//
//	up    c(t) = Σ v[doc] over the leaves below t      children before parents
//	down  val(t) = val(parent) + ω(t)·c(t)             parents before children
//	      (K·v)_j = Σ val over the leaves of document j
//
// Nodes are numbered in level order, parents before children, so c and val share one array and no pass waits for memory
// in a chain. The random side of every loop is v and the result, n numbers each.
//
// Leaves are kept in three ways. Nodes with two leaves and nothing else, more than half of the leaves on DNA, are
// pairs: they need no c, and their four numbers come from one place. Nodes with many leaves, all there is where the
// length is bounded, are fans: a list of documents. The rest are (node, document) one by one.
//
// The weights ω are few, since they depend on two depths (and a document frequency): nodes hold numbers of a table.
type Tree struct {
	nodes  []simd.Edge // by number; node 0 is the root, whose val is 0
	omega  []float64   // the distinct weights
	pairs  []simd.Pair // by ascending parent
	fans   []fan       // by ascending node
	spread []uint16    // documents of the fans' leaves, ascending within a fan, less its base
	node   []int32     // per leaf of the others, ascending
	doc    []int32     // per leaf of the others, ascending within a node
	docs   int         // more than any document
	parts  []part      // of the leaves, at least one
	levels []int32     // nodes levels[k−1] … levels[k]−1 have their parents before them; the first is the root alone
}

// fan is a run of leaves of one node whose documents are less than 2¹⁶ apart: those of spread up to end, from the end
// of the fan before it. Two bytes a leaf in place of eight is what makes short words fast: they are all leaves.
type fan struct {
	node, base, end int32
}

const (
	fanBits   = 16 // documents with the same upper bits share a fan
	fanLeaves = 8  // a node whose fans have fewer leaves on average is not worth them
)

// NewTree arranges a tree. Node 0 is the root, parent[t] < t, and omega[t] is the weight of node t. leafNode and
// leafDoc list the leaves by ascending document; leaves of the root are dropped, their val is 0. Package cancel ends
// it.
func NewTree(ctx context.Context, parent []int32, omega []float64, leafNode, leafDoc []int32) *Tree {
	leaves := make([]int32, len(parent)) // per node
	for _, t := range leafNode {
		leaves[t]++
	}
	inner := make([]bool, len(parent)) // has nodes for children
	for t := 1; t < len(parent); t++ {
		inner[parent[t]] = true
	}
	// Nodes that stay are renumbered; pairs get their place among the pairs as −1 − place.
	s, number := new(Tree), make([]int32, len(parent))
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
	s.addNodes(ctx, parent, omega, number, count, pairs)
	s.addLeaves(ctx, leafNode, leafDoc, number, leaves[:count])
	s.divide(partLeaves)
	return s
}

// addNodes fills in the nodes that stay and the pairs. A pair's parent has a node below it, so it stays.
func (s *Tree) addNodes(ctx context.Context, parent []int32, omega []float64, number []int32, count, pairs int32) {
	s.nodes, s.pairs = make([]simd.Edge, count), make([]simd.Pair, pairs)
	var table Numbering
	for t := range cancel.Steps(ctx, 1, len(parent)) {
		e := simd.Edge{Parent: number[parent[t]], Omega: table.Number(omega[t])}
		if k := number[t]; k < 0 {
			s.pairs[-1-k] = simd.Pair{Edge: e, Doc1: -1}
		} else {
			s.nodes[k] = e
		}
	}
	s.omega = table.Values
}

// addLeaves sorts the leaves by node, keeping their order by document: a counting sort into the fans' list and the
// others'. leaves has their number per node that stays.
func (s *Tree) addLeaves(ctx context.Context, leafNode, leafDoc, number, leaves []int32) {
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
	s.node, s.doc = make([]int32, others), make([]int32, others)
	place := func(t, doc int32) {
		k := number[t]
		switch {
		case k > 0 && leaves[k] >= fanned:
			fanDocs[next[k]] = doc
			next[k]++
		case k > 0:
			s.node[next[k]], s.doc[next[k]] = k, doc
			next[k]++
		case k < 0 && s.pairs[-1-k].Doc1 < 0:
			s.pairs[-1-k].Doc1 = doc
		case k < 0:
			s.pairs[-1-k].Doc2 = doc
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
	for k := 1; k < len(leaves); k++ {
		if leaves[k] >= fanned {
			s.addFans(int32(k), fanDocs[:leaves[k]])
			fanDocs = fanDocs[leaves[k]:]
		}
	}
}

// addFans cuts the leaves of a node into fans.
func (s *Tree) addFans(node int32, docs []int32) {
	if s.spread == nil {
		s.spread = make([]uint16, 0, cap(docs)) // room for all fans: docs is the first part of their list
	}
	for i, doc := range docs {
		base := doc >> fanBits << fanBits
		s.spread = append(s.spread, uint16(doc-base))
		if i == 0 || s.fans[len(s.fans)-1].base != base {
			s.fans = append(s.fans, fan{node: node, base: base})
		}
		s.fans[len(s.fans)-1].end = int32(len(s.spread))
	}
}

// addProduct adds K·v to dst; space is scratch of s.space() entries.
func (s *Tree) addProduct(dst, v, space []float64) {
	c := space[:len(s.nodes)]
	s.eachPart(func(i int, p part) {
		clear(c[p.nodes.lo:p.nodes.hi])
		s.leavesUp(p, v, c)
	})
	s.nodesUp(c)
	c[0] = 0
	s.nodesDown(c)
	if len(s.parts) == 1 {
		s.leavesDown(s.parts[0], dst, v, c)
		return
	}
	sums := space[len(c):]
	s.eachPart(func(i int, p part) {
		sum := sums[i*s.docs : (i+1)*s.docs]
		clear(sum)
		s.leavesDown(p, sum, v, c)
	})
	parallel.For(s.docs, func(lo, hi int) {
		for i := range s.parts {
			for k, x := range sums[i*s.docs+lo : i*s.docs+hi] {
				dst[lo+k] += x
			}
		}
	})
}

// nodesUp adds every node to its parent, from the last to the first.
func (s *Tree) nodesUp(c []float64) {
	for k := len(s.levels) - 1; k > 0; k-- {
		s.inLevel(k, func(lo, hi int) {
			nodes := s.nodes[:hi]
			for t := hi - 1; t >= lo; t-- {
				c[nodes[t].Parent] += c[t]
			}
		})
	}
}

// nodesDown makes the sums of nodes their values, from the first to the last.
func (s *Tree) nodesDown(c []float64) {
	for k := 1; k < len(s.levels); k++ {
		s.inLevel(k, func(lo, hi int) {
			nodes := s.nodes[:hi]
			for t := lo; t < hi; t++ {
				e := nodes[t]
				c[t] = c[e.Parent] + float64(s.omega[e.Omega]*c[t])
			}
		})
	}
}

// leavesUp adds v to the nodes right above the leaves of a part.
func (s *Tree) leavesUp(p part, v, c []float64) {
	start := p.spread
	for _, f := range s.fans[p.fans.lo:p.fans.hi] {
		c[f.node] += gather.Sum(v[f.base:], s.spread[start:f.end])
		start = f.end
	}
	inLeaves(s, p, c, func(node, doc []int32) { addAt(c, node, v, doc) })
	inPairs(s, p, c, func(pairs []simd.Pair) { pairsUp(c, v, pairs) })
}

// leavesDown adds the val of the nodes right above the leaves of a part to the documents.
func (s *Tree) leavesDown(p part, dst, v, c []float64) {
	inPairs(s, p, c, func(pairs []simd.Pair) { pairsDown(dst, c, v, pairs, s.omega) })
	start := p.spread
	for _, f := range s.fans[p.fans.lo:p.fans.hi] {
		val, to := c[f.node], dst[f.base:]
		for _, doc := range s.spread[start:f.end] {
			to[doc] += val
		}
		start = f.end
	}
	inLeaves(s, p, c, func(node, doc []int32) { addAt(dst, doc, c, node) })
}

func addAt(dst []float64, to []int32, src []float64, from []int32) {
	from = from[:len(to)]
	for j, t := range to {
		dst[t] += src[from[j]]
	}
}

func pairsUp(c, v []float64, pairs []simd.Pair) {
	for i := range pairs {
		p := &pairs[i]
		c[p.Parent] += v[p.Doc1] + v[p.Doc2]
	}
}

func pairsDown(dst, c, v []float64, pairs []simd.Pair, omega []float64) {
	for i := range pairs {
		p := &pairs[i]
		val := c[p.Parent] + float64(omega[p.Omega]*(v[p.Doc1]+v[p.Doc2]))
		dst[p.Doc1] += val
		dst[p.Doc2] += val
	}
}
