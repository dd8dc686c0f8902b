package heaptest_test

import (
	"math"
	"runtime"
	"sync"
	"testing"

	"github.com/seqsvm/seqsvm/internal/heaptest"
)

var sink []byte

// What is kept counts, and what is thrown away or pooled does not.
func TestInUse(t *testing.T) {
	const kept = 32 << 20
	before := heaptest.InUse()
	list := make([]byte, kept)
	var pool sync.Pool
	pooled := make([]byte, kept)
	pool.Put(&pooled)
	for range 400 {
		sink = make([]byte, 1<<20)
	}
	sink = nil
	if got := heaptest.InUse() - before; math.Abs(got-kept) > 1<<20 {
		t.Errorf("%.0f bytes for a list of %d, as many in a pool and 400 MB of garbage", got, kept)
	}
	runtime.KeepAlive(list)
	runtime.KeepAlive(&pool)
}
