// Package sharded trains on records that need not be in memory, nor in one place: a file of packed letters, or the
// machines of a cluster. All that it asks of them is two walks ([Records]): add the features of weighted records into a
// table, and score the records with a table. Packages stringkernel/shard and stringkernel/compose have both for every
// kernel that folds into a table. The problems are those of hinges, with the certificates of package svm.
//
// Where records can also be visited one by one ([shard.Visited]), that is, where tables have no filter but that of both
// strands, they are solved by [descent.Solver]: the descent of records in memory, whose rows are then read block
// by block. It takes 64 bytes per record and six tables, a pass of visits is one pass over the file, and Newton's
// method takes over from it after 300 passes.
//
// Others are solved by Newton's method, in proximal steps of the dual: the coefficients are always feasible, so each
// step is certified. Its equations are solved by conjugate residuals, whose products visit the records with a
// coefficient between its bounds ([shard.AddSquares]). A step is two passes over the records besides; 20 to 50 steps are a gap of 1e-3 at C = 1, 70 one of 1e-5. With tables of D entries
// it takes 12·8 D + 40 n bytes, and the labels.
//
// Losses are sums over parts of a fixed number of records, added in order, and the bias is an exact weighted quantile
// ([risk.Hinges]): neither depends on how records are divided among shards. The tables themselves depend on that in the
// last bits if their sums do, as those of package shard.
//
// A run that may be interrupted keeps its state in a [Checkpoint].
package sharded
