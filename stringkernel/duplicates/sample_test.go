package duplicates

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Where a corpus is too large to index every word, one word in several is enough to find copies of long records, and
// similarities are those of all words.
func TestSample(t *testing.T) {
	for _, a := range []stringkernel.Alphabet{stringkernel.DNA, stringkernel.Bytes} {
		rng := rand.New(rand.NewPCG(1, 2))
		var b stringkernel.CorpusBuilder
		for i := range 40 {
			x := drawn.Text(rng, "ACGT", 3000)
			b.Add("", x)
			if i%2 == 0 {
				x = slices.Clone(x)
				for range 10 {
					x[rng.IntN(len(x))] = 'A'
				}
			}
			b.Add("", x[:2900])
		}
		c := b.Corpus()
		f := Finder{Alphabet: a, Similarity: 0.8}
		whole := must.Get(f.Find(t.Context(), c))(t)
		some := must.Get(f.find(t.Context(), c, c.Letters()/8))(t)
		if !slices.Equal(whole.Pairs, some.Pairs) || !slices.Equal(whole.Of, some.Of) || len(some.Pairs) != 40 {
			t.Errorf("%s: %d pairs of all words, %d of one word in eight, want 40", a, len(whole.Pairs),
				len(some.Pairs))
		}
	}
}
