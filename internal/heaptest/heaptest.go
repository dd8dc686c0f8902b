// Package heaptest tells tests how much memory is in use, and limits what is granted to them.
package heaptest

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// Limit sets the runtime's memory limit, which internal/memory goes by, until the end of a test.
func Limit(t testing.TB, bytes int64) {
	before := debug.SetMemoryLimit(bytes)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
}

// InUse returns the bytes of the heap that are in use, those of pools left out. It is exact if no other goroutine allocates meanwhile: garbage does not count, nor what
// was allocated while a collection went on, both of which depend on the load of the machine and the number of its processors.
func InUse() float64 {
	runtime.GC()
	runtime.GC() // the first empties pools, the second frees what was in them
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
