package suffix

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// Index is a Tree with what walking it needs: its text, the edges by first symbol,
// the suffix links and the rank of every position. It does not change and may be
// used by any number of goroutines. Beside text and tree it takes 16 bytes per node, 8 per
// edge (at most one per node and per letter), 4 per letter and, for sigma > 32, the size of a symbol per edge and up to
// 4 per symbol of the alphabet.
type Index[S Symbol] struct {
	text  *Text[S]
	tree  *Tree
	nodes []node // one per node, and one more that ends the last node's edges
	edges []edge // grouped by node, in the order of first symbols
	syms  []S    // first symbol of each edge; nil if sigma ≤ maskSymbols
	// per symbol, the edge of the root that begins with it, or −1; nil if sigma ≤ maskSymbols or far above the letters
	// there are
	root  []int32
	ranks []int32 // per text position: the rank of the suffix that begins there
	docs  locator // the document of a position
}

// node is what one step of a walk reads of a node: a quarter of a cache line.
type node struct {
	depth int32
	link  int32
	edge  int32  // index of its first edge
	mask  uint32 // bit c mod 32 is set if an edge begins with symbol c
}

// edge is the step from a node to a child.
type edge struct {
	target int32 // a node, or ^rank of a leaf
	pos    int32 // position in the text of an occurrence of the child's string
}

// maskSymbols is the largest sigma for which a node's mask distinguishes its edges:
// the place of an edge is then a population count.
const maskSymbols = 32

// linearEdges is the most edges among which a symbol is searched linearly.
const linearEdges = 8

// NewIndex builds the tree of text (see NewTree), its edges and suffix links.
// O(n) time for alphabets of bounded size, O(n log sigma) in general.
func NewIndex[S Symbol](ctx context.Context, text *Text[S], maxDepth int) (ix *Index[S], err error) {
	defer cancel.Catch(&err)
	tree, err := NewTree(ctx, text, maxDepth)
	if err != nil {
		return nil, err
	}
	return newIndex(ctx, text, tree), nil
}

// newIndex adds edges, links and ranks to the tree of text.
func newIndex[S Symbol](ctx context.Context, text *Text[S], tree *Tree) *Index[S] {
	n := len(text.Symbols)
	ix := &Index[S]{text: text, tree: tree, ranks: make([]int32, n), docs: newLocator(text.Ends, n)}
	ix.buildEdges(ctx)
	ix.buildLinks(ctx)
	parallel.ForContext(ctx, len(tree.SA), func(lo, hi int) {
		for r, p := range cancel.All(ctx, tree.SA[lo:hi]) {
			ix.ranks[p] = int32(lo + r)
		}
	})
	return ix
}

// Tree returns the intervals; read only.
func (ix *Index[S]) Tree() *Tree { return ix.tree }

// Text returns the text; read only.
func (ix *Index[S]) Text() *Text[S] { return ix.text }

// Depth returns the depth of node v, as Tree().Depth[v], from what a Matcher has just read.
func (ix *Index[S]) Depth(v int32) int32 { return ix.nodes[v].depth }

// Link returns the suffix link of node v: the deepest node at or above the string
// of v without its first symbol. In an unbounded tree, and above MaxDepth in a
// bounded one, that is the string itself; the root's link is the root.
func (ix *Index[S]) Link(v int32) int32 { return ix.nodes[v].link }

// DocAt returns the document of a 0-based position of the text; that of a separator is the document it closes. It
// panics, or returns NumDocs, beyond the text. It reads a 64th of what Tree().Docs takes, and so is the faster way from
// a Match to its document.
func (ix *Index[S]) DocAt(pos int32) int32 { return ix.docs.find(pos) }

// child returns the edge of v that begins with c, a symbol in [1, sigma), or -1.
func (ix *Index[S]) child(v int32, c S) int32 {
	if v == 0 && ix.root != nil {
		return ix.root[c]
	}
	nd := &ix.nodes[v]
	bit := uint32(1) << (uint32(c) & 31)
	if nd.mask&bit == 0 {
		return -1
	}
	if ix.syms != nil {
		return ix.search(v, c)
	}
	return nd.edge + int32(bits.OnesCount32(nd.mask&(bit-1)))
}

// search is child for large alphabets.
func (ix *Index[S]) search(v int32, c S) int32 {
	lo, hi := ix.nodes[v].edge, ix.nodes[v+1].edge
	for hi-lo > linearEdges {
		mid := lo + (hi-lo)/2
		if ix.syms[mid] <= c {
			lo = mid
		} else {
			hi = mid
		}
	}
	for ; lo < hi; lo++ {
		if ix.syms[lo] == c {
			return lo
		}
	}
	return -1
}

// leafEnd is the length at which a match on a leaf edge must end.
func (ix *Index[S]) leafEnd() int32 {
	if ix.tree.MaxDepth > 0 && ix.tree.MaxDepth < math.MaxInt32 {
		return int32(ix.tree.MaxDepth)
	}
	return math.MaxInt32
}

// buildEdges lists the edges node by node. The ranks of a node that no child
// covers are its leaves, and the order of ranks is that of first symbols.
func (ix *Index[S]) buildEdges(ctx context.Context) {
	t, text, limit := ix.tree, ix.text.Symbols, ix.leafEnd()
	wide := ix.text.Sigma > maskSymbols
	ix.nodes = make([]node, t.Len()+1)
	ix.edges = make([]edge, 0, ix.edgeBound())
	if wide {
		ix.syms = make([]S, 0, cap(ix.edges))
	}
	child := int32(1) // first node that is not yet on an edge
	for v := range cancel.Steps(ctx, 0, t.Len()) {
		nd := node{depth: t.Depth[v], edge: int32(len(ix.edges))}
		for r := t.Lo[v]; r < t.Hi[v] && nd.depth < limit; {
			pos, target := t.SA[r], ^r
			if child < int32(t.Len()) && t.Parent[child] == int32(v) && t.Lo[child] == r {
				target, r = child, t.Hi[child]
				child++
			} else {
				r++
			}
			c := text[pos+nd.depth]
			if c == 0 {
				continue // the suffix ends at the node
			}
			nd.mask |= 1 << (uint32(c) & 31)
			ix.edges = append(ix.edges, edge{target, pos})
			if wide {
				ix.syms = append(ix.syms, c)
			}
		}
		ix.nodes[v] = nd
	}
	ix.nodes[t.Len()].edge = int32(len(ix.edges))
	if wide && ix.text.Sigma <= len(text)+256 {
		ix.buildRoot()
	}
}

// buildRoot lists the edges of the root by symbol: matches of many symbols, such as words, are short, and begin there
// again and again.
func (ix *Index[S]) buildRoot() {
	ix.root = slices.Repeat([]int32{-1}, ix.text.Sigma)
	for e := range ix.nodes[1].edge {
		ix.root[ix.syms[e]] = e
	}
}

// edgeBound is the number of edges if no suffix ends at a node.
func (ix *Index[S]) edgeBound() int {
	t, limit, bound := ix.tree, ix.leafEnd(), ix.tree.Len()-1
	for _, v := range t.Leaf {
		if t.Depth[v] < limit {
			bound++
		}
	}
	return bound
}

// buildLinks finds the suffix links top-down: that of v lies below that of its
// parent, on the path of v's string without its first symbol, of which only the
// first symbol of every edge need be looked at. Every node passed on the
// way has a path of one symbol more to it from v's own path, so that all the walks together are linear. Nodes
// of one level that are neighbours have links that are neighbours: the
// walks move through memory in as many streams as there are letters. Nodes whose parents are before them all do not
// depend on each other: where they are many, all processors link them.
func (ix *Index[S]) buildLinks(ctx context.Context) {
	const many = 1 << 12
	parents := ix.tree.Parent
	for first := 1; first < len(parents); {
		count := 1
		for first+count < len(parents) && int(parents[first+count]) < first {
			count++
		}
		if count < many {
			ix.link(ctx, first, first+count)
		} else {
			parallel.ForContext(ctx, count, func(lo, hi int) { ix.link(ctx, first+lo, first+hi) })
		}
		first += count
	}
}

// link finds the suffix links of the nodes first … end−1.
func (ix *Index[S]) link(ctx context.Context, first, end int) {
	t, text := ix.tree, ix.text.Symbols
	for v := range cancel.Steps(ctx, first, end) {
		u, depth := int32(0), t.Depth[v]-1
		if p := t.Parent[v]; p != 0 {
			u = ix.nodes[p].link
		}
		pos := t.SA[t.Lo[v]] + 1
		for d := ix.nodes[u].depth; d < depth; d = ix.nodes[u].depth {
			w := ix.edges[ix.child(u, text[pos+d])].target
			if w < 0 || ix.nodes[w].depth > depth {
				break
			}
			u = w
		}
		ix.nodes[v].link = u
	}
}
