// Package shard is a corpus in parts that need not be in memory, nor on one machine: the two walks of package
// stringkernel, scatter and gather, on tables of numbers instead of an index.
//
// A vector of the feature space of a kernel with a [compose.Space] is a table. A [Shard] is some records. It can add
// their features, each times a coefficient, to a table, and score them against one. So a product f = K·v over shards
// anywhere is
//
//	table := make([]float64, space.Size())
//	err := corpus.Add(ctx, [][]float64{table}, [][]float64{v})      // t = Σ_i v_i φ(x_i)
//	err = space.Filter(ctx, table)                                  // w = A·t, once
//	err = corpus.Score(ctx, [][]float64{f}, [][]float64{table})     // f_i = ⟨w, φ(x_i)⟩
//
// and of u and v with tables t_u and t_v, uᵀKv is the inner product of t_u and A·t_v: a cutting plane may be kept as a
// table in place of n coefficients. Nothing else travels between the shards and the solver: tables, and
// numbers per record.
//
// Package packed has shards of packed letters, in memory or in a file. [List] is a shard made of shards, which adds
// their tables in the order of the list. A job of a cluster can be a Shard, too.
//
// # Bits
//
// A table depends on how records are divided into shards, in its last bits, and on nothing else: not on the number of
// threads, nor on which shard is done first. Scores of one table do not depend on the division.
//
// # Cost
//
// A table of gapped k-mers of l letters of DNA, or of spectrum k-mers, takes 8·4^l bytes: 0.5 MB for 8 letters, 8 MB
// for 10, 128 MB for 12. A List holds one table more per thread and vector while it adds.
//
// # Files
//
//	shard.go    Shard
//	list.go     List: a shard of shards, whose tables are added up in a fixed order; AddSquares of Newton's method
//	visited.go  Visited and Cursor: records one by one, for dual coordinate descent
package shard
