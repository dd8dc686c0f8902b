package bow

import (
	"context"
	"fmt"
	"strconv"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Family identifies the parameters that determine the tokens of a text and how they form n-grams: one table of counts
// serves all lengths of n-grams, all weights and all limits of document frequency.
func (k Kernel) Family() string {
	return fmt.Sprintf("words %#v %q %d %t", k.Tokenizer(), k.Dict, k.Skip, k.Letters)
}

// Share reads a corpus once and counts its n-grams up to the longest of the members: O(N) for N bytes. The matrix of a
// member takes one pass over these counts, whatever records it is fitted to. Memory: 8 bytes per n-gram of a document
// and the vocabulary.
func (k Kernel) Share(
	ctx context.Context, x *stringkernel.Indexes, members []stringkernel.Kernel,
) (index stringkernel.Shared, err error) {
	defer cancel.Catch(&err)
	all := 1
	for _, m := range members {
		_, longest, err := m.(Kernel).lengths()
		if err != nil {
			return nil, fmt.Errorf("words: %w", err)
		}
		all = max(all, longest)
	}
	reader := k
	reader.fitted, reader.NGram = nil, "1-"+strconv.Itoa(all)
	v, table, err := reader.count(ctx, x.Corpus)
	if err != nil {
		return nil, fmt.Errorf("words: %w", err)
	}
	s := &shared{v, table, v.lengths()}
	return func(ctx context.Context, member stringkernel.Kernel, train []int) (stringkernel.Gram, error) {
		return s.fittedTo(ctx, member.(Kernel), train)
	}, nil
}

// shared is the counts of all n-grams of a corpus.
type shared struct {
	vocabulary *vocabulary
	table      *counted
	length     []uint8 // terms in each node
}

// lengths returns the number of terms of each node.
func (v *vocabulary) lengths() []uint8 {
	length := make([]uint8, v.Len())
	terms := v.terms.Len()
	for node := range length {
		length[node] = 1
		if node >= terms {
			length[node] += length[v.pairs.Keys[node-terms]>>32] // a prefix precedes its extensions
		}
	}
	return length
}

// fittedTo returns the matrix of the corpus, whose counts it weighs for a kernel fitted to the records train.
func (s *shared) fittedTo(ctx context.Context, k Kernel, train []int) (matrix *rows.Gram, err error) {
	defer cancel.Catch(&err)
	if k.fitted != nil {
		return nil, fmt.Errorf("words: a fitted kernel cannot share an index")
	}
	shortest, longest, err := k.lengths()
	if err != nil {
		return nil, fmt.Errorf("words: %w", err)
	}
	n := len(train)
	if train == nil {
		n = len(s.table.ends)
	}
	v := s.vocabulary.reweighed(k)
	v.global = k.weights(v, s.table.of(train), n)
	places := make([]int32, len(v.global))
	for node, weight := range v.global {
		places[node] = int32(node)
		if inside := int(s.length[node]) >= shortest && int(s.length[node]) <= longest; !inside || weight == 0 {
			v.global[node], places[node] = 0, intern.None
		}
	}
	v.setSize()
	return k.gramOf(ctx, v.rowsOfTable(ctx, s.table, places))
}

// reweighed returns a vocabulary of the same nodes for another kernel, without its weights yet.
func (v *vocabulary) reweighed(k Kernel) *vocabulary {
	return &vocabulary{kernel: k, terms: v.terms, pairs: v.pairs, stop: v.stop, phrases: v.phrases}
}

// of returns the entries of some documents, in parts; nil is all.
func (c *counted) of(documents []int) []entries {
	if documents == nil {
		return c.parts
	}
	parts := make([]entries, len(documents))
	for i, j := range documents {
		parts[i] = c.document(j)
	}
	return parts
}

// IndexSharer shares one suffix tree unless the weighting is tfidf: see [substring.Kernel.IndexSharer].
func (k Sequence) IndexSharer() stringkernel.IndexSharer {
	if k.Kernel.IndexSharer() == nil {
		return nil
	}
	return k
}

// Family identifies the units, marks and tokens.
func (k Sequence) Family() string {
	return fmt.Sprintf("sequence %s %s %t %t %t %q %q", k.Alphabet, k.Unit, k.Ends, k.Case, k.NFKC, k.Stem, k.Stop)
}

// Share builds one suffix tree for the members: see [substring.Kernel.Share].
func (k Sequence) Share(
	ctx context.Context, x *stringkernel.Indexes, members []stringkernel.Kernel,
) (stringkernel.Shared, error) {
	engines := make([]stringkernel.Kernel, len(members))
	for i, m := range members {
		engines[i] = m.(Sequence).engine()
	}
	inner, err := k.engine().Share(ctx, x, engines)
	return func(ctx context.Context, k stringkernel.Kernel, train []int) (stringkernel.Gram, error) {
		return inner(ctx, k.(Sequence).engine(), train)
	}, err
}
