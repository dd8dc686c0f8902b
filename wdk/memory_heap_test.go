//go:build heap

package wdk_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/wdk"
)

// TestHeapPerLetter holds the index of products to what the package comment says.
func TestHeapPerLetter(t *testing.T) {
	c := randomWindows(10_000, 141, 0)
	before := heaptest.InUse()
	g, err := wdk.Kernel{D: 20, Alphabet: stringkernel.DNA}.Gram(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	g.MulVecTo(make([]float64, c.Len()), make([]float64, c.Len()))
	bytes := (heaptest.InUse() - before) / float64(c.Letters())
	if t.Logf("%.1f bytes per letter", bytes); bytes > 5 {
		t.Errorf("%.1f bytes per letter, want at most 5", bytes)
	}
	runtime.KeepAlive(g)
}
