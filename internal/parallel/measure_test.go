package parallel_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/seqsvm/seqsvm/internal/parallel"
)

func TestMeasureCountsTasksOnProcessors(t *testing.T) {
	var now time.Duration
	loop := func(costs ...time.Duration) func() {
		return func() { parallel.Each(len(costs), func(i int) { now += costs[i] }) }
	}
	for name, c := range map[string]struct {
		f    func()
		want parallel.Work // on 1, 2 and 4
	}{
		"serial":         {func() { now += 7 }, parallel.Work{7, 7, []time.Duration{7, 7, 7}}},
		"equal tasks":    {loop(3, 3, 3, 3), parallel.Work{12, 3, []time.Duration{12, 6, 3}}},
		"by who is free": {loop(5, 1, 1, 1, 4), parallel.Work{12, 5, []time.Duration{12, 7, 5}}},
		"one by one":     {func() { loop(2, 2)(); now += 3; loop(4, 2)() }, parallel.Work{13, 9, []time.Duration{13, 9, 9}}},
		"few tasks":      {loop(9, 9), parallel.Work{18, 9, []time.Duration{18, 9, 9}}},
		"loops in a task": { // 24 of work and 6 in a chain: at most 24/4 + 6·3/4 on four
			func() { parallel.Each(2, func(int) { now += 4; loop(2, 2, 2, 2)() }) },
			parallel.Work{24, 6, []time.Duration{24, 12, 10}},
		},
		"none": {loop(), parallel.Work{0, 0, []time.Duration{0, 0, 0}}},
	} {
		got := parallel.Measure([]int{1, 2, 4}, func() time.Duration { return now }, c.f)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
	whole := parallel.Work{9, 5, []time.Duration{9, 6}}
	if got := whole.Less(parallel.Work{3, 2, []time.Duration{3, 2}}); !reflect.DeepEqual(got,
		parallel.Work{6, 3, []time.Duration{6, 4}}) {
		t.Errorf("less a part: %v", got)
	}
}

func TestMeasureKeepsErrors(t *testing.T) {
	failure := errors.New("task 2 failed")
	ran := 0
	parallel.Measure(nil, func() time.Duration { return 0 }, func() {
		err := parallel.Do(context.Background(), 5, func(i int) error {
			ran++
			if i == 2 {
				return failure
			}
			return nil
		})
		if err != failure || ran != 3 {
			t.Errorf("%v after %d tasks", err, ran)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := parallel.Do(ctx, 5, func(int) error { ran++; return nil }); err != context.Canceled || ran != 3 {
			t.Errorf("%v after %d tasks", err, ran)
		}
	})
}
