package parallel

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

func TestDoRunsEachTaskOnce(t *testing.T) {
	for _, procs := range []int{1, 2, 7} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		for _, n := range []int{0, 1, 3, 1000} {
			count := make([]atomic.Int32, n)
			if err := Do(context.Background(), n, func(i int) error { count[i].Add(1); return nil }); err != nil {
				t.Fatal(err)
			}
			for i := range count {
				if count[i].Load() != 1 {
					t.Fatalf("procs %d, n %d: task %d ran %d times", procs, n, i, count[i].Load())
				}
			}
		}
	}
}

func TestDoStopsAtAnError(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	want := errors.New("task 5 failed")
	const tasks = 100_000
	var ran atomic.Int32
	err := Do(context.Background(), tasks, func(i int) error {
		ran.Add(1)
		if i == 5 {
			return want
		}
		time.Sleep(time.Millisecond) // or the others may be done before a machine under load goes on with task 5
		return nil
	})
	if !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
	if ran.Load() == tasks {
		t.Error("every task was started after the failure")
	}
}

func TestDoStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Do(ctx, 10, func(int) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

func TestAwait(t *testing.T) {
	if v, err := Await(context.Background(), func() (int, error) { return 7, nil }); v != 7 || err != nil {
		t.Errorf("got %v, %v, want 7", v, err)
	}
	failure := errors.New("failure")
	if _, err := Await(context.Background(), func() (int, error) { return 0, failure }); !errors.Is(err, failure) {
		t.Errorf("got %v, want %v", err, failure)
	}
	ctx, cancel := context.WithCancel(context.Background())
	started, release, ended := make(chan bool), make(chan bool), make(chan bool)
	go func() { <-started; cancel() }()
	_, err := Await(ctx, func() (int, error) {
		defer close(ended)
		started <- true
		<-release
		return 1, nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	close(release)
	<-ended // with nobody waiting
}

func TestForCoversEverything(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 65, 1000} {
		seen := make([]int, n)
		For(n, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				seen[i]++
			}
		})
		for i, k := range seen {
			if k != 1 {
				t.Fatalf("n %d: index %d seen %d times", n, i, k)
			}
		}
	}
}
