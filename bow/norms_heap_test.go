//go:build heap

package bow_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// TestHeapOfLongWords takes k(x, x) of texts that are a long word each, no two the same: those before are not
// kept.
func TestHeapOfLongWords(t *testing.T) {
	k := mustCompile(t, bow.Sequence{Kernel: substring.Kernel{Weight: substring.Constant, Unit: bow.Word}, Case: true})
	text := bytes.Repeat([]byte("a"), 1<<20)
	for i := range 256 {
		copy(text, fmt.Sprintf("word%04d", i))
		if got := k.SelfEval(text); got != 1 {
			t.Fatalf("k(x, x) = %v of one word, want 1", got)
		}
	}
	if bytes := heaptest.InUse(); bytes > 160<<20 {
		t.Errorf("%.0f MB in use after %d texts of 1 MB", bytes/1e6, 256)
	}
}
