//go:build heap

package spectrum

import (
	"bytes"
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
