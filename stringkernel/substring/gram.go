package substring

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/engine/tree"
	"github.com/seqsvm/seqsvm/suffix"
)

// treeGram indexes a corpus for raw counts or a function of them. Some steps towards the matrix are for one processor:
// meanwhile others compute the diagonal.
func (k Kernel) treeGram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	if k.Weight == TFIDF && k.fitted == nil {
		k.fitted = &fitted{corpus: c}
	}
	e, build := newEncoding(k, c, k.Reference()), newGram[uint8]
	if e.wide() {
		build = newGram[int32]
	}
	var g *tree.Gram
	diag := make([]float64, c.Len())
	tasks := []func() error{
		func() (err error) { g, err = build(ctx, k, c, e); return err },
		func() error { return k.selfEvalAll(ctx, diag, c) },
	}
	if err := parallel.Do(ctx, len(tasks), func(i int) error { return tasks[i]() }); err != nil {
		return nil, fmt.Errorf("substring: %w", err)
	}
	g.Diagonal = diag
	return g, nil
}

// newGram indexes a corpus, but for the diagonal.
func newGram[S suffix.Symbol](ctx context.Context, k Kernel, c *stringkernel.Corpus, e *encoding) (*tree.Gram, error) {
	others, first := k.beside(c)
	text, err := newText[S](ctx, e, c, others)
	if err != nil {
		return nil, err
	}
	weights := k.lengthWeights(k.longest(c, others))
	if k.Count.Linear() {
		err = e.checkTree(c, len(text.Symbols), int(weights.bound))
	} else {
		err = checkShares(c, len(text.Symbols), k.Count)
	}
	if err != nil {
		return nil, err
	}
	index, err := tree.NewIndex(ctx, text, int(weights.bound))
	if err != nil {
		return nil, err
	}
	edges := newEdgeWeights(k, &weights, index.Tree, first)
	if k.Count.Linear() {
		index.Lo, index.Hi = nil, nil // garbage from here on
	}
	return index.Gram(ctx, edges, c.Len(), k.Count), nil
}

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
