//go:build heap

package substring_test

import (
	"runtime"
	"testing"

	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// kept returns the bytes of heap that the result of build holds on to.
func kept(build func() any) float64 {
	before := heaptest.InUse()
	result := build()
	after := heaptest.InUse()
	runtime.KeepAlive(result)
	return after - before
}

// TestHeapPerLetter holds the package comment to its figures.
func TestHeapPerLetter(t *testing.T) {
	c := randomDNA(t, 2000, 500)
	v := make([]float64, c.Len())
	letters := float64(c.Letters())
	for _, k := range []struct {
		kernel               substring.Kernel
		gram, scorer, output float64 // at most, bytes per letter
	}{
		{substring.Kernel{Weight: substring.Constant}, 12, 7.5, 3},
		{substring.Kernel{Weight: substring.TFIDF}, 12, 9.5, 3},
		{substring.Kernel{Weight: substring.Bounded, K: 8}, 4.5, 7, 2.5},
		{substring.Kernel{Weight: substring.Fixed, K: 8}, 4.5, 7, 2.5},
	} {
		k.kernel.Alphabet = stringkernel.DNA
		measure := func(what string, most float64, build func() (any, error)) {
			var err error
			bytes := kept(func() (result any) { result, err = build(); return result })
			if err != nil {
				t.Fatal(err)
			}
			per := bytes / letters
			t.Logf("%s, %s: %.1f bytes per letter", k.kernel.Weight, what, per)
			if per > most {
				t.Errorf("%s: a %s keeps %.1f bytes per letter, want at most %v", k.kernel.Weight, what, per, most)
			}
		}
		measure("Gram operator", k.gram, func() (any, error) { return k.kernel.Gram(t.Context(), c) })
		measure("scorer", k.scorer, func() (any, error) { return stringkernel.Merge(t.Context(), k.kernel, c, v) })
		measure("scorer of 3 outputs", k.scorer+2*k.output, func() (any, error) {
			return stringkernel.Merge(t.Context(), k.kernel, c, v, v, v)
		})
	}
}
