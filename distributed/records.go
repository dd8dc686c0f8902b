package distributed

import (
	"context"
	"io"
	"sync"

	"github.com/seqsvm/seqsvm/internal/ends"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel/shard"
)

var _ shard.Shard = (*records)(nil)

// records is a corpus whose passes are pipelines.
type records struct {
	job    *Job
	corpus corpus
	ends   []int // records in the shards up to each, with it

	mutex  sync.Mutex // one pass at a time
	passes int
}

// Len returns the number of records.
func (r *records) Len() int { return r.ends[len(r.ends)-1] }

// part returns a shard's part of lists of a number per record.
func (r *records) part(lists [][]float64, part int) [][]float64 {
	parts := make([][]float64, len(lists))
	lo, hi := ends.Bounds(r.ends, part)
	for m, list := range lists {
		parts[m] = list[lo:hi]
	}
	return parts
}

// next begins a pass.
func (r *records) next(kind string, vectors int) *pass {
	r.passes++
	return &pass{corpus: r.corpus, Kind: kind, Number: r.passes, Vectors: vectors}
}

// run runs a pass, hands over its answers in the order of the shards and removes its files.
func (r *records) run(ctx context.Context, p *pass, take func(part int) error) error {
	if _, err := r.job.run(ctx, len(r.ends), "pass", p); err != nil {
		return err
	}
	for part := range r.ends {
		if err := take(part); err != nil {
			return err
		}
	}
	return remove(ctx, r.corpus.Scratch+"pass-*")
}

// Add adds the tables of the shards in their order.
func (r *records) Add(ctx context.Context, tables, v [][]float64) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	p := r.next(passAdd, len(v))
	for part := range r.ends {
		if err := r.send(ctx, p.in(part), r.part(v, part)); err != nil {
			return err
		}
	}
	one := scratch.Vectors(len(v), r.corpus.Size)
	return r.run(ctx, p, func(part int) error {
		if err := readNumbers(ctx, p.out(part), one); err != nil {
			return err
		}
		for m, table := range tables {
			vectors.Add(table, one[m])
		}
		return nil
	})
}

// Score scores all records.
func (r *records) Score(ctx context.Context, dst, tables [][]float64) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	p := r.next(passScore, len(tables))
	if err := r.send(ctx, p.in(0), tables); err != nil {
		return err
	}
	return r.run(ctx, p, func(part int) error { return readNumbers(ctx, p.out(part), r.part(dst, part)) })
}

// Norms writes the kernel values of the records with themselves.
func (r *records) Norms(ctx context.Context, dst []float64) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	p := r.next(passNorms, 1)
	return r.run(ctx, p, func(part int) error {
		return readNumbers(ctx, p.out(part), r.part([][]float64{dst}, part))
	})
}

// send writes what workers read.
func (r *records) send(ctx context.Context, path string, numbers [][]float64) error {
	return create(ctx, path, func(w io.Writer) error { return writeNumbers(w, numbers) })
}
