//go:build heap

package suffix_test

import (
	"testing"

	"github.com/seqsvm/seqsvm/suffix"
)

func TestHeapOfTextTooLong(t *testing.T) {
	tooLong := make([]byte, suffix.MaxLen+1) // never touched: takes addresses, not memory
	if _, err := suffix.Array(ctx, tooLong, 1); err == nil {
		t.Error("no error for a text of 2³¹-1 symbols")
	}
}
