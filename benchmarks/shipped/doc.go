// Package shipped generates the sets of testdata which the pages of docs use: what is in them is stated here, so that a
// reader knows what a model has to find. Its test compares them with the files, and writes these with -update:
//
//	go test ./benchmarks/shipped -update
//
// The same bytes come out on every platform: random numbers are those of math/rand/v2's PCG.
package shipped
