//go:build heap

package wdk

import (
	"context"
	"runtime"
	"testing"

	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestHeapPerLetter holds the index of products to what the package comment says.
func TestHeapPerLetter(t *testing.T) {
	c := randomWindows(10_000, 141, 0)
	before := heaptest.InUse()
	o := newOperator(context.Background(), Kernel{D: 20, Alphabet: stringkernel.DNA}, c, 141)
	bytes := (heaptest.InUse() - before) / float64(c.Letters())
	if t.Logf("%.1f bytes per letter", bytes); bytes > 5 {
		t.Errorf("%.1f bytes per letter, want at most 5", bytes)
	}
	runtime.KeepAlive(o)
}
