//go:build heap

package oligo

import (
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

func TestHeapOfTooManyLetters(t *testing.T) {
	c := stringkernel.View(make([]byte, 1<<31)) // never touched: takes addresses, not memory
	if _, err := (Kernel{K: 1, Sigma: 1}).Gram(t.Context(), c); err == nil ||
		!strings.Contains(err.Error(), "2147483648 letters, and this kernel indexes at most 2147483646") {
		t.Fatalf("error %v", err)
	}
}
