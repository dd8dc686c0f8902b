package suffix

import (
	"context"
	"iter"

	"github.com/seqsvm/seqsvm/internal/cancel"
)

// Tree is the generalised suffix tree of a Text without its letters: the LCP
// intervals as flat arrays. Node 0 is the root. Nodes are numbered in level order
// (breadth first), and within a level from left to right, so that
//
//   - parents come before their children: Parent[v] < v, and Parent is non-decreasing;
//   - the children of a node are consecutive, in the order of their first symbols;
//   - a loop over v upwards or downwards is a top-down or bottom-up pass that
//     streams through memory.
//
// Ranks are 0-based places in the sorted list of the suffixes that begin with a
// letter; those that begin with a separator or break are left out (they sort first).
// A node is a string that occurs at least twice and is not always followed by the
// same letter, the root excepted, which is always there. A leaf
// is a rank. A suffix that ends (at a separator) exactly where a node's string ends
// is a leaf of that node with an empty edge.
//
// With MaxDepth = D > 0 it is the tree cut at depth D: strings of length D that
// occur twice or more are nodes without inner children, and the order of the
// leaves under them is immaterial.
type Tree struct {
	Parent []int32 // parent of a node; Parent[0] = 0
	Depth  []int32 // length of a node's string, in symbols; Depth[0] = 0
	Lo, Hi []int32 // the suffixes under node v are the ranks Lo[v] ≤ r < Hi[v]

	Leaf []int32 // per rank: the deepest node above it
	SA   []int32 // per rank: the suffix's 0-based position in the text
	Docs []int32 // per rank: the suffix's document

	NumDocs  int // number of documents of the text
	MaxDepth int // greatest depth kept; 0 is unbounded
}

// NewTree builds the tree of a text, cut at depth maxDepth if that is not 0.
//
// O(n) time. The result takes 12 bytes per letter and 16 per node, of which there is at most one per letter: 28 bytes
// per letter for a run of one letter, 23 for random DNA. Building it takes no more but for a stack of 4 bytes per level
// of the tree and while that grows twice as many. Errors: what Text.Check finds, maxDepth < 0, ctx done.
func NewTree[S Symbol](ctx context.Context, text *Text[S], maxDepth int) (tree *Tree, err error) {
	defer cancel.Catch(&err)
	s, err := sorted(ctx, text, maxDepth)
	if err != nil {
		return nil, err
	}
	t := &Tree{SA: s.sa, NumDocs: text.NumDocs(), MaxDepth: maxDepth}
	t.buildIntervals(ctx, s.lcp, s.scratch)
	t.Docs = s.lcp // the intervals are built: its memory is free
	documents := newLocator(text.Ends, len(text.Symbols))
	forSteps(ctx, len(t.SA), func(lo, hi int) {
		for r, p := range cancel.All(ctx, t.SA[lo:hi]) {
			t.Docs[lo+r] = documents.find(p)
		}
	})
	return t, nil
}

// suffixes are those of a text that begin with a letter, in order.
type suffixes struct {
	sa, lcp []int32 // their positions; common prefixes of neighbours, at most limit
	scratch []int32 // of the same length
	limit   int32
}

// sorted checks and sorts a text. Errors: what Text.Check finds, maxDepth < 0.
func sorted[S Symbol](ctx context.Context, text *Text[S], maxDepth int) (s suffixes, err error) {
	if s.limit, err = depthLimit(maxDepth); err != nil {
		return s, err
	}
	if err := text.Check(); err != nil {
		return s, err
	}
	if s.sa, s.lcp = radixSort(ctx, text.Symbols, text.Sigma, s.limit, radixWords); s.sa != nil {
		s.scratch = make([]int32, len(s.sa))
		return s, nil
	}
	sa, err := Array(ctx, text.Symbols, text.Sigma)
	if err != nil {
		return s, err
	}
	zeros := 0
	for zeros < len(sa) && text.Symbols[sa[zeros]] == 0 {
		zeros++
	}
	scratch := make([]int32, len(sa))
	s.sa, s.scratch = sa[zeros:], scratch[:len(sa)-zeros]
	s.lcp = make([]int32, len(s.sa))
	lcpRanks(ctx, text.Symbols, s.sa, s.limit, scratch, s.lcp)
	return s, nil
}

// FromLCP makes t the tree of any sorted list of strings, given by the longest common prefixes of neighbours:
// lcp[r] ≥ 0 symbols are shared by the strings of ranks r−1 and r; lcp[0] is ignored. A string is a leaf; SA, Docs and
// NumDocs are empty. O(len(lcp)) time; t takes 4 bytes per rank and 16 per node, its own memory where that suffices.
// The error is that of ctx; t is of no use after one.
func (t *Tree) FromLCP(ctx context.Context, lcp []int32) (err error) {
	defer cancel.Catch(&err)
	*t = Tree{Parent: t.Parent, Depth: t.Depth, Lo: t.Lo, Hi: t.Hi, Leaf: t.Leaf}
	t.buildIntervals(ctx, lcp, resized(t.Leaf, len(lcp)))
	return nil
}

// resized returns a vector of n entries of any value, in v's memory where that suffices. It does not grow v by append,
// which clears what is new at one go: a collection of garbage would wait for it, and another processor with it.
func resized(v []int32, n int) []int32 {
	if cap(v) < n {
		return make([]int32, n)
	}
	return v[:n]
}

// Len is the number of nodes, at least 1.
func (t *Tree) Len() int { return len(t.Parent) }

// Ranks is the number of suffixes: the letters of the text that are not 0.
func (t *Tree) Ranks() int { return len(t.Leaf) }

// The intervals are read off the binary tree of minima (Cartesian tree) of the
// LCP array: the leftmost minimum of a range is its root, equal ones hang to the
// right. The boundaries m₁ < m₂ < … at which an interval [lo, hi) splits into its
// children are then the root of the range (lo, hi) and the chain of right
// children of equal value. A range is begun by a boundary
// or ended by one, and at a given boundary never both:
//
//	slot[m] = root of the range ending before m,      if lcp[m-1] > lcp[m];
//	slot[m] = root of the range beginning with m,     if lcp[m-1] ≤ lcp[m],
//
// so one array holds the whole tree. By the time Leaf[r] is known, slot[r] has
// been used: both share their memory.

// buildIntervals fills the arrays of nodes and Leaf from lcp, one value per
// rank. slot is scratch of the same length, and becomes Leaf.
func (t *Tree) buildIntervals(ctx context.Context, lcp, slot []int32) {
	ranks := int32(len(lcp))
	top, nodes := minimaTree(ctx, lcp, slot)
	t.Parent, t.Depth = resized(t.Parent, nodes), resized(t.Depth, nodes)
	t.Lo, t.Hi = resized(t.Lo, nodes), resized(t.Hi, nodes)
	t.Leaf = slot
	t.Parent[0], t.Depth[0], t.Lo[0], t.Hi[0] = 0, 0, 0, ranks
	queue := &levelQueue{tree: t, slot: slot, next: 1}
	switch {
	case ranks < 2:
		if ranks == 1 {
			slot[0] = 0
		}
		return
	case lcp[top] > 0: // all suffixes begin alike: the root has one child
		queue.add(0, 0, ranks, top)
	default:
		queue.split(0, top, lcp)
	}
	for v := range cancel.Steps(ctx, 1, t.Len()) {
		queue.split(int32(v), t.Depth[v], lcp)
	}
}

// levelQueue appends nodes in level order. A node that waits to be split keeps
// its first boundary in Depth.
type levelQueue struct {
	tree *Tree
	slot []int32
	next int32 // number of nodes so far
}

// add appends the child [lo, hi) of parent, whose first boundary is first; an
// interval of one suffix is a leaf.
func (q *levelQueue) add(parent, lo, hi, first int32) {
	t, v := q.tree, q.next
	t.Parent[v], t.Lo[v], t.Hi[v], t.Depth[v] = parent, lo, hi, first
	q.next++
}

// split appends the children of v, whose first boundary is m, and sets its depth.
func (q *levelQueue) split(v, m int32, lcp []int32) {
	t, slot := q.tree, q.slot
	depth, lo, hi := lcp[m], t.Lo[v], t.Hi[v]
	t.Depth[v] = depth
	for {
		if m-lo > 1 {
			q.add(v, lo, m, slot[m])
		} else {
			slot[lo] = v
		}
		lo = m
		if hi-m == 1 {
			slot[m] = v
			return
		}
		next := slot[m+1]
		if lcp[next] != depth {
			q.add(v, m, hi, next)
			return
		}
		m = next
	}
}

// minimaTree computes slot, returns the boundary of least value (the leftmost)
// and the number of nodes, the root included. lcp[0] is ignored.
func minimaTree(ctx context.Context, lcp, slot []int32) (top int32, nodes int) {
	var stack []int32 // boundaries whose range is open to the right, values non-decreasing
	nodes = 1
	for i := range cancel.Steps(ctx, 1, len(lcp)) {
		value, last := lcp[i], int32(0)
		below := int32(0) // value of the boundary underneath; the root's
		for len(stack) > 0 {
			s := stack[len(stack)-1]
			if lcp[s] <= value {
				below = lcp[s]
				slot[s+1] = int32(i)
				break
			}
			last = s
			stack = stack[:len(stack)-1]
		}
		if last > 0 {
			slot[i] = last
		}
		if below < value {
			nodes++
		}
		stack = append(stack, int32(i))
	}
	if len(stack) > 0 {
		top = stack[0]
	}
	return top, nodes
}

// Edge is an edge of a suffix tree: strings that begin alike, one of each length in Above < l ≤ Below, and that occur
// as often.
type Edge struct {
	Start        int32 // position of one of their occurrences
	Above, Below int32 // lengths
	Count        int32 // occurrences
}

// Edges returns the edges of the tree of a text, cut at depth maxDepth if that is not 0, those below a node before the
// one above it: what NewTree finds, for sums over all substrings of one short text, in half the time and without nodes.
// O(n) time; it keeps 12 bytes per letter. Errors: as NewTree.
func Edges[S Symbol](ctx context.Context, text *Text[S], maxDepth int) (edges iter.Seq[Edge], err error) {
	defer cancel.Catch(&err)
	s, err := sorted(ctx, text, maxDepth)
	if err != nil {
		return nil, err
	}
	rest := s.scratch
	text.RestTo(rest, s.sa)
	return func(yield func(Edge) bool) { eachEdge(s.sa, s.lcp, rest, s.limit, yield) }, nil
}

// eachEdge yields the edges given by the suffixes in order, the common prefixes of neighbours and the letters that each
// suffix has, at most limit of which count.
func eachEdge(sa, lcp, rest []int32, limit int32, yield func(Edge) bool) {
	type interval struct{ depth, lo int32 } // from rank lo on, suffixes share as many letters
	open := []interval{{}}
	shared := int32(0) // with the suffix before
	for r, p := range sa {
		next := int32(0) // letters shared with the suffix after
		if r+1 < len(lcp) {
			next = lcp[r+1]
		}
		if leaf := (Edge{p, max(shared, next), min(rest[r], limit), 1}); leaf.Above < leaf.Below && !yield(leaf) {
			return
		}
		lo := int32(r)
		last := len(open) - 1
		for open[last].depth > next {
			v := open[last]
			lo, open, last = v.lo, open[:last], last-1
			if !yield(Edge{p, max(next, open[last].depth), v.depth, int32(r) + 1 - lo}) {
				return
			}
		}
		if open[last].depth < next {
			open = append(open, interval{next, lo})
		}
		shared = next
	}
}
