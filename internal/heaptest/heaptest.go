// Package heaptest tells tests how much memory is in use.
package heaptest

import "runtime"

// InUse returns the bytes of the heap that are in use, those of pools left out. It is exact if no other goroutine allocates meanwhile: garbage does not count, nor what
// was allocated while a collection went on, both of which depend on the load of the machine and the number of its processors.
func InUse() float64 {
	runtime.GC()
	runtime.GC() // the first empties pools, the second frees what was in them
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
