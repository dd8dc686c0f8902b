package substring

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/corpustree"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/streams"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/suffix"
)

// gram is the operator v ↦ K·v on the suffix tree of a corpus: see package streams for the passes, and corpustree for
// what of the tree they take.
type gram struct {
	streams.Operator
	diag []float64 // K_ii
}

// treeGram indexes a corpus for raw counts or a function of them. Some steps towards the operator are for
// one processor: meanwhile others compute the diagonal.
func (k Kernel) treeGram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	var g *gram
	if k.Weight == TFIDF && k.fitted == nil {
		k.fitted = &fitted{corpus: c}
	}
	diag := make([]float64, c.Len())
	tasks := []func() error{
		func() error {
			nodes, tree, err := k.sharedNodes(ctx, c)
			if err == nil {
				g = newGram(ctx, nodes, tree, k.Count)
			}
			return err
		},
		func() error { return k.selfEvalAll(ctx, diag, c) },
	}
	if err := parallel.Do(ctx, len(tasks), func(i int) error { return tasks[i]() }); err != nil {
		return nil, fmt.Errorf("substring: %w", err)
	}
	g.diag = diag
	return g, nil
}

// sharedNodes returns the suffix tree of a corpus, and of its nodes those that documents share.
func (k Kernel) sharedNodes(ctx context.Context, c *stringkernel.Corpus) (*corpustree.Nodes, *suffix.Tree, error) {
	e := newEncoding(k, c, k.Reference())
	build := newNodes[uint8]
	if e.wide() {
		build = newNodes[int32]
	}
	return build(ctx, k, c, e)
}

func newNodes[S suffix.Symbol](
	ctx context.Context, k Kernel, c *stringkernel.Corpus, e *encoding,
) (*corpustree.Nodes, *suffix.Tree, error) {
	other, first := k.beside(c)
	text, err := newText[S](ctx, e, c, other)
	if err != nil {
		return nil, nil, err
	}
	weights := k.lengthWeights(k.longest(c, other))
	if k.Count.Linear() {
		err = e.checkTree(c, len(text.Symbols), int(weights.bound))
	} else {
		err = checkShares(c, len(text.Symbols), k.Count)
	}
	if err != nil {
		return nil, nil, err
	}
	tree, rest, err := corpustree.New(ctx, text, int(weights.bound))
	if err != nil {
		return nil, nil, err
	}
	edges := newEdgeWeights(k, &weights, tree, first)
	if k.Count.Linear() {
		tree.Lo, tree.Hi = nil, nil // garbage from here on
	}
	return corpustree.Keep(ctx, tree, rest, edges, c.Len(), k.Count), tree, nil
}

// newGram returns the operator of nodes, without a diagonal.
func newGram(ctx context.Context, nodes *corpustree.Nodes, t *suffix.Tree, f stringkernel.Count) *gram {
	return &gram{
		Operator: streams.Operator{Own: nodes.Own, Trees: []*streams.Tree{nodes.Streams(ctx, t, f)}},
		diag:     make([]float64, len(nodes.Own)),
	}
}

// Diag copies what indexing computed.
func (g *gram) Diag(dst []float64) { copy(dst, g.diag) }

// Traits says that blocks of products take fewer passes.
func (g *gram) Traits() stringkernel.Traits { return stringkernel.Traits{MulBlockTo: g.MulBlockTo} }

// Row is the product with a unit vector.
func (g *gram) Row(dst []float64, i int) { g.RowTo(dst, i) }

// edgeWeights gives the weight of an edge of the suffix tree: length weight times squared inverse document frequency,
// which is constant along an edge.
type edgeWeights struct {
	lengths *lengthWeights
	tree    *suffix.Tree
	idf     []float64 // squared inverse document frequency by document frequency; nil unless tfidf
	df      []int32   // per node, nil unless tfidf
	first   int       // the documents from this one on are the reference
}

// newEdgeWeights prepares the weights, with the documents from number first on as the reference.
func newEdgeWeights(k Kernel, lengths *lengthWeights, t *suffix.Tree, first int) *edgeWeights {
	e := &edgeWeights{lengths: lengths, tree: t, first: first}
	if k.Weight != TFIDF {
		return e
	}
	e.idf = squaredIDF(t.NumDocs - first)
	e.df = make([]int32, t.Len())
	t.DocFreqAmong(e.df, first, t.NumDocs)
	return e
}

// Node returns the weight of the edge above node v.
func (e *edgeWeights) Node(v int) float64 {
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

// leafPsi returns it on the leaf edges of a document.
func (e *edgeWeights) leafPsi(doc int32) float64 {
	switch {
	case e.idf == nil:
		return 1
	case int(doc) >= e.first:
		return e.idf[1]
	}
	return e.idf[0]
}

// Leaf returns the weight of the edge of rank r's leaf, from depth a down to depth b.
func (e *edgeWeights) Leaf(r int, a, b int32) float64 {
	return float64((e.lengths.upTo(b) - e.lengths.upTo(a)) * e.leafPsi(e.tree.Docs[r]))
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
