package scratch

import "sync"

// Vectors returns m vectors of length n in one piece of memory.
func Vectors(m, n int) [][]float64 {
	all, out := make([]float64, m*n), make([][]float64, m)
	for i := range out {
		out[i] = all[i*n : (i+1)*n : (i+1)*n]
	}
	return out
}

// Borrow takes a vector of length n from a pool. Its content is arbitrary.
func Borrow(p *sync.Pool, n int) *[]float64 { return BorrowOf[float64](p, n) }

// BorrowOf is Borrow for entries of any type.
func BorrowOf[T any](p *sync.Pool, n int) *[]T {
	v, _ := p.Get().(*[]T)
	if v == nil {
		v = new([]T)
	}
	*v = Resize(*v, n)
	return v
}

// Resize returns a vector of length n, in v's memory where that suffices. Its content is arbitrary.
func Resize[T any](v []T, n int) []T {
	if cap(v) < n {
		return make([]T, n)
	}
	return v[:n]
}

// Pool holds the vectors that one call of TrackTo needs beside dst.
var Pool sync.Pool // *[]float64
