package shard

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// Shard is some records of a corpus, numbered from 0, and their features in a [compose.Space]. Its methods may be
// called from several goroutines; their errors are those of ctx or of reading records, and the output is of no use
// then.
type Shard interface {
	// Len returns the number of records.
	Len() int
	// Add adds Σ_i v[m][i]·φ(x_i) to tables[m], for every m in one pass over the records. tables[m] has an entry for
	// each of the space, v[m] one for each record.
	Add(ctx context.Context, tables, v [][]float64) error
	// Score writes ⟨tables[m], φ(x_i)⟩ into dst[m][i], for every m in one pass over the records. Tables of added
	// features are filtered before, by the Filter of the space.
	Score(ctx context.Context, dst, tables [][]float64) error
	// Norms writes the kernel values k(x_i, x_i), which are 1, or 0 without features, where features are normalised. It
	// may take much longer than a Score.
	Norms(ctx context.Context, dst []float64) error
}

// Product writes K·v[m] into dst[m], for every m: Add, Filter and Score. It takes a table for each m.
func Product(ctx context.Context, space compose.Space, records Shard, dst, v [][]float64) error {
	tables := scratch.Vectors(len(v), space.Size())
	if err := records.Add(ctx, tables, v); err != nil {
		return err
	}
	for _, table := range tables {
		if err := space.Filter(ctx, table); err != nil {
			return err
		}
	}
	return records.Score(ctx, dst, tables)
}

// Inner returns Σ_j a_j·b_j of tables of the same size, with the same bits on every machine. It is the inner product of
// two vectors of features if one of the tables is filtered and the other is not.
func Inner(a, b []float64) float64 { return vectors.Dot(a, b) }
