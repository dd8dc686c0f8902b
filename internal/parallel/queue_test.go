package parallel_test

import (
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// TestQueue: pieces are finished in their order, whichever is done first, and several run at once.
func TestQueue(t *testing.T) {
	for _, processors := range []int{1, 3} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		q, finished := parallel.NewQueue(), 0
		var running, most atomic.Int32
		for i := range 100 {
			must.Succeed(t, q.Do(func() func() error {
				most.Store(max(most.Load(), running.Add(1)))
				time.Sleep(time.Duration(i%3) * 100 * time.Microsecond)
				running.Add(-1)
				return func() error {
					if finished++; finished != i+1 {
						t.Errorf("piece %d is finished as number %d", i, finished-1)
					}
					return nil
				}
			}))
		}
		if err := q.Flush(); err != nil || finished != 100 {
			t.Errorf("%d of 100 finished: %v", finished, err)
		}
		if n := int(most.Load()); n > q.Pieces() || q.Pieces() != min(processors, 2) {
			t.Errorf("%d pieces ran at once on %d processors", n, processors)
		}
		q.Close()
	}
}

// TestQueueError: the first error of finishing ends it, and what runs is waited for.
func TestQueueError(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	q, bad := parallel.NewQueue(), errors.New("bad")
	var done atomic.Int32
	piece := func(err error) func() func() error {
		return func() func() error {
			time.Sleep(time.Millisecond)
			done.Add(1)
			return func() error { return err }
		}
	}
	must.Succeed(t, q.Do(piece(bad)))
	if err := q.Do(piece(nil)); err != bad {
		t.Errorf("%v, want %v", err, bad)
	}
	if q.Close(); done.Load() != 2 {
		t.Errorf("%d of 2 pieces are done", done.Load())
	}
}
