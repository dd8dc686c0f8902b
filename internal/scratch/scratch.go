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

// Lender is a pool of vectors: a [sync.Pool] or [Kept].
type Lender interface {
	Get() any
	Put(x any)
}

// Kept is a pool whose entries stay as long as it lives, as many as were ever in use at once. It is for large vectors
// that are needed again and again: a sync.Pool keeps entries for each processor and drops them when garbage is
// collected, and a new vector has to be cleared.
type Kept struct {
	mutex sync.Mutex
	idle  []any
}

// Get removes an entry and returns it, or returns nil if the pool is empty.
func (k *Kept) Get() any {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	last := len(k.idle) - 1
	if last < 0 {
		return nil
	}
	x := k.idle[last]
	k.idle = k.idle[:last]
	return x
}

// Put gives back an entry, or adds one.
func (k *Kept) Put(x any) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.idle = append(k.idle, x)
}

// Borrow takes a vector of length n from a pool. Its content is arbitrary.
func Borrow(p Lender, n int) *[]float64 { return BorrowOf[float64](p, n) }

// BorrowOf is Borrow for entries of any type.
func BorrowOf[T any](p Lender, n int) *[]T {
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
