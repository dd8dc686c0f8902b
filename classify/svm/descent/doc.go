// Package descent solves problems of hinges by dual coordinate descent, on records visited one by one.
//
//	solver.go         Solver: two-class problems, of a Gram matrix or of shards
//	coordinaterun.go  its visits of records and its certificates
//	mean.go           the mean of the latest points, which is certified of many records
//	crammersinger.go  CrammerSinger: several classes at once
//	multiclassrun.go  its visits of records and its certificates
//	rows.go           the records that Solver visits: rows of a matrix, or shards
//	visits.go         which records a pass visits, and in what order
//	descent.go        what both solvers share: passes, and when to certify
//	checkpoint.go     the state of a descent, saved and restored
package descent
