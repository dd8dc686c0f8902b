// Package heaptest measures how much memory tests use, and limits what they may allocate.
package heaptest

import (
	"runtime"
	"testing"

	"github.com/seqsvm/seqsvm/internal/memory"
)

// Limit sets the limit of internal/memory until the end of a test.
func Limit(t testing.TB, bytes int64) {
	before := memory.SetLimit(bytes)
	t.Cleanup(func() { memory.SetLimit(before) })
}

// InUse returns the bytes of the heap that are in use, those of pools left out. It is exact if no other goroutine
// allocates meanwhile: it counts neither garbage nor what was allocated during a collection, both of which depend on
// the load of the machine and the number of its processors.
func InUse() float64 {
	runtime.GC()
	runtime.GC() // the first empties pools, the second frees what was in them
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
