package scratch_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/seqsvm/seqsvm/internal/scratch"
)

// Entries survive collections of garbage, and no two callers hold the same one.
func TestKept(t *testing.T) {
	var pool scratch.Kept
	one, two := scratch.Borrow(&pool, 5), scratch.Borrow(&pool, 7)
	if len(*one) != 5 || len(*two) != 7 || one == two {
		t.Fatalf("vectors of %d and %d entries, want 5 and 7", len(*one), len(*two))
	}
	(*one)[0], (*two)[0] = 1, 2
	pool.Put(one)
	pool.Put(two)
	runtime.GC()
	runtime.GC()
	var wait sync.WaitGroup
	lent := make([]*[]float64, 3)
	for i := range lent {
		wait.Go(func() { lent[i] = scratch.Borrow(&pool, 4) })
	}
	wait.Wait()
	marks := map[float64]int{}
	for _, v := range lent {
		marks[(*v)[0]]++
	}
	if marks[0] != 1 || marks[1] != 1 || marks[2] != 1 {
		t.Errorf("vectors by their first entry: %v, want one with 0, 1 and 2 each", marks)
	}
}
