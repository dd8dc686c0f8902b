package tree

import (
	"context"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/suffix"
)

// arrange lays out the leaves of documents below the nodes for products, by raw counts or a function of them.
func (s *nodes) arrange(ctx context.Context, t *suffix.Tree, f stringkernel.Count) *flatTree {
	if !f.Linear() {
		return s.arrangeCounted(ctx, t, f)
	}
	node, doc := leavesByDocument(ctx, t, s.number, len(s.own))
	return newFlatTree(ctx, s.parent, s.omega, node, doc, nil)
}

// arrangeCounted lays out the shares of documents at the nodes, in units of g(1): most are one.
func (s *nodes) arrangeCounted(ctx context.Context, t *suffix.Tree, f stringkernel.Count) *flatTree {
	one, n := f.Of(1), len(s.own)
	for i := range s.omega {
		s.omega[i] *= float64(one * one)
	}
	// Ones are no more than leaves, since g(a+b) ≤ g(a) + g(b), and others no more than joins.
	start := leavesBefore(t, n)
	node, next, others := make([]int32, start[n]), slices.Clone(start), make([]Leaf, 0, start[n])
	EachShare(ctx, t, s.number, n, f, func(x Leaf) {
		if x.Value == one {
			node[next[x.Doc]] = x.Node
			next[x.Doc]++
		} else {
			x.Value /= one
			others = append(others, x)
		}
	})
	ones, doc := node[:0], make([]int32, 0, len(node))
	for d := range n {
		for _, v := range node[start[d]:next[d]] {
			ones, doc = append(ones, v), append(doc, int32(d))
		}
	}
	return newFlatTree(ctx, s.parent, s.omega, ones, doc, others)
}

// leavesByDocument lists the leaves of the first n documents, by ascending document, with the kept node each hangs
// from.
func leavesByDocument(ctx context.Context, t *suffix.Tree, kept []int32, n int) (node, doc []int32) {
	start := leavesBefore(t, n)
	node, doc = make([]int32, start[n]), make([]int32, start[n])
	// All ranks are gone through for each range of documents, which several processors may do.
	ranges := min(8, 1+len(t.Docs)>>16)
	parallel.EachContext(ctx, ranges, func(i int) {
		first := int32(i * n / ranges)
		count := uint32(int32((i+1)*n/ranges) - first)
		for r, d := range cancel.All(ctx, t.Docs) {
			if uint32(d-first) < count {
				node[start[d]], doc[start[d]] = kept[t.Leaf[r]], d
				start[d]++
			}
		}
	})
	return node, doc
}

// leavesBefore counts, for each of the first n documents and at the end, the leaves of those before it.
func leavesBefore(t *suffix.Tree, n int) []int32 {
	start := make([]int32, n+1)
	for _, d := range t.Docs {
		if int(d) < n {
			start[d+1]++
		}
	}
	for d := range n {
		start[d+1] += start[d]
	}
	return start
}

// EachShare visits what the first n documents of a tree add at nodes by their number, 0 being none: the shares of a
// document at and below a node sum to g of its occurrences there. A document has one share at a number at most.
func EachShare(ctx context.Context, t *suffix.Tree, number []int32, n int, f stringkernel.Count, visit func(x Leaf)) {
	g := countof.New(f)
	type join struct {
		depth, number int32
		leaves        uint32
		below         float64 // the shares of its leaves at other numbers
	}
	add := func(doc int32, j join) {
		if value := g.At(j.leaves) - j.below; value != 0 && j.number != 0 {
			visit(Leaf{Node: j.number, Doc: doc, Value: value})
		}
	}
	attach := func(doc int32, to *join, child join) {
		to.leaves += child.leaves
		if child.number == to.number {
			to.below += child.below
			return
		}
		add(doc, child)
		to.below += g.At(child.leaves)
	}
	open := make([][]join, n)                   // of each document, joins with leaves to come; last is what is complete
	complete := func(doc, depth int32) []join { // from that depth on
		stack := open[doc]
		for k := len(stack) - 2; k >= 0 && stack[k].depth >= depth; k-- {
			attach(doc, &stack[k], stack[k+1])
			stack = stack[:k+1]
		}
		return stack
	}
	t.EachJoin(0, n, func(rank, doc, at int32) {
		if rank%(1<<12) == 0 {
			cancel.Check(ctx)
		}
		stack := open[doc]
		if at >= 0 {
			depth := t.Depth[at]
			stack = complete(doc, depth)
			if top := &stack[len(stack)-1]; top.depth != depth {
				child := *top
				*top = join{depth: depth, number: number[at]}
				attach(doc, top, child)
			}
		}
		open[doc] = append(stack, join{depth: math.MaxInt32, number: number[t.Leaf[rank]], leaves: 1})
	})
	for doc := range int32(n) {
		if stack := complete(doc, 0); len(stack) > 0 {
			add(doc, stack[0])
		}
	}
}
