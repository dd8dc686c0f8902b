package shard

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// Memory is a shard of a corpus in memory. It takes 8 bytes per record besides.
type Memory struct {
	kernel stringkernel.Kernel
	space  compose.Space
	corpus *stringkernel.Corpus
	scale  []float64 // of each record
}

// NewMemory returns the records of c in the space of a compiled kernel, with their scales. The error is that of ctx, or
// says that the kernel has no [compose.Space].
func NewMemory(ctx context.Context, k stringkernel.Kernel, c *stringkernel.Corpus) (s *Memory, err error) {
	defer cancel.Catch(&err)
	space := compose.SpaceOf(k)
	if space == nil {
		return nil, fmt.Errorf("shard: the features of %T do not fold into a table", k)
	}
	s = &Memory{k, space, c, make([]float64, c.Len())}
	parallel.EachContext(ctx, c.Len(), func(i int) { s.scale[i] = space.Scale(c.Seq(i)) })
	return s, nil
}

// Len returns the number of sequences.
func (s *Memory) Len() int { return s.corpus.Len() }

// Add adds the features of one record after another, on one thread: divide a corpus into a [List] to use more.
func (s *Memory) Add(ctx context.Context, tables, v [][]float64) (err error) {
	defer cancel.Catch(&err)
	for i, scale := range s.scale {
		cancel.Check(ctx)
		for m, table := range tables {
			if a := float64(v[m][i] * scale); a != 0 {
				s.space.Scatter(table, s.corpus.Seq(i), a)
			}
		}
	}
	return nil
}

// Score scores all records, on all threads.
func (s *Memory) Score(ctx context.Context, dst, tables [][]float64) (err error) {
	defer cancel.Catch(&err)
	parallel.EachContext(ctx, s.Len(), func(i int) {
		for m, table := range tables {
			dst[m][i] = s.space.Gather(table, s.corpus.Seq(i)) * s.scale[i]
		}
	})
	return nil
}

// Norms writes the values of the kernel.
func (s *Memory) Norms(ctx context.Context, dst []float64) (err error) {
	defer cancel.Catch(&err)
	parallel.EachContext(ctx, s.Len(), func(i int) {
		dst[i] = compose.SelfScaled(s.kernel, s.space, s.scale[i], func() []byte { return s.corpus.Seq(i) })
	})
	return nil
}
