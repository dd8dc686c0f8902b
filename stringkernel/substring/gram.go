package substring

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/streams"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/suffix"
)

// gram is the operator v ↦ K·v on the suffix tree of a corpus: see package streams for the passes.
//
// Substrings of one document only are on the diagonal, and stay out of the tree: the edges of leaves, and subtrees
// whose leaves all belong to one document. So do nodes of weight 0, whose children move up. What is left of fixed:k is
// a flat list.
type gram struct {
	streams.Operator
	diag      []float64 // K_ii
	evaluated bool      // by SelfEval, to the bit
}

// gramOf adds the diagonal to an operator of a corpus. Some steps towards that are for one processor: meanwhile others
// compute the diagonal.
func (k Kernel) gramOf(
	ctx context.Context, c *stringkernel.Corpus, operator func() (*gram, error),
) (stringkernel.Gram, error) {
	var g *gram
	diag := make([]float64, c.Len())
	tasks := []func() error{
		func() (err error) {
			g, err = operator()
			return err
		},
		func() error { return k.selfEvalAll(ctx, diag, c) },
	}
	if err := parallel.Do(ctx, len(tasks), func(i int) error { return tasks[i]() }); err != nil {
		return nil, fmt.Errorf("substring: %w", err)
	}
	g.diag, g.evaluated = diag, true
	return g, nil
}

// newOperator makes the operator of a corpus, but for the diagonal.
func newOperator[S suffix.Symbol](ctx context.Context, k Kernel, c *stringkernel.Corpus, e *encoding) (*gram, error) {
	other := k.otherReference(c)
	text, err := newText[S](ctx, e, c, other)
	if err != nil {
		return nil, err
	}
	weights := k.lengthWeights(k.longest(c, other))
	if err := e.checkTree(c, len(text.Symbols), int(weights.bound)); err != nil {
		return nil, err
	}
	tree, err := suffix.NewTree(ctx, text, int(weights.bound))
	if err != nil {
		return nil, err
	}
	edges, rest := newEdgeWeights(k, &weights, tree, c.Len(), other), tree.SA // in its memory
	text.RestTo(rest, tree.SA)
	tree.SA, tree.Lo, tree.Hi = nil, nil, nil // garbage: the operator takes none of them
	return gramOnTree(ctx, tree, rest, edges, c.Len()), nil
}

// gramOnTree makes the operator of the first n documents of a tree, but for the diagonal. It keeps the nodes that tie
// documents together by a weight, and the leaves below them. Documents beyond the first n (a reference's) carry no
// coefficient: their leaves are dropped.
func gramOnTree(ctx context.Context, t *suffix.Tree, rest []int32, e *edgeWeights, n int) *gram {
	s := keepShared(ctx, t, e, rest, n, func(n uint32) float64 { return float64(n) * float64(n) })
	node, doc := leavesByDocument(ctx, t, s.number, n)
	trees := []*streams.Tree{streams.NewTree(ctx, s.parent, s.omega, node, doc, nil)}
	return &gram{Operator: streams.Operator{Own: s.own, Trees: trees}, diag: make([]float64, n)}
}

// sharedNodes are the nodes of a tree that tie documents together by a weight; what one document alone has is its own.
type sharedNodes struct {
	number []int32 // by node of the tree: the number of the deepest shared node at or above it, 0 if there is none
	parent []int32 // by number
	omega  []float64
	own    []float64 // by document, what it adds to k(x, x)
}

// keepShared keeps the nodes that several of the first n documents have, and adds what one of them alone has to its
// own: the weight of an edge times square of the leaves below it. Nodes are counted before there is room for them.
func keepShared(
	ctx context.Context, t *suffix.Tree, e *edgeWeights, rest []int32, n int, square func(leaves uint32) float64,
) *sharedNodes {
	s, owner := &sharedNodes{own: make([]float64, n)}, []ownership(nil)
	parallel.EachContext(ctx, 2, func(task int) {
		if task == 0 {
			s.addLeafEdges(ctx, t, e, rest, square(1))
		} else {
			owner = soleOwners(ctx, t, n)
		}
	})
	number, count := make([]int32, t.Len()), int32(1)
	for v := range cancel.Steps(ctx, 1, t.Len()) {
		w := e.node(v)
		number[v] = number[t.Parent[v]]
		switch {
		case w == 0 || owner[v].doc == nobody:
		case owner[v].doc >= 0:
			s.own[owner[v].doc] += float64(square(uint32(owner[v].leaves)) * w)
		default:
			number[v] = count
			count++
		}
	}
	s.number, s.parent, s.omega = number, make([]int32, count), make([]float64, count)
	parallel.ForContext(ctx, t.Len(), func(lo, hi int) {
		for v := range cancel.Steps(ctx, max(1, lo), hi) {
			if k, up := number[v], number[t.Parent[v]]; k != up {
				s.parent[k], s.omega[k] = up, e.node(v)
			}
		}
	})
	return s
}

// addLeafEdges adds one, the square of 1, for each substring that occurs once in the whole corpus.
func (s *sharedNodes) addLeafEdges(ctx context.Context, t *suffix.Tree, e *edgeWeights, rest []int32, one float64) {
	for r, doc := range cancel.All(ctx, t.Docs) {
		if int(doc) < len(s.own) {
			s.own[doc] += float64(one * e.leaf(r, t.Depth[t.Leaf[r]], rest[r]))
		}
	}
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

// Diag copies what indexing computed.
func (g *gram) Diag(dst []float64) { copy(dst, g.diag) }

// SelfValues returns the matrix, nil for one of a shared index, whose diagonal is summed otherwise.
func (g *gram) SelfValues() compose.SelfValues {
	if !g.evaluated {
		return nil
	}
	return g
}

// SelfValuesTo is Diag.
func (g *gram) SelfValuesTo(dst []float64) { g.Diag(dst) }

// Row is the product with a unit vector.
func (g *gram) Row(dst []float64, i int) { g.RowTo(dst, i) }

// edgeWeights gives the weight of an edge of the suffix tree: length weight times squared inverse document frequency,
// which is constant along an edge.
type edgeWeights struct {
	lengths *lengthWeights
	tree    *suffix.Tree
	idf     []float64 // squared inverse document frequency by document frequency; nil unless tfidf
	df      []int32   // per node, nil unless tfidf
	refLo   int       // documents refLo ≤ d < refHi are the reference
	refHi   int
}

// newEdgeWeights prepares the weights. The tree holds n documents of the caller followed by the reference's, or, if
// other is nil, the caller's documents are the reference themselves (a corpus that the kernel was fitted to, or no
// kernel fitted at all).
func newEdgeWeights(k Kernel, lengths *lengthWeights, t *suffix.Tree, n int, other *stringkernel.Corpus) *edgeWeights {
	e := &edgeWeights{lengths: lengths, tree: t}
	if k.Weight != TFIDF {
		return e
	}
	e.refHi = n
	if other != nil {
		e.refLo, e.refHi = n, n+other.Len()
	}
	e.idf = squaredIDF(e.refHi - e.refLo)
	e.df = make([]int32, t.Len())
	t.DocFreqAmong(e.df, e.refLo, e.refHi)
	return e
}

// node returns the weight of the edge above node v.
func (e *edgeWeights) node(v int) float64 {
	w := e.lengths.upTo(e.tree.Depth[v]) - e.lengths.upTo(e.tree.Depth[e.tree.Parent[v]])
	return float64(w * e.psi(v))
}

// psi returns the squared inverse document frequency on the edge above node v, 1 unless tfidf.
func (e *edgeWeights) psi(v int) float64 {
	if e.idf == nil {
		return 1
	}
	return e.idf[e.df[v]]
}

// leafPsi returns it on the edge of the leaf of rank r.
func (e *edgeWeights) leafPsi(r int) float64 {
	if e.idf == nil {
		return 1
	}
	df := int32(0)
	if d := int(e.tree.Docs[r]); e.refLo <= d && d < e.refHi {
		df = 1
	}
	return e.idf[df]
}

// soloPsi returns it on the leaf edges of a document that is not of the reference: what occurs there alone is in no
// reference document.
func (e *edgeWeights) soloPsi() float64 {
	if e.idf == nil {
		return 1
	}
	return e.idf[0]
}

// leaf returns the weight of the edge of rank r's leaf, from depth a down to depth b.
func (e *edgeWeights) leaf(r int, a, b int32) float64 {
	return float64((e.lengths.upTo(b) - e.lengths.upTo(a)) * e.leafPsi(r))
}

// squaredIDF tabulates (1 + ln((1 + n)/(1 + df)))² for df = 0 … n: finite for strings the reference does not hold.
func squaredIDF(n int) []float64 {
	table := make([]float64, n+1)
	for df := range table {
		idf := 1 + elementary.Log(float64(1+n)/float64(1+df))
		table[df] = idf * idf
	}
	return table
}
