package duplicates_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/duplicates"
)

// TestLongRecordsTakeLittleMemory: the words of a long record are sorted; with hash tables of all of them it would be
// 214 bytes.
func TestLongRecordsTakeLittleMemory(t *testing.T) {
	const n = 1_100_000
	long := randomLetters(rand.New(rand.NewPCG(10, 10)), n, "ACGT")
	c := must.Get(stringkernel.NewCorpus([][]byte{long, slices.Concat(long[:n/2], []byte("N"), long[n/2:])}, nil))(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	g, err := duplicates.Finder{Alphabet: stringkernel.DNA, Similarity: 0.8}.Find(t.Context(), c)
	runtime.ReadMemStats(&after)
	if err != nil || len(g.Pairs) != 1 {
		t.Fatalf("%+v, %v, want one pair", g, err)
	}
	if per := float64(after.TotalAlloc-before.TotalAlloc) / float64(c.Letters()); per > 185 {
		t.Errorf("%.0f bytes taken per letter, want at most 185", per)
	}
}
