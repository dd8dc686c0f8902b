// Package rows is kernels of explicit features: rows φ(x_i) of a corpus as lists of numbered features with values, 12
// bytes per entry, the Gram matrix on them, and their sums with coefficients, which are what a scorer looks up. A
// kernel whose features are numbered as they are met says how its records are read ([Features], [Reader]), and is a
// [Kernel].
//
//	features.go     what a kernel says of its features: Features and Reader
//	rows.go         Rows: the features of each record
//	columns.go      Columns: the records of each feature
//	occurrences.go  a feature for each occurrence, where counts are seen through a function
//	vocabulary.go   rows of features that have names
//	gram.go         Gram: the matrix of rows
//	weights.go      weights of features: their sums, and a table of them
//	lists.go        weights in less memory, where few support vectors have a feature
//	scorer.go       Scorer: scores by weights
//	table.go        a scorer whose weights are added to, for machines that learn by it
//	kernel.go       Kernel: all of these from a Reader; how a corpus is listed
package rows
