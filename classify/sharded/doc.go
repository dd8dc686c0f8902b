// Package sharded trains on records that need not be in memory, nor in one place: a file of packed letters, or the
// machines of a cluster. All that it asks of them is two walks ([Records]): add the features of weighted records into a
// table, and score the records with a table. Packages stringkernel/shard and stringkernel/compose have both for every
// kernel that folds into a table.
//
// Where records can also be visited one by one ([shard.Visited]), that is, where tables have no filter but that of both
// strands, hinges are solved by [svm.DualCoordinate]: the descent of records in memory, whose rows are then read block
// by block. It takes 64 bytes per record and six tables, a pass of visits is one pass over the file, and Newton's
// method takes over from it after 300 passes.
//
// Hinges of one bias are solved by Newton's method otherwise, in proximal steps of the dual: the coefficients are
// always feasible, so each step is certified. Its equations are solved by conjugate residuals, whose products visit the
// records with a coefficient between its bounds ([shard.AddSquares]), or some of them for all where they are many. A
// step is two passes over the records besides; 20 to 50 steps are a gap of 1e-3 at C = 1, 70 one of 1e-5. With tables
// of D entries it takes 12·8 D + 40 n bytes, and the labels. Where rounding is in its way, or the optimum is 0, cutting
// planes take over.
//
// For other risks the problem, its certificate and the algorithm are those of [svm.CuttingPlane]. What differs is where
// its points live. There, a plane is a coefficient for each of n records and their product with the matrix; here it is
// a table Σ_i a_i φ(x_i), and inner products are those of tables. So an iteration is one pass of each kind over the
// records: their scores by the reduced solution, from which the losses, the bias and the next coefficients follow, and
// then the table of these.
//
//	memory   8 D (planes + 6) + 24 n bytes, and the labels   (in coefficients: 9 n · planes + 100 n)
//	time     2 passes, 2 D · planes and about 50 n operations per iteration
//
// Planes are 30 to 200 at C = 1. There are no coefficients of records in the end, but a table: that of a merged model.
//
// # Losses and biases
//
// The losses, and the derivatives of risks that have them, are sums over parts of a fixed number of records, added in
// order. The bias of hinges is an exact weighted quantile of as many breakpoints as there are records: a digest counts
// them by buckets, and a second pass over the scores collects those of the bucket where the slope turns
// ([risk.Divided]). Neither depends on how records are divided among shards: the same tables and scores give the same
// bits. The tables themselves depend on that in the last bits if their sums do, as those of package shard.
//
// # Several problems
//
// The machines of one training, such as those of each class against the rest, share passes: [Together]. Each descent
// visits the records by itself. A run that may be interrupted keeps its state in a [Checkpoint].
package sharded
