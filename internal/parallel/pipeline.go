package parallel

import (
	"cmp"
	"context"
	"runtime"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
)

// Pipeline does n pieces of work in three steps. take(0), take(1), … are called one at a time in this order, as are
// put(0), put(1), …; between the two, work runs on several pieces at once. No more than four pieces for each processor
// have been taken and not yet put. Steps of different pieces may run at the same time. The error is the first one of
// work or put by number of piece, after which nothing is put, else ctx.Err(). A step that package cancel ends has
// failed with the error of ctx.
func Pipeline[S, T any](
	ctx context.Context, n int, take func(i int) S, work func(s S) (T, error), put func(i int, result T) error,
) error {
	p := &pipeline[T]{put: put, results: make([]*outcome[T], min(n, 4*runtime.GOMAXPROCS(0)))}
	p.moved.L = &p.lock
	err := Do(ctx, n, func(int) error {
		p.taking.Lock()
		i := p.taken
		p.taken++
		if !p.await(i) {
			p.taking.Unlock()
			return p.err
		}
		s := take(i)
		p.taking.Unlock()
		result, err := caught(func() (T, error) { return work(s) })
		return p.add(i, &outcome[T]{result, err})
	})
	return cmp.Or(p.err, err)
}

// pipeline is the state of a Pipeline.
type pipeline[T any] struct {
	taking sync.Mutex // of taken
	taken  int        // pieces that have been begun

	lock    sync.Mutex // of what follows
	moved   sync.Cond  // done or err has changed
	done    int        // pieces that have been put
	putting bool       // some goroutine is putting pieces
	results []*outcome[T]
	err     error
	put     func(i int, result T) error
}

// outcome is what came of a piece of work.
type outcome[T any] struct {
	result T
	err    error
}

// await waits until piece i may begin, and reports false if it need not.
func (p *pipeline[T]) await(i int) bool {
	p.lock.Lock()
	defer p.lock.Unlock()
	for i >= p.done+len(p.results) && p.err == nil {
		p.moved.Wait()
	}
	return p.err == nil
}

// add adds the outcome of piece i, and puts all whose turn it is, unless another goroutine does.
func (p *pipeline[T]) add(i int, o *outcome[T]) error {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.results[i%len(p.results)] = o
	for !p.putting && p.err == nil {
		slot := &p.results[p.done%len(p.results)]
		next := *slot
		if next == nil {
			break
		}
		*slot, p.putting = nil, true
		p.lock.Unlock()
		err := next.err
		if err == nil {
			_, err = caught(func() (struct{}, error) { return struct{}{}, p.put(p.done, next.result) })
		}
		p.lock.Lock()
		p.putting, p.err = false, err
		p.done++
		p.moved.Broadcast()
	}
	return p.err
}

// caught calls f and catches what package cancel unwinds.
func caught[T any](f func() (T, error)) (result T, err error) {
	defer cancel.Catch(&err)
	return f()
}
