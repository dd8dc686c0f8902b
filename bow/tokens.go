package bow

import (
	"context"
	"runtime"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/ends"
	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// tokenized is a corpus as token ids.
type tokenized struct {
	ends []int // end of document j
	ids  []int32
}

func (t *tokenized) document(j int) []int32 {
	lo, hi := ends.Bounds(t.ends, j)
	return t.ids[lo:hi]
}

// tokenize numbers the terms of a corpus in order of first occurrence and returns its documents as token ids. Blocks of
// documents are read in parallel, each with its own numbers for words; then each distinct word gets its id, in order,
// so that ids do not depend on the blocks.
func (v *vocabulary) tokenize(ctx context.Context, c *stringkernel.Corpus) *tokenized {
	r := v.newReader()
	r.open = true
	all := &tokenized{ends: make([]int, 0, c.Len())}
	if r.indirect() {
		for j := range c.Len() {
			cancel.Check(ctx)
			r.read(c.Seq(j))
			all.ids = append(all.ids, r.ids...)
			all.ends = append(all.ends, len(all.ids))
		}
		return all
	}
	blocks := make([]*block, min(runtime.GOMAXPROCS(0), max(c.Len(), 1)))
	parallel.EachContext(ctx, len(blocks), func(b int) {
		blocks[b] = newBlock(ctx, v.kernel.Tokenizer().cutter(), c, b*c.Len()/len(blocks), (b+1)*c.Len()/len(blocks))
	})
	tokens := 0
	for _, b := range blocks {
		tokens += len(b.ids)
	}
	all.ids = make([]int32, 0, tokens)
	for _, b := range blocks {
		b.translate(ctx, r, all)
	}
	return all
}

// block is some documents as the block's own numbers of their words.
type block struct {
	words intern.Terms
	tokenized
}

func newBlock(ctx context.Context, words cutter, c *stringkernel.Corpus, lo, hi int) *block {
	b := new(block)
	for j := lo; j < hi; j++ {
		cancel.Check(ctx)
		x := c.Seq(j)
		words.each(x, func(lo, hi int) {
			if len(b.ids)%(1<<16) == 0 {
				cancel.Check(ctx)
			}
			b.ids = append(b.ids, b.words.Add(x[lo:hi]))
		})
		b.ends = append(b.ends, len(b.ids))
	}
	return b
}

// translate appends the documents with the ids of their words.
func (b *block) translate(ctx context.Context, r *reader, all *tokenized) {
	meanings := make([]int32, b.words.Len())
	for id := range meanings {
		meanings[id] = r.meaning(b.words.At(id))
	}
	for j := range b.ends {
		cancel.Check(ctx)
		for _, id := range b.document(j) {
			if m := meanings[id]; m != dropped {
				all.ids = append(all.ids, m)
			}
		}
		all.ends = append(all.ends, len(all.ids))
	}
}
