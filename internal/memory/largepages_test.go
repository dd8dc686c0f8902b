package memory_test

import (
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/internal/memory"
)

// Vectors of all lengths are zero and can be written.
func TestLargePages(t *testing.T) {
	for i, n := range []int{0, 1, 1 << 18, 1<<18 - 1, 3<<18 + 5, 7, 1 << 21} {
		v := memory.InLargePages[uint64](n)
		if len(v) != n || slices.ContainsFunc(v, func(x uint64) bool { return x != 0 }) {
			t.Fatalf("got %d entries, want %d that are 0", len(v), n)
		}
		for j := range v {
			v[j] = uint64(i)
		}
	}
}
