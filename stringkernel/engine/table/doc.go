// Package table is the engine of features that have numbers: lists of them record by record, with a scatter onto a table
// of all features and a gather from it; the same by feature; and the k-mers of a corpus sorted. It knows no kernel.
package table
