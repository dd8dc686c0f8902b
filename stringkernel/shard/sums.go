package shard

import (
	"context"
	"runtime"

	"github.com/seqsvm/seqsvm/internal/vectors"
)

// sums are tables that parts are added to in the order of their numbers, whichever is done first.
type sums struct {
	tables [][]float64
	turns  []chan struct{}  // turns[i] is closed when part i may be added
	free   chan [][]float64 // tables that parts were in
}

func newSums(tables [][]float64, parts int) *sums {
	s := &sums{tables, make([]chan struct{}, parts+1), make(chan [][]float64, runtime.GOMAXPROCS(0))}
	for i := range s.turns {
		s.turns[i] = make(chan struct{})
	}
	close(s.turns[0])
	return s
}

// add has fill make part i, in tables of zeros, and adds it after the parts before. The error is that of fill or of
// ctx.
func (s *sums) add(ctx context.Context, i int, fill func(part [][]float64) error) error {
	part := s.take()
	if err := fill(part); err != nil {
		return err
	}
	select {
	case <-s.turns[i]:
	case <-ctx.Done():
		return ctx.Err()
	}
	for m, table := range s.tables {
		vectors.Add(table, part[m])
	}
	close(s.turns[i+1])
	select {
	case s.free <- part:
	default:
	}
	return nil
}

// take returns tables of zeros, of those that are free or new.
func (s *sums) take() [][]float64 {
	select {
	case part := <-s.free:
		for _, table := range part {
			clear(table)
		}
		return part
	default:
		part := make([][]float64, len(s.tables))
		for m, table := range s.tables {
			part[m] = make([]float64, len(table))
		}
		return part
	}
}
