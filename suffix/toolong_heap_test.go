//go:build heap

package suffix

import (
	"testing"
)

func TestHeapOfTextTooLong(t *testing.T) {
	tooLong := make([]byte, MaxLen+1) // never touched: takes addresses, not memory
	if _, err := Array(ctx, tooLong, 1); err == nil {
		t.Error("no error for a text of 2³¹-1 symbols")
	}
}
