package tree

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/suffix"
)

// Index is the suffix tree of a text, without positions.
type Index struct {
	*suffix.Tree
	rest []int32 // by rank, how many symbols follow up to the end of a document or a break
}

// NewIndex builds the suffix tree of a text, cut at depth bound if that is not 0.
func NewIndex[S suffix.Symbol](ctx context.Context, text *suffix.Text[S], bound int) (*Index, error) {
	t, err := suffix.NewTree(ctx, text, bound)
	if err != nil {
		return nil, err
	}
	x := &Index{t, t.SA} // in its memory
	text.RestTo(x.rest, t.SA)
	t.SA = nil
	return x, nil
}

// Gram returns the matrix of the first n documents by weights of edges and a function of counts, but for its diagonal:
// documents beyond those (a reference's) do not count. Package cancel ends it. O(size of the tree).
func (x *Index) Gram(ctx context.Context, w Weights, n int, f stringkernel.Count) *Gram {
	s := keep(ctx, x.Tree, x.rest, w, n, f)
	return &Gram{Diagonal: make([]float64, n), own: s.own, shared: s.arrange(ctx, x.Tree, f)}
}

// BytesPerSymbol returns the most memory that a tree and a matrix take at once for each symbol of a text, as measured.
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

// nodes are the nodes of a tree that several documents have. Strings that one document alone has are on the diagonal
// only: the edges of leaves, and subtrees whose leaves all belong to one document. Nodes of weight 0 are left out too,
// and their children move up: of strings of one length all nodes are then children of the root.
type nodes struct {
	number []int32   // by node of the tree: the number of the deepest kept node at or above it, or 0
	parent []int32   // by number
	omega  []float64 // by number, the weight of the edge above
	own    []float64 // by document, what it alone adds to k(x, x)
}

// keep returns the nodes that several of the first n documents of a tree have.
func keep(ctx context.Context, t *suffix.Tree, rest []int32, w Weights, n int, f stringkernel.Count) *nodes {
	s, owner, g := &nodes{own: make([]float64, n)}, []ownership(nil), countof.New(f)
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
			s.own[owner[v].doc] += float64(g.Square(uint32(owner[v].leaves)) * omega)
		default:
			number[v] = count
			count++
		}
	}
	s.number, s.parent, s.omega = number, make([]int32, count), make([]float64, count)
	parallel.ForContext(ctx, t.Len(), func(lo, hi int) {
		for v := range cancel.Steps(ctx, max(1, lo), hi) {
			if k, up := number[v], number[t.Parent[v]]; k != up {
				s.parent[k], s.omega[k] = up, w.Node(v)
			}
		}
	})
	return s
}

// addLeafEdges adds one, the square of the value of a count of 1, for each string that occurs once in the corpus.
func (s *nodes) addLeafEdges(ctx context.Context, t *suffix.Tree, w Weights, rest []int32, one float64) {
	for r, doc := range cancel.All(ctx, t.Docs) {
		if int(doc) < len(s.own) {
			s.own[doc] += float64(one * w.Leaf(r, t.Depth[t.Leaf[r]], rest[r]))
		}
	}
}

// The owner of a node: a document number, or one of these.
const (
	nobody = -1 // no leaf below belongs to the corpus
	shared = -2 // leaves of several documents
)

// ownership says whose leaves are below a node, and how many if they are of one document.
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
