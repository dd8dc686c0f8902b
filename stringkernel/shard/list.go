package shard

import (
	"context"

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
