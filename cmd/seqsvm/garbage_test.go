package main

import (
	"runtime"
	"testing"
	"time"
)

// A heap grows by half where all of it has pointers or where it is small, and by a tenth where nothing has.
func TestSlackOf(t *testing.T) {
	for _, c := range []struct{ live, pointers, want float64 }{
		{1e9, 1e9, 0.5}, {1e9, 5e8, 0.25}, {1e9, 0, 0.1}, {1 << 20, 0, 0.5}, {0, 0, 0.5}, {64 << 20, 0, 0.125},
	} {
		if got := slackOf(c.live, c.pointers); got != c.want {
			t.Errorf("%g bytes, %g with pointers: %g, want %g", c.live, c.pointers, got, c.want)
		}
	}
}

func TestAfterEachCollection(t *testing.T) {
	calls := make(chan struct{}, 100)
	afterEachCollection(func() { calls <- struct{}{} })
	for range 3 {
		runtime.GC()
		select {
		case <-calls:
		case <-time.After(time.Minute):
			t.Fatal("no call after a collection")
		}
	}
}
