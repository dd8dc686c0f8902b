package scan

import (
	"container/heap"
	"slices"
)

// Top is a [Sink] that passes on the N best regions, in order; of equal scores the first are the better. Memory is that
// of N regions.
type Top struct {
	N    int
	Next Sink
	// Least, if not nil, is raised to the score that a region needs to be among the best so far. A hit below it cannot
	// be among the best, nor suppress one that is, so that a run need not make it.
	Least *Threshold
	worst worstFirst
}

// Add takes a region.
func (t *Top) Add(r Region) error {
	switch {
	case len(t.worst) < t.N:
		heap.Push(&t.worst, r)
	case better(r, t.worst[0]) < 0:
		t.worst[0] = r
		heap.Fix(&t.worst, 0)
	default:
		return nil
	}
	if t.Least != nil && len(t.worst) == t.N && t.worst[0].Score > t.Least.Value() {
		t.Least.Raise(t.worst[0].Score)
	}
	return nil
}

// End passes on the best.
func (t *Top) End() error {
	slices.SortFunc(t.worst, inOrder)
	for _, r := range t.worst {
		if err := t.Next.Add(r); err != nil {
			return err
		}
	}
	return t.Next.End()
}

// worstFirst is a heap.
type worstFirst []Region

func (h worstFirst) Len() int           { return len(h) }
func (h worstFirst) Less(i, j int) bool { return better(h[i], h[j]) > 0 }
func (h worstFirst) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *worstFirst) Push(x any)        { *h = append(*h, x.(Region)) }
func (h *worstFirst) Pop() any {
	last := len(*h) - 1
	r := (*h)[last]
	*h = (*h)[:last]
	return r
}
