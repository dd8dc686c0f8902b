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
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/rows"
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

	complete sync.Once // before pairs are looked up
}

// mostNodes bounds terms and n-grams together: ids are int32.
const mostNodes = math.MaxInt32 - 1

// counted is the count of each node in each document of a corpus.
type counted struct {
	ends  []int // end of document j
	parts []entries
}

// entries are the nodes of consecutive documents with their counts.
type entries struct {
	nodes  []uint32
	counts []int32
}

// document returns the entries of document j.
func (c *counted) document(j int) entries {
	lo, hi := ends.Bounds(c.ends, j)
	for _, p := range c.parts {
		if n := len(p.nodes); hi > n {
			lo, hi = lo-n, hi-n
			continue
		}
		return entries{p.nodes[lo:hi], p.counts[lo:hi]}
	}
	panic("bow: a document outside the table")
}

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
func (v *vocabulary) setOnes() { v.global = slices.Repeat([]float64{1}, v.Len()) }

// learn returns the features of a reference corpus with their weights, and the corpus as rows of them.
func (k Kernel) learn(ctx context.Context, c *stringkernel.Corpus) (*vocabulary, *rows.Rows, error) {
	v, table, err := k.count(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	global := k.weights(v, table.parts, c.Len())
	kept, places := v.without(global)
	return kept, kept.rowsOfTable(ctx, table, places), nil
}

// rowsOfTable weighs the counts of documents, whose nodes are at places in v.
func (v *vocabulary) rowsOfTable(ctx context.Context, table *counted, places []int32) *rows.Rows {
	return rows.CollectWithin(ctx, table.ends, v.Len(), func(r *rows.Rows, lo, hi int) {
		w := v.newWeigher()
		for j := lo; j < hi; j++ {
			cancel.Check(ctx)
			w.load(table.document(j), places)
			w.spread(r.Add)
			r.End()
		}
	})
}

// count numbers the terms and n-grams of a corpus in order of first occurrence and counts them in each document, a part
// of the documents on each processor. Numbers do not depend on the parts: see tokenize.
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
	table := &counted{ends: make([]int, 0, c.Len()), parts: make([]entries, len(tokens))}
	pairs := make([]intern.Pairs, len(tokens))
	err = parallel.Do(ctx, len(tokens), func(p int) (err error) {
		pairs[p].First = v.terms.Len()
		table.parts[p], err = v.countPart(ctx, tokens[p], &pairs[p])
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	before := 0
	for p, t := range tokens {
		for _, end := range t.ends {
			table.ends = append(table.ends, before+end)
		}
		before += len(table.parts[p].nodes)
	}
	v.pairs = pairs[0]
	numbers := make([][]int32, len(pairs))
	for p := 1; p < len(pairs); p++ {
		numbers[p] = v.pairs.Join(&pairs[p])
		pairs[p] = intern.Pairs{}
		if err := checkNodes(v.Len()); err != nil {
			return nil, nil, err
		}
	}
	parallel.Each(len(pairs)-1, func(p int) { table.parts[p+1].renumber(v.pairs.First, numbers[p+1]) })
	return v, table, nil
}

// countPart counts the n-grams of some documents, numbers new pairs in order of first occurrence, and replaces the ends
// of the documents by those of their entries.
func (v *vocabulary) countPart(ctx context.Context, t *tokenized, pairs *intern.Pairs) (e entries, err error) {
	g := v.grams()
	g.pairs, g.open = pairs, true
	start := 0
	for j, end := range t.ends {
		cancel.Check(ctx)
		g.count(t.ids[start:end])
		start = end
		for _, node := range g.touched {
			e.nodes = append(e.nodes, uint32(node))
		}
		e.counts = append(e.counts, g.counts...)
		t.ends[j] = len(e.nodes)
		if j == len(t.ends)/16 { // room for the others, if they are like these
			e.nodes, e.counts = slices.Grow(e.nodes, 16*len(e.nodes)), slices.Grow(e.counts, 16*len(e.counts))
		}
		if err := checkNodes(pairs.First + len(pairs.Keys)); err != nil {
			return entries{}, err
		}
	}
	t.ids = nil
	return e, nil
}

// checkNodes returns an error for too many nodes.
func checkNodes(nodes int) error {
	if nodes > mostNodes/2 {
		return fmt.Errorf("more than %d features; take shorter n-grams or fewer skips", mostNodes/2)
	}
	return nil
}

// renumber gives the nodes from first on other numbers.
func (e entries) renumber(first int, numbers []int32) {
	for i, node := range e.nodes {
		if int(node) >= first {
			e.nodes[i] = uint32(numbers[int(node)-first])
		}
	}
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
