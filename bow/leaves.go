package bow

import (
	"fmt"

	"github.com/seqsvm/seqsvm/treekernel/bracket"
)

// cutter finds the words of texts, or of the leaves of trees. It is for one goroutine.
type cutter struct {
	between       *delimiters // nil: words are those of EachWord
	leaves        bool
	after, before []byte
	forest        bracket.Forest
}

func (t Tokenizer) cutter() cutter {
	between, _ := newDelimiters(t.Delimiters) // checked before
	return cutter{
		between: between, leaves: t.Leaves,
		after: bracket.Escape(nil, t.After), before: bracket.Escape(nil, t.Before),
	}
}

// each calls visit with the byte range [lo, hi) of every word of x, in order; in a tree, with escapes.
func (c *cutter) each(x []byte, visit func(lo, hi int)) {
	if !c.leaves {
		c.eachWord(x, visit)
		return
	}
	if c.forest.Parse(x) != nil {
		return // a text that is not trees has no words
	}
	for i := range c.forest.Len() {
		if !c.forest.Leaf(i) {
			continue
		}
		lo, hi := bracket.Between(c.forest.Label(i), c.after, c.before)
		if start := int(c.forest.Start[i]); lo < hi {
			visit(start+lo, start+hi)
		}
	}
}

// eachWord calls visit for every word of a text that is no tree. It may be called from several goroutines.
func (c *cutter) eachWord(x []byte, visit func(lo, hi int)) {
	if c.between != nil {
		c.between.each(x, visit)
	} else {
		EachWord(x, visit)
	}
}

// checkTree returns an error unless x is trees in brackets.
func checkTree(x []byte) error {
	var f bracket.Forest
	if err := f.Parse(x); err != nil {
		return fmt.Errorf("not a tree: %w", err)
	}
	return nil
}
