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
)

// Do calls task(0) … task(n−1), each once, and waits for them. After a task has failed or ctx is done no further task
// is started; the error of the failed task with the lowest number is returned, else ctx.Err().
func Do(ctx context.Context, n int, task func(i int) error) error {
	return DoOn(ctx, min(runtime.GOMAXPROCS(0), n), n, task, func() {})
}

// DoOn is [Do] on a number of goroutines, each of which calls leave when it ends.
func DoOn(ctx context.Context, workers, n int, task func(i int) error, leave func()) error {
	var (
		next    atomic.Int64
		stopped atomic.Bool
		wait    sync.WaitGroup
		errs    = make([]error, n)
	)
	for range workers {
		wait.Go(func() {
			defer leave()
			for !stopped.Load() && ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[i] = task(i); errs[i] != nil {
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

// For calls task on consecutive blocks lo ≤ i < hi that cover 0 … n−1, for tasks that cannot fail and want separate
// scratch space per block. Block bounds depend on n alone.
func For(n int, task func(lo, hi int)) {
	const blocks = 64
	count := min(blocks, n)
	// The background context never ends and the task never fails.
	_ = Do(context.Background(), count, func(b int) error {
		task(b*n/count, (b+1)*n/count)
		return nil
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

// Await returns what task returns, or ctx.Err() as soon as ctx is done: task then runs to its end in the background,
// and its result is dropped. It is for long work that cannot be interrupted, and shares nothing that is written.
func Await[T any](ctx context.Context, task func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1) // the task need not wait for anyone
	go func() {
		value, err := task()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
