package stringkernel

import "sync"

// vectors returns m vectors of length n in one piece of memory.
func vectors(m, n int) [][]float64 {
	all, out := make([]float64, m*n), make([][]float64, m)
	for i := range out {
		out[i] = all[i*n : (i+1)*n : (i+1)*n]
	}
	return out
}

// borrow takes a vector of length n from a pool. Its content is arbitrary.
func borrow(p *sync.Pool, n int) *[]float64 {
	v, _ := p.Get().(*[]float64)
	if v == nil {
		v = new([]float64)
	}
	*v = resize(*v, n)
	return v
}

// resize returns a vector of length n, in v's memory where that suffices. Its content is arbitrary.
func resize(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}

// trackPool holds the vectors that one call of TrackTo needs beside dst.
var trackPool sync.Pool // *[]float64
