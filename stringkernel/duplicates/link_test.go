package duplicates_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/duplicates"
)

// TestLink cuts pairs of windows that overlap by some letters: they are linked from the similarity on that this makes.
func TestLink(t *testing.T) {
	const length, k = 100, 16
	for _, c := range []struct{ overlap, pairs, alone, chain int }{
		{95, 40, 60, 0}, {70, 40, 60, 0}, {45, 40, 60, 0}, {20, 40, 60, 0}, // letters in common
		{70, 2, 96, 0},  // few records have near-duplicates
		{70, 0, 60, 40}, // one group has them all
	} {
		random := rand.New(rand.NewPCG(uint64(c.overlap), 3))
		letters := func(n int) []byte {
			x := make([]byte, n)
			for i := range x {
				x[i] = "ACGT"[random.IntN(4)]
			}
			return x
		}
		var b stringkernel.CorpusBuilder
		for i := range c.pairs {
			both := letters(2*length - c.overlap)
			b.Add(fmt.Sprint("first", i), both[:length])
			b.Add(fmt.Sprint("second", i), both[len(both)-length:])
		}
		for i := range c.alone {
			b.Add(fmt.Sprint("alone", i), letters(length))
		}
		long := letters(length + c.chain*(length-c.overlap))
		for i := range c.chain {
			b.Add(fmt.Sprint("chain", i), long[i*(length-c.overlap):][:length])
		}
		corpus := b.Corpus()
		found, similarity, err := duplicates.Link(context.Background(), corpus, stringkernel.DNA, duplicates.Similarities)
		must.Succeed(t, err)
		share, want := float64(c.overlap-k+1)/(length-k+1), 0.0
		for _, s := range duplicates.Similarities {
			if share >= s && 20*c.pairs > corpus.Len() {
				want = 0.3 // the least, at which they are linked still
			}
		}
		if similarity != want || (found == nil) != (want == 0) {
			t.Errorf("%+v: linked at %v, want %v", c, similarity, want)
			continue
		}
		for i := range corpus.Len() {
			if first := i - i%2*min(1, max(0, 2*c.pairs-i)); found != nil && found.Of[i] != first {
				t.Errorf("%+v: record %d is in the group of %d, want %d", c, i, found.Of[i], first)
			}
		}
	}
}
