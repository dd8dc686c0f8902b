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

// TestCacheIsConcurrent is for the race detector, too.
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
	if n := c.Len(); n > 50+goroutines {
		t.Errorf("%d values kept, want about 50", n)
	}
}
