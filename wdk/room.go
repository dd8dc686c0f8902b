package wdk

import (
	"sync"

	"github.com/seqsvm/seqsvm/internal/memory"
)

// room is memory for slices that live as long as each other, in pieces that double up to mostRoom: short slices that
// are made one by one would each be in small pages of their own. It is safe for concurrent use.
type room[T any] struct {
	taking sync.Mutex
	free   []T // of the piece begun last
	piece  int // its length
}

// mostRoom is the greatest length of a piece of several slices.
const mostRoom = 1 << 20

// take returns a slice of n entries that are 0.
func (r *room[T]) take(n int) []T {
	r.taking.Lock()
	defer r.taking.Unlock()
	if n > len(r.free) {
		r.piece = max(n, min(2*r.piece, mostRoom))
		r.free = memory.InLargePages[T](r.piece)
	}
	taken := r.free[:n:n]
	r.free = r.free[n:]
	return taken
}

// copyOf returns a copy of a slice without room for more.
func (r *room[T]) copyOf(s []T) []T {
	out := r.take(len(s))
	copy(out, s)
	return out
}
