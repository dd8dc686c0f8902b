package bow

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/ends"
	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/internal/sparse"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// vocabulary is the features of a kernel with their weights. Nodes 0 … T − 1 are terms, T, T + 1, … n-grams of two
// terms or more; a node that is not a feature (only a prefix or a word of one) has weight 0. It is immutable and safe
// for concurrent use.
type vocabulary struct {
	kernel  Kernel // unfitted
	terms   intern.Terms
	pairs   intern.Pairs
	global  []float64 // of each node
	size    int       // V of laplace: features; 0 for a kernel that was not fitted
	phrases *phrases  // nil without a dictionary
	stop    map[string]bool
	idle    sync.Pool // *weigher
}

// mostNodes bounds terms and n-grams together: ids are int32.
const mostNodes = math.MaxInt32 - 1

// nodes returns the number of nodes.
func (v *vocabulary) nodes() int { return v.terms.Len() + len(v.pairs.Keys) }

// counted is the count of each node in each document of a corpus.
type counted struct {
	ends   []int // end of document j
	nodes  []uint32
	counts []int32
}

// document returns the entries of document j.
func (c *counted) document(j int) (lo, hi int) { return ends.Bounds(c.ends, j) }

// collect returns all features of a corpus, each with weight 1.
func (k Kernel) collect(ctx context.Context, c *stringkernel.Corpus) (*vocabulary, error) {
	v, _, err := k.count(ctx, c)
	if err != nil {
		return nil, err
	}
	v.setOnes()
	return v, nil
}

// setOnes gives each node the weight 1.
func (v *vocabulary) setOnes() { v.global = slices.Repeat([]float64{1}, v.nodes()) }

// learn returns the features of a reference corpus with their weights, and the corpus as rows of them.
func (k Kernel) learn(ctx context.Context, c *stringkernel.Corpus) (*vocabulary, *sparse.Rows, error) {
	v, table, err := k.count(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	global := k.weights(v, table, c.Len())
	kept, places := v.without(global)
	return kept, kept.rowsOfTable(ctx, table, places), nil
}

// rowsOfTable weighs the counts of documents, whose nodes are at places in v.
func (v *vocabulary) rowsOfTable(ctx context.Context, table *counted, places []int32) *sparse.Rows {
	return sparse.CollectWithin(ctx, table.ends, v.nodes(), func(r *sparse.Rows, lo, hi int) {
		w := v.borrow()
		defer v.giveBack(w)
		for j := lo; j < hi; j++ {
			cancel.Check(ctx)
			from, to := table.document(j)
			w.load(table.nodes[from:to], table.counts[from:to], places)
			w.spread(r.Add)
			r.End()
		}
	})
}

// count numbers the terms and n-grams of a corpus and counts them in each document.
func (k Kernel) count(ctx context.Context, c *stringkernel.Corpus) (*vocabulary, *counted, error) {
	v := &vocabulary{kernel: k, stop: k.Tokenizer().stopWords()}
	var err error
	if v.phrases, err = k.phrases(); err != nil {
		return nil, nil, err
	}
	tokens := v.tokenize(ctx, c)
	if v.phrases != nil {
		for _, key := range v.phrases.keys {
			v.terms.Add([]byte(key))
		}
	}
	g := v.grams()
	g.open = true
	v.pairs.First = v.terms.Len()
	table := &counted{ends: make([]int, 0, c.Len())}
	for j := range c.Len() {
		cancel.Check(ctx)
		g.count(tokens.document(j))
		for _, node := range g.touched {
			table.nodes = append(table.nodes, uint32(node))
			table.counts = append(table.counts, g.counts[node])
		}
		g.reset()
		table.ends = append(table.ends, len(table.nodes))
		if j == c.Len()/16 { // room for the others, if they are like these
			table.nodes = slices.Grow(table.nodes, 16*len(table.nodes))
			table.counts = slices.Grow(table.counts, 16*len(table.counts))
		}
		if v.nodes() > mostNodes/2 {
			return nil, nil, fmt.Errorf("more than %d features; take shorter n-grams or fewer skips", mostNodes/2)
		}
	}
	return v, table, nil
}

// grams returns a counter for the kernel's n-grams in the tables of v.
func (v *vocabulary) grams() *grams {
	shortest, longest, _ := v.kernel.lengths() // checked
	return &grams{shortest: shortest, longest: longest, skip: v.kernel.Skip, pairs: &v.pairs}
}

// without returns the vocabulary of the features with a weight, and the new places of nodes, intern.None for a dropped
// one. Nodes that only lead to a feature stay, with weight 0. Nodes keep their order; if all stay, it is v itself.
func (v *vocabulary) without(global []float64) (kept *vocabulary, places []int32) {
	terms := v.terms.Len()
	needed := make([]bool, len(global))
	for node := len(global) - 1; node >= 0; node-- { // a prefix precedes its extensions
		needed[node] = needed[node] || global[node] != 0
		if needed[node] && node >= terms {
			key := v.pairs.Keys[node-terms]
			needed[key>>32], needed[key&intern.Mask] = true, true
		}
	}
	places = make([]int32, len(global))
	if !slices.Contains(needed, false) {
		for node := range places {
			places[node] = int32(node)
		}
		v.global = global
		v.setPhrases(v.phrases)
		v.setSize()
		return v, places
	}
	kept = &vocabulary{kernel: v.kernel, stop: v.stop}
	for node := range global {
		places[node] = intern.None
		if !needed[node] {
			continue
		}
		if node < terms {
			places[node] = kept.terms.Add(v.terms.At(node))
			kept.pairs.First = kept.terms.Len()
		} else {
			key := v.pairs.Keys[node-terms]
			places[node] = kept.pairs.Add(intern.Pair(places[key>>32], places[key&intern.Mask]))
		}
		kept.global = append(kept.global, global[node])
	}
	kept.setPhrases(v.phrases)
	kept.setSize()
	return kept, places
}

// setPhrases adopts a dictionary, with the ids that its entries have here.
func (v *vocabulary) setPhrases(p *phrases) {
	if p != nil {
		v.phrases = p.numbered(&v.terms)
	}
}

// setSize counts the features.
func (v *vocabulary) setSize() {
	v.size = 0
	for _, g := range v.global {
		if g != 0 {
			v.size++
		}
	}
}

// newReader returns a reader of tokens of the vocabulary.
func (v *vocabulary) newReader() *reader {
	forms := v.kernel.Tokenizer().forms(v.stop)
	return &reader{forms: forms, terms: &v.terms, phrases: v.phrases, letters: v.kernel.Letters}
}
