package parallel_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

func TestPipelineTakesAndPutsInOrder(t *testing.T) {
	for _, procs := range []int{1, 2, 7} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		for _, n := range []int{0, 1, 3, 500} {
			var taken, put, want []int
			for i := range n {
				want = append(want, i)
			}
			err := parallel.Pipeline(t.Context(), n,
				func(i int) int { taken = append(taken, i); return i * i },
				func(square int) (string, error) {
					time.Sleep(time.Duration(square*square%7) * 10 * time.Microsecond)
					return fmt.Sprint(square), nil
				},
				func(i int, result string) error {
					if result != fmt.Sprint(i*i) {
						t.Errorf("piece %d put %s", i, result)
					}
					put = append(put, i)
					return nil
				})
			if err != nil || !slices.Equal(taken, want) || !slices.Equal(put, want) {
				t.Fatalf("%d pieces: %v, taken %v, put %v", n, err, taken, put)
			}
		}
	}
}

func TestPipelineStopsAtTheFirstError(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for fails, want := range map[[2]int]string{ // pieces whose work and whose put fails
		{5, 1000}: "work 5", {1000, 5}: "put 5", {5, 3}: "put 3", {3, 5}: "work 3", {4, 4}: "work 4",
	} {
		last := -1
		err := parallel.Pipeline(t.Context(), 200,
			func(i int) int { return i },
			func(i int) (int, error) {
				if i == fails[0] {
					return 0, fmt.Errorf("work %d", i)
				}
				time.Sleep(time.Duration(i%3) * 100 * time.Microsecond)
				return i, nil
			},
			func(i, _ int) error {
				if last = i; i == fails[1] {
					return fmt.Errorf("put %d", i)
				}
				return nil
			})
		if err == nil || err.Error() != want || last > min(fails[0], fails[1]) {
			t.Errorf("work of %d and put of %d fail: %v, the last one put is %d", fails[0], fails[1], err, last)
		}
	}
}

func TestPipelineStopsWhenCancelled(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	ctx, stop := context.WithCancel(t.Context())
	put := 0
	err := parallel.Pipeline(ctx, 10_000,
		func(i int) int { return i },
		func(i int) (int, error) {
			if i == 50 {
				stop()
			}
			cancel.Check(ctx)
			return i, nil
		},
		func(int, int) error { put++; return nil })
	if !errors.Is(err, context.Canceled) || put > 100 {
		t.Errorf("%v, %d pieces put", err, put)
	}
}
