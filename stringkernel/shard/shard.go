package shard

import "context"

// Shard is some records of a corpus, numbered from 0, and their features in a Space of package compose. Its methods may
// be called from several goroutines; their errors are those of ctx or of reading records, and the output is of no use
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
