// Package corpustree makes the matrices of kernels that count substrings, as operators: of the suffix tree of a corpus,
// the nodes that tie documents together by a weight.
package corpustree

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/suffix"
)

// New builds the suffix tree of a text, cut at depth bound if that is not 0, and returns by rank how many symbols
// follow up to the end of a document or a break. The tree has no positions.
func New[S suffix.Symbol](
	ctx context.Context, text *suffix.Text[S], bound int,
) (t *suffix.Tree, rest []int32, err error) {
	if t, err = suffix.NewTree(ctx, text, bound); err != nil {
		return nil, nil, err
	}
	rest = t.SA // in its memory
	text.RestTo(rest, t.SA)
	t.SA = nil
	return t, rest, nil
}

// BytesPerSymbol returns the memory that a tree and a matrix take at the peak for each symbol of a text, as measured.
func BytesPerSymbol(f stringkernel.Count) float64 {
	if f.Linear() {
		return 90
	}
	return 120
}

// Weights are those of the edges of a tree: the weights of the strings that end on an edge, together.
type Weights interface {
	// Node returns that of the edge above a node.
	Node(node int) float64
	// Leaf returns that of the edge of the leaf of a rank, from one depth down to another.
	Leaf(rank int, from, to int32) float64
}

// Nodes are those of a tree that several documents have. Strings that one document alone has are on the diagonal only:
// the edges of leaves, and subtrees whose leaves all belong to one document. Nodes of weight 0 are left out too, and
// their children move up: what is left of a single length is a flat list.
type Nodes struct {
	Number []int32   // by node of the tree: the number of the deepest kept node at or above it, or 0
	Parent []int32   // by number
	Omega  []float64 // by number, the weight of the edge above
	Own    []float64 // by document, what it alone adds to k(x, x)
}

// Keep returns the nodes that several of the first n documents of a tree have, by a function of counts: documents
// beyond those (a reference's) do not count. rest is that of [New]. O(size of the tree).
func Keep(ctx context.Context, t *suffix.Tree, rest []int32, w Weights, n int, f stringkernel.Count) *Nodes {
	s, owner, g := &Nodes{Own: make([]float64, n)}, []ownership(nil), countof.New(f)
	parallel.EachContext(ctx, 2, func(task int) {
		if task == 0 {
			s.addLeafEdges(ctx, t, w, rest, g.Square(1))
		} else {
			owner = soleOwners(ctx, t, n)
		}
	})
	number, count := make([]int32, t.Len()), int32(1) // nodes are counted before there is room for them
	for v := range cancel.Steps(ctx, 1, t.Len()) {
		omega := w.Node(v)
		number[v] = number[t.Parent[v]]
		switch {
		case omega == 0 || owner[v].doc == nobody:
		case owner[v].doc >= 0:
			s.Own[owner[v].doc] += float64(g.Square(uint32(owner[v].leaves)) * omega)
		default:
			number[v] = count
			count++
		}
	}
	s.Number, s.Parent, s.Omega = number, make([]int32, count), make([]float64, count)
	parallel.ForContext(ctx, t.Len(), func(lo, hi int) {
		for v := range cancel.Steps(ctx, max(1, lo), hi) {
			if k, up := number[v], number[t.Parent[v]]; k != up {
				s.Parent[k], s.Omega[k] = up, w.Node(v)
			}
		}
	})
	return s
}

// addLeafEdges adds one, the square of 1, for each string that occurs once in the whole corpus.
func (s *Nodes) addLeafEdges(ctx context.Context, t *suffix.Tree, w Weights, rest []int32, one float64) {
	for r, doc := range cancel.All(ctx, t.Docs) {
		if int(doc) < len(s.Own) {
			s.Own[doc] += float64(one * w.Leaf(r, t.Depth[t.Leaf[r]], rest[r]))
		}
	}
}

// The owner of a node: a document number, or one of these.
const (
	nobody = -1 // no leaf below belongs to the corpus
	shared = -2 // leaves of several documents
)

// ownership says whose leaves are below a node, and how many they are if they are one document's.
type ownership struct {
	doc, leaves int32
}

func (o *ownership) add(p ownership) {
	switch {
	case p.doc == nobody:
	case o.doc == nobody:
		*o = p
	case o.doc != p.doc:
		o.doc = shared
	default:
		o.leaves += p.leaves
	}
}

// soleOwners returns the ownership of every node; documents from n on do not count.
func soleOwners(ctx context.Context, t *suffix.Tree, n int) []ownership {
	owner := make([]ownership, t.Len())
	for v := range owner {
		owner[v].doc = nobody
	}
	for r, doc := range cancel.All(ctx, t.Docs) {
		if int(doc) < n {
			owner[t.Leaf[r]].add(ownership{doc, 1})
		}
	}
	for v := range cancel.Down(ctx, 1, t.Len()) {
		owner[t.Parent[v]].add(owner[v])
	}
	return owner
}
