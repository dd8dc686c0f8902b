package bow

import (
	"context"
	"runtime"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// tokenized is consecutive documents as token ids.
type tokenized struct {
	ends []int // end of document j
	ids  []int32
}

// tokenize numbers the terms of a corpus in order of first occurrence and returns its documents as token ids, a part
// for each processor. Parts are read with numbers of their own for terms, and these are joined in order, so that ids do
// not depend on the parts.
func (v *vocabulary) tokenize(ctx context.Context, c *stringkernel.Corpus) []*tokenized {
	parts := make([]*tokenized, max(1, min(runtime.GOMAXPROCS(0), c.Len())))
	terms := make([]intern.Terms, len(parts))
	parallel.EachContext(ctx, len(parts), func(p int) {
		r := v.newReader()
		r.terms, r.open = &terms[p], true
		parts[p] = r.readAll(ctx, c, p*c.Len()/len(parts), (p+1)*c.Len()/len(parts))
	})
	if v.phrases != nil { // whose numbers are those of the dictionary
		return parts
	}
	v.terms = terms[0]
	ids := make([][]int32, len(parts))
	for p := 1; p < len(parts); p++ {
		ids[p] = v.terms.Join(&terms[p])
		terms[p] = intern.Terms{}
	}
	parallel.Each(len(parts)-1, func(p int) { parts[p+1].renumber(ids[p+1]) })
	return parts
}

// readAll reads the documents lo … hi−1 of a corpus.
func (r *reader) readAll(ctx context.Context, c *stringkernel.Corpus, lo, hi int) *tokenized {
	t := &tokenized{ends: make([]int, 0, hi-lo)}
	for j := lo; j < hi; j++ {
		cancel.Check(ctx)
		if r.indirect() {
			r.read(c.Seq(j))
			t.ids = append(t.ids, r.ids...)
		} else {
			t.ids = r.appendIDs(ctx, t.ids, c.Seq(j))
		}
		t.ends = append(t.ends, len(t.ids))
	}
	return t
}

// renumber gives tokens the ids that their terms have elsewhere.
func (t *tokenized) renumber(ids []int32) {
	for i, id := range t.ids {
		if id != intern.None {
			t.ids[i] = ids[id]
		}
	}
}
