// Package heaptest measures how much memory tests use, and limits what they may allocate.
package heaptest

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

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

// Peak returns the most bytes of the heap in use at any moment of a function, less those in use before. Garbage is
// collected before it is a tenth of what is in use.
func Peak(run func()) float64 {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	before, peak := InUse(), 0.0
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		for {
			metrics.Read(sample)
			peak = max(peak, float64(sample[0].Value.Uint64())-before)
			select {
			case <-done:
				return
			case <-time.After(200 * time.Microsecond):
			}
		}
	}()
	run()
	close(done)
	<-stopped
	return peak
}
