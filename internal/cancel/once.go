package cancel

import (
	"context"
	"sync"
	"sync/atomic"
)

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
