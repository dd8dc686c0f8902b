package bow

import (
	"bytes"
	"hash/maphash"

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
}

func newFitted(c *stringkernel.Corpus, v *vocabulary, r *rows.Rows) *fitted {
	f := &fitted{corpus: c, vocabulary: v, rows: r, byHash: make(map[uint64]int, c.Len())}
	for j := range c.Len() {
		f.byHash[maphash.Bytes(intern.Seed, c.Seq(j))] = j
	}
	return f
}

// find returns the number of a document of the reference corpus that equals x. A nil receiver has none.
func (f *fitted) find(x []byte) (j int, there bool) {
	if f == nil {
		return 0, false
	}
	j, there = f.byHash[maphash.Bytes(intern.Seed, x)]
	return j, there && bytes.Equal(f.corpus.Seq(j), x)
}
