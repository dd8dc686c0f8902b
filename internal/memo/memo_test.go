package memo

import (
	"sync"
	"testing"
)

func TestCache(t *testing.T) {
	c := Cache[int, int]{Most: 10}
	built := 0
	square := func(i int) int {
		return c.Get(i, func() int {
			built++
			return i * i
		})
	}
	for range 3 {
		for i := range 10 {
			if got := square(i); got != i*i {
				t.Fatalf("%d² = %d", i, got)
			}
		}
	}
	if built != 10 || c.Len() != 10 {
		t.Errorf("%d values built and %d kept, want 10", built, c.Len())
	}
	for i := range 1000 {
		if got := square(i); got != i*i || c.Len() > 10 {
			t.Fatalf("%d² = %d with %d values kept, want at most 10", i, got, c.Len())
		}
	}
}

// TestCacheIsConcurrent is for the race detector, too. However goroutines meet, there are never more values than asked for.
func TestCacheIsConcurrent(t *testing.T) {
	const goroutines = 8
	c := Cache[int, int]{Most: 50}
	var wait sync.WaitGroup
	for g := range goroutines {
		wait.Go(func() {
			for i := range 5000 {
				key := (i*7 + g*31) % 200
				if got := c.Get(key, func() int { return -key }); got != -key {
					t.Errorf("value of %d is %d", key, got)
				}
			}
		})
	}
	wait.Wait()
	if n := c.Len(); n > 50 {
		t.Errorf("%d values kept, want at most 50", n)
	}
}

// TestCacheIsNeverTooFull has goroutines add values of their own at one time.
func TestCacheIsNeverTooFull(t *testing.T) {
	const goroutines, most = 8, 2
	for range 500 {
		c := Cache[int, int]{Most: most}
		var missed, done sync.WaitGroup
		missed.Add(goroutines)
		for g := range goroutines {
			done.Go(func() {
				c.Get(g, func() int {
					missed.Done()
					missed.Wait() // for all others to miss their keys, too
					return g
				})
			})
		}
		done.Wait()
		if n := c.Len(); n > most {
			t.Fatalf("%d values kept, want at most %d", n, most)
		}
	}
}
