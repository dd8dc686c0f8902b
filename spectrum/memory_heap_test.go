//go:build heap

package spectrum

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// All that is allocated to index long records, and to count one, is at most 8 bytes per letter, so that no moment of it
// takes more.
func TestHeapOfLongRecords(t *testing.T) {
	var b stringkernel.CorpusBuilder
	for _, unit := range []string{"A", "ACGTTGCA"} {
		b.Add("", bytes.Repeat([]byte(unit), 1<<22/len(unit)))
	}
	c := b.Corpus()
	for k := 1; k <= 8; k++ {
		kernel := Kernel{K: k, Alphabet: stringkernel.DNA}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := kernel.Gram(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		kernel.SelfEval(c.Seq(0))
		runtime.ReadMemStats(&after)
		if per := float64(after.TotalAlloc-before.TotalAlloc) / float64(c.Letters()); per > 8 {
			t.Errorf("k = %d: %.1f bytes per letter are allocated, want at most 8", k, per)
		}
	}
}

// All that is allocated to index many records by sorting is little, even where each occurs twice and so all k-mers are
// features: 4 bytes for what sorting holds of a letter, 4 for the features by number and 4 by document, and 8 for their
// postings. They are not all there at once.
func TestHeapOfSortedRecords(t *testing.T) {
	const letters = 1 << 23
	rng := rand.New(rand.NewPCG(19, 19))
	var b stringkernel.CorpusBuilder
	for range letters / 2000 {
		x := []byte(draw(rng, "ACGT", 1000, false))
		b.Add("", x)
		b.Add("", x)
	}
	c := b.Corpus()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := (Kernel{K: 16, Alphabet: stringkernel.DNA}).Gram(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if per := float64(after.TotalAlloc-before.TotalAlloc) / float64(c.Letters()); per > 24 {
		t.Errorf("%.1f bytes per letter are allocated, want at most 24", per)
	}
}
