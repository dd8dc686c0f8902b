// Package simd has the loops that Go's compiler does not put into vector registers: each in Go and, where the processor
// has the instructions, in assembly with the same bits.
//
// The same bits means: the same operations in the same order on each number. Sums and products round one by one,
// nothing is fused. Prefetch, which changes no value at all, is an instruction on amd64 and nothing elsewhere. What a
// processor offers is found once, at start-up; the build tag purego leaves the loops in Go alone. Lengths are checked
// here, so that the assembly reads and writes what Go would.
package simd
