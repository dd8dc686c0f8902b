package memory

import (
	"sync"
	"unsafe"
)

// largePage is the size of a large page of most systems.
const largePage = 2 << 20

// InLargePages returns a new vector of n entries that are 0, for which Linux is asked for large pages: memory that is
// touched for the first time then costs an interrupt per 2 MB in place of 4 KB, and virtual machines take long for one.
func InLargePages[T any](n int) []T {
	v := make([]T, n)
	begin, size := unsafe.Pointer(unsafe.SliceData(v)), n*int(unsafe.Sizeof(*new(T)))
	if before := -int(uintptr(begin)) & (largePage - 1); size-before >= largePage {
		advise(unsafe.Slice((*byte)(begin), size)[before : before+(size-before)&^(largePage-1)])
	}
	return v
}

// Room is memory for slices that live as long as each other, in large pages. It is safe for concurrent use.
type Room[T any] struct {
	taking sync.Mutex
	free   []T // of the piece begun last
	piece  int // its length: they double
}

// Clone returns a copy of a slice without room for more.
func (r *Room[T]) Clone(s []T) []T {
	r.taking.Lock()
	defer r.taking.Unlock()
	if len(s) > len(r.free) {
		r.piece = max(len(s), min(2*r.piece, 1<<20))
		r.free = InLargePages[T](r.piece)
	}
	clone := r.free[:len(s):len(s)]
	r.free = r.free[len(s):]
	copy(clone, s)
	return clone
}
