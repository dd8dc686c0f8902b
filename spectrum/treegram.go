package spectrum

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/engine/tree"
	"github.com/seqsvm/seqsvm/suffix"
)

// mostTreeLetters is the size of a corpus beyond which its suffix tree, of some 90 bytes a letter while it is made,
// takes too much memory, where counts are raw and lists can take its place.
const mostTreeLetters = 1 << 24

// mostSorted is the most lengths of nucleotides whose k-mers are sorted, each length apart.
const mostSorted = 4

// byTree reports whether a kernel with k-mers of up to depth letters in arrays has its products by a suffix tree.
func (k Kernel) byTree(c *stringkernel.Corpus, depth int) bool {
	return k.Bounded && depth < k.K &&
		(!k.Count.Linear() || (k.Alphabet.Bits() > 2 || k.K-depth > mostSorted) && c.Letters() <= mostTreeLetters)
}

// treeGram makes the matrix of a bounded kernel of many lengths beyond those in arrays, on text and proteins, of which
// records share and repeat many k-mers of all lengths, and by counts through a function.
func (k Kernel) treeGram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	records := k.records(c)
	letters, sigma := tree.Letters(k.Alphabet, stringkernel.BytesUsed([]*stringkernel.Corpus{c}), 1)
	symbols := float64(records.Letters() + c.Len())
	err := stringkernel.CheckIndex(c, tree.BytesPerSymbol(k.Count)*symbols/float64(max(1, c.Letters())))
	if err != nil {
		return nil, fmt.Errorf("spectrum: %w", err)
	}
	build := treeGramOf[uint8]
	if sigma > 256 {
		build = treeGramOf[int32]
	}
	g, err := build(ctx, k, records, &letters, sigma)
	if err != nil {
		return nil, fmt.Errorf("spectrum: %w", err)
	}
	parallel.EachContext(ctx, c.Len(), func(j int) { g.Diagonal[j] = k.selfEval(ctx, c.Seq(j)) })
	return g, nil
}

func treeGramOf[S suffix.Symbol](
	ctx context.Context, k Kernel, c *stringkernel.Corpus, symbols *[256]int32, sigma int,
) (*tree.Gram, error) {
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
	index, err := tree.NewIndex(ctx, text, k.K)
	if err != nil {
		return nil, err
	}
	if k.Count.Linear() {
		index.Lo, index.Hi = nil, nil // garbage
	}
	return index.Gram(ctx, lengths{index.Tree, int32(k.K)}, c.Len(), k.Count), nil
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
