// Package table is the engine of features that have numbers: lists of them record by record, with a scatter onto a
// table of all features and a gather from it; the same by feature; and the k-mers of a corpus sorted. It knows no
// kernel.
//
//	list.go      List: the features of each record
//	postings.go  Postings: the records of each feature
//	lister.go    Lister: makes Postings feature by feature; Chunks: a list that grows in pieces
//	sorted.go    SortedKmers: k-mers in order, each with its records
package table
