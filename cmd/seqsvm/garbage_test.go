package main

import (
	"runtime"
	"testing"
	"time"
)

// A heap grows by half where all of it has pointers, by a tenth where nothing has, and by 8 MB at least, though no more
// than to three times its size; a calm one of 64 MB by a tenth of the half beyond 32.
func TestSlackOf(t *testing.T) {
	for _, c := range []struct {
		live, pointers float64
		calm           bool
		want           float64
	}{
		{1e9, 1e9, false, 0.5}, {1e9, 5e8, false, 0.25}, {1e9, 0, false, 0.1}, {1 << 20, 0, false, 2},
		{0, 0, false, 2}, {8 << 20, 8 << 20, false, 1}, {64 << 20, 0, false, 0.125}, {64 << 20, 0, true, 0.05},
		{64 << 20, 64 << 20, true, 0.5},
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
