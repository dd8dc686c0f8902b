package cancel

import (
	"context"
	"sync"
	"sync/atomic"
)

// Run calls work, which takes no context, and returns ctx.Err(): nil after work, the error as soon as ctx is done. In
// the latter case work goes on to its end in the background, so that the caller must neither use nor lend again what
// work reads and writes. That suits work of bounded length, such as a product with a Gram matrix. A panic of work is
// the caller's, unless the caller has left.
func Run(ctx context.Context, work func()) error {
	if ctx.Done() == nil {
		work()
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	ended := make(chan any, 1)
	go func() {
		defer func() { ended <- recover() }()
		work()
	}()
	select {
	case p := <-ended:
		if p != nil {
			panic(p)
		}
	case <-ctx.Done():
	}
	return ctx.Err()
}

// Once is a value that is made when it is first asked for, by whoever asks first. If that caller's context ends before
// the value is there, the next caller begins again.
type Once[T any] struct {
	Make func(ctx context.Context) T

	lock  sync.Mutex
	value atomic.Pointer[T]
}

// Get returns the value.
func (o *Once[T]) Get(ctx context.Context) T {
	if v := o.value.Load(); v != nil {
		return *v
	}
	o.lock.Lock()
	defer o.lock.Unlock()
	if v := o.value.Load(); v != nil {
		return *v
	}
	v := o.Make(ctx)
	o.value.Store(&v)
	return v
}
