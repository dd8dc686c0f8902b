package sharded_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/seqsvm/seqsvm/classify/sharded"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/must"
)

// counted counts passes, and the tables in them.
type counted struct {
	rows
	passes, tables atomic.Int64
}

func (c *counted) Add(ctx context.Context, tables, v [][]float64) error {
	c.passes.Add(1)
	c.tables.Add(int64(len(tables)))
	return c.rows.Add(ctx, tables, v)
}

func (c *counted) Score(ctx context.Context, dst, tables [][]float64) error {
	c.passes.Add(1)
	c.tables.Add(int64(len(tables)))
	return c.rows.Score(ctx, dst, tables)
}

// machines returns problems of one class of several against the rest.
func machines(t *testing.T, n, classes int) []svm.Problem {
	t.Helper()
	all := make([]svm.Problem, classes)
	for m := range all {
		y := make([]float64, n)
		for i := range y {
			if y[i] = -1; i%classes == m {
				y[i] = 1
			}
		}
		p := must.Get(svm.Classify(y, svm.Costs{Positive: float64(m + 1)}))(t)
		all[m] = p
	}
	return all
}

// TestTogether solves machines one by one and side by side.
func TestTogether(t *testing.T) {
	r, _, space, _ := random(90, 6, 10)
	problems := machines(t, len(r), 5)
	for _, solver := range []sharded.Solver{{}} {
		want := make([][]float64, len(problems))
		alone, slowest := &counted{rows: r}, int64(0)
		for m, p := range problems {
			before := alone.passes.Load()
			sol := must.Get(solver.Solve(t.Context(), space, alone, p))(t)
			want[m] = numbers(sol)
			slowest = max(slowest, alone.passes.Load()-before)
		}
		for _, width := range []int{0, 2, 5, 9} {
			records := &counted{rows: r}
			must.Succeed(t, sharded.Together(t.Context(), records, len(problems), width,
				func(ctx context.Context, m int, records sharded.Records) error {
					sol, err := solver.Solve(ctx, space, records, problems[m])
					if err == nil && !slices.Equal(numbers(sol), want[m]) {
						t.Errorf("%+v, %d at a time: machine %d has other bits", solver, width, m)
					}
					return err
				}))
			if got := records.tables.Load(); got != alone.tables.Load() {
				t.Errorf("%+v, %d at a time: %d tables, want %d", solver, width, got, alone.tables.Load())
			}
			got := records.passes.Load()
			if width >= 5 && (got < slowest || 2*got > alone.passes.Load()) {
				t.Errorf("%+v: %d passes of %d, the slowest machine has %d", solver, got, alone.passes.Load(), slowest)
			}
		}
	}
}

func TestTogetherFails(t *testing.T) {
	r, _, space, _ := random(90, 6, 11)
	problems := machines(t, len(r), 4)
	unsolved := errors.New("no solution")
	solve := func(ctx context.Context, m int, records sharded.Records) error {
		if m == 2 {
			return unsolved
		}
		p := problems[m]
		p.Tol = 1e-12
		_, err := sharded.Solver{}.Solve(ctx, space, records, p)
		return err
	}
	if err := sharded.Together(t.Context(), r, 4, 4, solve); !errors.Is(err, unsolved) {
		t.Errorf("error %v, want %v", err, unsolved)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sharded.Together(ended, r, 4, 2, solve); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}
