package parallel_test

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

func TestDoRunsEachTaskOnce(t *testing.T) {
	for _, procs := range []int{1, 2, 7} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		for _, n := range []int{0, 1, 3, 1000} {
			count := make([]atomic.Int32, n)
			must.Succeed(t, parallel.Do(context.Background(), n, func(i int) error { count[i].Add(1); return nil }))
			for i := range count {
				if count[i].Load() != 1 {
					t.Fatalf("procs %d, n %d: task %d ran %d times", procs, n, i, count[i].Load())
				}
			}
		}
	}
}

func TestDoStopsAtAnError(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	want := errors.New("task 5 failed")
	const tasks = 100_000
	var ran atomic.Int32
	failing := make(chan struct{})
	err := parallel.Do(context.Background(), tasks, func(i int) error {
		ran.Add(1)
		if i == 5 {
			close(failing)
			return want
		}
		if i > 5 {
			<-failing // or the others may be done before a machine under load goes on with task 5
		}
		return nil
	})
	if !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
	if ran.Load() == tasks {
		t.Error("every task was started after the failure")
	}
}

func TestDoStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := parallel.Do(ctx, 10, func(int) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

func TestCancelledTasksEndTheirCallers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for name, loop := range map[string]func(ctx context.Context, n int, task func(i int)){
		"each": parallel.EachContext,
		"for": func(ctx context.Context, n int, task func(i int)) {
			parallel.ForContext(ctx, n, func(lo, hi int) {
				for i := lo; i < hi; i++ {
					cancel.Check(ctx)
					task(i)
				}
			})
		},
		"do": func(ctx context.Context, n int, task func(i int)) {
			_ = parallel.Do(ctx, n, func(i int) error { task(i); return nil })
			cancel.Check(ctx)
		},
	} {
		ctx, stop := context.WithCancel(t.Context())
		const tasks = 100_000
		var ran atomic.Int32
		build := func() (err error) {
			defer cancel.Catch(&err)
			loop(ctx, tasks, func(i int) {
				if ran.Add(1) == 10 {
					stop()
				}
				if ran.Load() >= 10 {
					<-ctx.Done()
				}
			})
			return nil
		}
		if err := build(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want %v", name, err, context.Canceled)
		}
		if n := ran.Load(); n > 20 {
			t.Errorf("%s: %d tasks ran after the end of the context", name, n-10)
		}
	}
}

func TestForCoversEverything(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 65, 1000} {
		seen := make([]int, n)
		parallel.For(n, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				seen[i]++
			}
		})
		for i, k := range seen {
			if k != 1 {
				t.Fatalf("n %d: index %d seen %d times", n, i, k)
			}
		}
	}
}
