package main

import (
	"runtime"
	"testing"
	"time"
)

// A heap grows by half where all of it has pointers or where it is small, and by a tenth where nothing has; a calm one
// of 64 MB by a tenth of the half beyond 32.
func TestSlackOf(t *testing.T) {
	for _, c := range []struct {
		live, pointers float64
		calm           bool
		want           float64
	}{
		{1e9, 1e9, false, 0.5}, {1e9, 5e8, false, 0.25}, {1e9, 0, false, 0.1}, {1 << 20, 0, false, 0.5},
		{0, 0, false, 0.5}, {64 << 20, 0, false, 0.125}, {64 << 20, 0, true, 0.05}, {64 << 20, 64 << 20, true, 0.5},
		{40 << 20, 0, true, 0.05},
	} {
		if got := slackOf(c.live, c.pointers, c.calm); got != c.want {
			t.Errorf("%+v: %g", c, got)
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
