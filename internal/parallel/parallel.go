// Package parallel runs independent tasks on all processors Go may use (GOMAXPROCS, which the tool's --threads sets).
//
// Tasks must not share what they write, so that the number of processors never changes a result: each task i owns slot
// i of an output, and whatever is summed over tasks is summed afterwards, in order of i.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/seqsvm/seqsvm/internal/cancel"
)

// Do calls task(0) … task(n−1), each once, and waits for them. After a task has failed or ctx is done no further task
// is started; the error of the failed task with the lowest number is returned, else ctx.Err(). A task that package
// cancel ends has failed with the context's error.
func Do(ctx context.Context, n int, task func(i int) error) error {
	return DoOn(ctx, min(runtime.GOMAXPROCS(0), n), n, task)
}

// DoOn is [Do] on a number of goroutines.
func DoOn(ctx context.Context, workers, n int, task func(i int) error) error {
	var (
		next    atomic.Int64
		stopped atomic.Bool
		wait    sync.WaitGroup
		errs    = make([]error, n)
	)
	for range workers {
		wait.Go(func() {
			for !stopped.Load() && ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[i] = run(task, i); errs[i] != nil {
					stopped.Store(true)
				}
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// run calls a task and catches what package cancel unwinds.
func run(task func(i int) error, i int) (err error) {
	defer cancel.Catch(&err)
	return task(i)
}

// For calls task on consecutive blocks lo ≤ i < hi that cover 0 … n−1, for tasks that cannot fail and want separate
// scratch space per block. Block bounds depend on n alone.
func For(n int, task func(lo, hi int)) {
	ForContext(context.Background(), n, task)
}

// ForContext is [For] of an index that is being built: package cancel ends it, between blocks and where the task asks.
func ForContext(ctx context.Context, n int, task func(lo, hi int)) {
	const blocks = 64
	count := min(blocks, n)
	err := Do(ctx, count, func(b int) error {
		task(b*n/count, (b+1)*n/count)
		return nil
	})
	if err != nil {
		cancel.Check(ctx) // the task fails with the error of ctx alone
	}
}

// EachContext is [Each] with a check of ctx before every task: see [ForContext].
func EachContext(ctx context.Context, n int, task func(i int)) {
	ForContext(ctx, n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			cancel.Check(ctx)
			task(i)
		}
	})
}

// Each calls task(0) … task(n−1), each once, for tasks that cannot fail.
func Each(n int, task func(i int)) {
	For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			task(i)
		}
	})
}
