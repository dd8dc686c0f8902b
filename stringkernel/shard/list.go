package shard

import (
	"context"
	"runtime"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// List is the records of shards, one after another: those of shard 0 come first.
type List []Shard

// Len returns the number of records of all shards.
func (l List) Len() (n int) {
	for _, s := range l {
		n += s.Len()
	}
	return n
}

// Add adds up the tables of the shards in the order of the list. A thread has tables of its own.
func (l List) Add(ctx context.Context, tables, v [][]float64) error {
	return l.sum(ctx, tables, v, func(ctx context.Context, s Shard, tables, v [][]float64) error {
		return s.Add(ctx, tables, v)
	})
}

// sum adds what add makes of each shard, given its part of v, to tables. Shards whose part is 0 are passed over.
func (l List) sum(ctx context.Context, tables, v [][]float64,
	add func(ctx context.Context, s Shard, tables, v [][]float64) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	parts := l.parts(v)
	wanted := nonzero(parts)
	sums := newSums(tables, len(wanted))
	err := parallel.Do(ctx, len(wanted), func(turn int) error {
		i := wanted[turn]
		err := sums.add(ctx, turn, func(own [][]float64) error { return add(ctx, l[i], own, parts[i]) })
		if err != nil {
			stop(err) // shards that wait for their turn
		}
		return err
	})
	if err != nil {
		return context.Cause(ctx) // what stopped the others
	}
	return nil
}

// nonzero returns the numbers of the parts of vectors that are not 0.
func nonzero(parts [][][]float64) (list []int) {
	zero := make([]bool, len(parts))
	parallel.Each(len(parts), func(i int) { zero[i] = vectors.Zero(parts[i]...) })
	for i, z := range zero {
		if !z {
			list = append(list, i)
		}
	}
	return list
}

// Score scores the records of all shards.
func (l List) Score(ctx context.Context, dst, tables [][]float64) error {
	return l.each(ctx, dst, func(i int, dst [][]float64) error { return l[i].Score(ctx, dst, tables) })
}

// Norms writes those of the records of all shards.
func (l List) Norms(ctx context.Context, dst []float64) error {
	return l.each(ctx, [][]float64{dst}, func(i int, dst [][]float64) error { return l[i].Norms(ctx, dst[0]) })
}

// each calls task for every shard, in parallel, with its part of v.
func (l List) each(ctx context.Context, v [][]float64, task func(i int, part [][]float64) error) error {
	parts := l.parts(v)
	return parallel.Do(ctx, len(l), func(i int) error { return task(i, parts[i]) })
}

// parts returns, for each shard, its part of vectors that have an entry per record.
func (l List) parts(v [][]float64) [][][]float64 {
	parts := make([][][]float64, len(l))
	from := 0
	for i, s := range l {
		to := from + s.Len()
		parts[i] = make([][]float64, len(v))
		for m := range v {
			parts[i][m] = v[m][from:to:to]
		}
		from = to
	}
	return parts
}

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

// Squares is an option of a Shard that can leave records out of a pass.
type Squares interface {
	// AddSquares adds Σ_i weights[i]·⟨table, φ(x_i)⟩·φ(x_i) to dst, in the time of the records whose weight is not 0.
	AddSquares(ctx context.Context, dst, table, weights []float64) error
}

// AddSquares adds the product of Σ_i weights[i] φ(x_i) φ(x_i)ᵀ and a filtered table to dst, another table: Σ_i
// weights[i]·⟨table, φ(x_i)⟩·φ(x_i). See [Squares].
func AddSquares(ctx context.Context, records Shard, dst, table, weights []float64) error {
	if r, ok := records.(Squares); ok {
		return r.AddSquares(ctx, dst, table, weights)
	}
	f := make([]float64, records.Len())
	if err := records.Score(ctx, [][]float64{f}, [][]float64{table}); err != nil {
		return err
	}
	parallel.For(len(f), func(lo, hi int) {
		for i, w := range weights[lo:hi] {
			f[lo+i] *= w
		}
	})
	return records.Add(ctx, [][]float64{dst}, [][]float64{f})
}

// AddSquares adds up the products of the shards in the order of the list.
func (l List) AddSquares(ctx context.Context, dst, table, weights []float64) error {
	return l.sum(ctx, [][]float64{dst}, [][]float64{weights},
		func(ctx context.Context, s Shard, dst, weights [][]float64) error {
			return AddSquares(ctx, s, dst[0], table, weights[0])
		})
}
