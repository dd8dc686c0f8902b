package shard

import "context"

// Visited is a Shard whose records can be visited one by one, unless the Strands of its space are 0: see
// [compose.Space].
type Visited interface {
	Shard
	// Blocks returns the number of records up to the end of each block of neighbours; nil if they cannot be visited.
	Blocks() []int
	// Cursor returns what visits records, for one goroutine. There must be Blocks.
	Cursor() Cursor
}

// Cursor visits the records of some blocks at a time, in any order. Records are numbered as those of the shard.
type Cursor interface {
	// Load makes blocks, in ascending order, those whose records can be visited. The error is that of ctx or of
	// reading.
	Load(ctx context.Context, blocks []int) error
	// Scatter adds a times the features of a record to a filtered table.
	Scatter(table []float64, i int, a float64)
	// Gather returns ⟨table, φ(x_i)⟩ of a filtered table.
	Gather(table []float64, i int) float64
	// Prefetch asks for some of a record, so that visiting it soon finds it in the caches.
	Prefetch(i int)
}
