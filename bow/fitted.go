package bow

import (
	"bytes"
	"context"
	"hash/maphash"
	"sync"
	"weak"

	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// fitted is what a kernel knows of its reference corpus.
type fitted struct {
	corpus     *stringkernel.Corpus
	vocabulary *vocabulary
	rows       *rows.Rows     // of corpus
	byHash     map[uint64]int // a document of each hash

	lock sync.Mutex
	gram weak.Pointer[rows.Gram] // of rows, as long as somebody uses it
}

func newFitted(c *stringkernel.Corpus, v *vocabulary, r *rows.Rows) *fitted {
	f := &fitted{corpus: c, vocabulary: v, rows: r, byHash: make(map[uint64]int, c.Len())}
	for j := range c.Len() {
		f.byHash[maphash.Bytes(intern.Seed, c.Seq(j))] = j
	}
	return f
}

// gramOfReference returns the matrix of the corpus that a kernel is fitted to, made anew unless it is in use.
func (k Kernel) gramOfReference(ctx context.Context) (g *rows.Gram, err error) {
	f := k.fitted
	f.lock.Lock()
	defer f.lock.Unlock()
	if g = f.gram.Value(); g == nil {
		g, err = k.gramOf(ctx, f.rows)
		f.gram = weak.Make(g)
	}
	return g, err
}

// find returns the number of a document of the reference corpus that equals x. A nil receiver has none.
func (f *fitted) find(x []byte) (j int, there bool) {
	if f == nil {
		return 0, false
	}
	j, there = f.byHash[maphash.Bytes(intern.Seed, x)]
	return j, there && bytes.Equal(f.corpus.Seq(j), x)
}
