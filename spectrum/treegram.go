package spectrum

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/corpustree"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/streams"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/suffix"
)

// treeGram is the matrix of a bounded kernel on text and proteins, of which records share and repeat many k-mers of all
// lengths, and of long k-mers by counts through a function. A product by the suffix tree of the corpus takes a third of
// the time of one by a list of k-mers there, and a block of products less. The tree is made when first asked for.
type treeGram struct {
	diag []float64
	tree cancel.Once[*streams.Operator]
}

// mostTreeLetters is the size of a corpus beyond which its suffix tree, of some 90 bytes a letter while it is made,
// takes too much memory, where counts are raw and a list can take its place.
const mostTreeLetters = 1 << 24

// byTree reports whether a kernel with k-mers of up to depth letters in arrays has its products by a suffix tree.
func (k Kernel) byTree(c *stringkernel.Corpus, depth int) bool {
	return k.Bounded && depth < k.K &&
		(!k.Count.Linear() || k.Alphabet.Bits() > 2 && c.Letters() <= mostTreeLetters)
}

// treeGram makes a matrix.
func (k Kernel) treeGram(ctx context.Context, c *stringkernel.Corpus) (*treeGram, error) {
	g, records := &treeGram{diag: make([]float64, c.Len())}, k.records(c)
	symbols := float64(records.Letters() + c.Len())
	err := stringkernel.CheckIndex(c, corpustree.BytesPerSymbol(k.Count)*symbols/float64(max(1, c.Letters())))
	if err != nil {
		return nil, fmt.Errorf("spectrum: %w", err)
	}
	g.tree.Make = func(ctx context.Context) *streams.Operator { return k.treeOperator(ctx, records) }
	parallel.EachContext(ctx, c.Len(), func(j int) { g.diag[j] = k.selfEval(ctx, c.Seq(j)) })
	return g, nil
}

// treeOperator makes the operator of a corpus.
func (k Kernel) treeOperator(ctx context.Context, c *stringkernel.Corpus) *streams.Operator {
	symbols, sigma := corpustree.Letters(k.Alphabet, stringkernel.BytesUsed([]*stringkernel.Corpus{c}), 1)
	build := operatorOf[uint8]
	if sigma > 256 {
		build = operatorOf[int32]
	}
	o, err := build(ctx, k, c, &symbols, sigma)
	cancel.Check(ctx)
	if err != nil {
		panic("spectrum: " + err.Error()) // none but of ctx
	}
	return o
}

func operatorOf[S suffix.Symbol](
	ctx context.Context, k Kernel, c *stringkernel.Corpus, symbols *[256]int32, sigma int,
) (*streams.Operator, error) {
	b := suffix.NewBuilder[S](sigma)
	b.Grow(c.Len(), c.Letters())
	var record []S
	for j := range c.Len() {
		cancel.Check(ctx)
		record = record[:0]
		for _, letter := range c.Seq(j) {
			record = append(record, S(symbols[letter]))
		}
		if err := b.Append(record); err != nil {
			return nil, err
		}
	}
	text, err := b.Text()
	if err != nil {
		return nil, err
	}
	tree, rest, err := corpustree.New(ctx, text, k.K)
	if err != nil {
		return nil, err
	}
	if k.Count.Linear() {
		tree.Lo, tree.Hi = nil, nil // garbage
	}
	nodes := corpustree.Keep(ctx, tree, rest, lengths{tree, int32(k.K)}, c.Len(), k.Count)
	return &streams.Operator{Own: nodes.Own, Trees: []*streams.Tree{nodes.Streams(ctx, tree, k.Count)}}, nil
}

// lengths weighs the edges of a tree by the number of lengths up to most.
type lengths struct {
	tree *suffix.Tree
	most int32
}

func (w lengths) Node(v int) float64 {
	return float64(w.tree.Depth[v] - w.tree.Depth[w.tree.Parent[v]])
}

func (w lengths) Leaf(_ int, from, to int32) float64 { return float64(min(to, w.most) - from) }

// Traits says that products need an index.
func (g *treeGram) Traits() stringkernel.Traits {
	return stringkernel.Traits{Prepare: func(ctx context.Context) (err error) {
		defer cancel.Catch(&err)
		g.tree.Get(ctx)
		return nil
	}}
}

// Len returns the number of sequences n.
func (g *treeGram) Len() int { return len(g.diag) }

// Diag writes k(x_i, x_i), counted when the corpus was indexed. O(n).
func (g *treeGram) Diag(dst []float64) { copy(dst[:len(g.diag)], g.diag) }

// SelfValuesTo is Diag.
func (g *treeGram) SelfValuesTo(dst []float64) { g.Diag(dst) }

// Row is the product with a unit vector.
func (g *treeGram) Row(dst []float64, i int) { g.tree.Get(context.Background()).RowTo(dst, i) }

// MulVecTo writes K·v. O(N).
func (g *treeGram) MulVecTo(dst, v []float64) { g.tree.Get(context.Background()).MulVecTo(dst, v) }

// MulBlockTo writes K·v[m] into dst[m] for every m: four vectors in each pass over the tree.
func (g *treeGram) MulBlockTo(dst, v [][]float64) {
	g.tree.Get(context.Background()).MulBlockTo(dst, v)
}
