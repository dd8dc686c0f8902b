package sharded

import (
	"context"
	"errors"
	"sync"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel/shard"
)

// Together calls solve for the problems 0 … n−1 of the same records, width of them at a time, and has these share
// passes: a pass waits until every running problem has asked for one. That changes the time alone, since tables and
// scores do not depend on those beside them. A problem that fails ends the others.
//
// solve gets the records that it is to solve with, once and to its end.
func Together(
	ctx context.Context, records Records, n, width int, solve func(ctx context.Context, i int, records Records) error,
) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	width = max(1, min(width, n))
	s := &shared{Records: records, running: width}
	err := parallel.DoOn(ctx, width, n, func(i int) error {
		err := solve(ctx, i, s)
		if err != nil {
			stop(err)
		}
		return err
	}, s.leave)
	if errors.Is(err, context.Canceled) {
		return context.Cause(ctx) // what ended the others
	}
	return err
}

// shared is records of which several problems share passes.
type shared struct {
	Records
	lock    sync.Mutex
	running int // problems that have not ended
	waiting [2]round
}

// round is what waits for one pass of a kind.
type round struct {
	ctx             context.Context // of one of them
	outputs, inputs [][]float64
	problems        int
	done            chan struct{} // closed after the pass
	err             *error
}

// The kinds of a pass.
const (
	adding = iota
	scoring
)

func (s *shared) Add(ctx context.Context, tables, v [][]float64) error {
	return s.ask(ctx, adding, tables, v)
}

func (s *shared) Score(ctx context.Context, dst, tables [][]float64) error {
	return s.ask(ctx, scoring, dst, tables)
}

// AddSquares implements [shard.Squares], alone where that is one pass over few records, else by the passes of all.
func (s *shared) AddSquares(ctx context.Context, dst, table, weights []float64) error {
	if _, ok := s.Records.(shard.Squares); ok {
		return shard.AddSquares(ctx, s.Records, dst, table, weights)
	}
	return shard.AddSquares(ctx, struct{ Records }{s}, dst, table, weights)
}

// ask waits for a pass of a kind. The caller for whom all others wait makes it.
func (s *shared) ask(ctx context.Context, kind int, outputs, inputs [][]float64) error {
	s.lock.Lock()
	r := &s.waiting[kind]
	if r.done == nil {
		*r = round{done: make(chan struct{}), err: new(error)}
	}
	r.ctx, r.outputs, r.inputs = ctx, append(r.outputs, outputs...), append(r.inputs, inputs...)
	r.problems++
	done, err := r.done, r.err
	next, kind := s.next()
	s.lock.Unlock()
	s.pass(next, kind)
	<-done
	return *err
}

// next takes the pass that most problems wait for, if all of them wait; else it returns nil. Those who wait for the
// other kind will soon be more: problems ask for one after the other.
func (s *shared) next() (r *round, kind int) {
	add, score := s.waiting[adding].problems, s.waiting[scoring].problems
	if add+score < s.running || add+score == 0 {
		return nil, 0
	}
	if score > add {
		kind = scoring
	}
	taken := s.waiting[kind]
	s.waiting[kind] = round{}
	return &taken, kind
}

// pass makes a pass, if there is one.
func (s *shared) pass(r *round, kind int) {
	switch {
	case r == nil:
		return
	case kind == adding:
		*r.err = s.Records.Add(r.ctx, r.outputs, r.inputs)
	default:
		*r.err = s.Records.Score(r.ctx, r.outputs, r.inputs)
	}
	close(r.done)
}

// leave takes a problem out, and does not wait for the pass that this may begin.
func (s *shared) leave() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.running--
	r, kind := s.next()
	go s.pass(r, kind)
}
