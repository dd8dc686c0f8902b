package auto_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/auto"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel/shard"
)

// visited are rows that can be visited one by one, ten to a block.
type visited struct{ rows }

func (v visited) Blocks() (ends []int) {
	for end := 10; end < len(v.rows)+10; end += 10 {
		ends = append(ends, min(end, len(v.rows)))
	}
	return ends
}

func (v visited) Cursor() shard.Cursor { return &visitor{rows: v.rows} }

// visitor panics if a record that is not loaded is asked for.
type visitor struct {
	rows
	loaded map[int][]float64
}

func (v *visitor) Load(ctx context.Context, blocks []int) error {
	v.loaded = map[int][]float64{}
	for _, b := range blocks {
		for i := 10 * b; i < min(10*b+10, len(v.rows)); i++ {
			v.loaded[i] = v.rows[i]
		}
	}
	return ctx.Err()
}

func (v *visitor) Scatter(table []float64, i int, a float64) { floats.AddScaled(table, a, v.loaded[i]) }

func (v *visitor) Prefetch(int) {}

func (v *visitor) Gather(table []float64, i int) float64 { return floats.Dot(table, v.loaded[i]) }

// visits returns records in a number of shards that can be visited.
func visits(r rows, parts int) shard.Shard { return visitedList{split(r, parts), visited{r}} }

// visitedList is a list whose records can be visited.
type visitedList struct {
	shard.List
	whole visited
}

func (v visitedList) Blocks() []int { return v.whole.Blocks() }

func (v visitedList) Cursor() shard.Cursor { return v.whole.Cursor() }

// plain is the space of features without a filter.
func plain(size int) metric {
	identity := mat.NewSymDense(size, nil)
	for i := range size {
		identity.SetSym(i, i, 1)
	}
	return metric{identity}
}

// shifted returns short records with labels, none of whose convex combinations is 0.
func shifted(n, size int, seed uint64) (rows, []float64) {
	r, y, _, _ := random(n, size, seed)
	for _, row := range r {
		row[size-1] += 3
		floats.Scale(0.3, row)
	}
	return r, y
}

// TestRecordsLeftOut has records of weight 0, visited one by one or not.
func TestRecordsLeftOut(t *testing.T) {
	r, y := shifted(90, 50, 12)
	space := plain(50)
	var rest rows
	var labels []float64
	weights := make([]float64, len(y))
	for i := range r {
		if i*i%3 != 1 {
			weights[i] = y[i]
			rest, labels = append(rest, r[i]), append(labels, y[i])
		}
	}
	for _, name := range []string{"hinge", "squared hinge", "hinge without a bias"} {
		part, whole := problems(labels)[name], problems(y)[name]
		part.Tol, whole.Tol, whole.Weights = 1e-9, 1e-9, weights
		want := must.Get(smo.Solver{}.Solve(t.Context(), gram(rest, space), part))(t)
		for solver, records := range map[string]shard.Shard{"dual-coordinate": visits(r, 4), "newton": split(r, 4)} {
			got := must.Get(auto.Tables{}.Solve(t.Context(), space, records, whole))(t)
			if name == "hinge" && got.Solver != solver || math.Abs(got.Primal-want.Primal) > 1e-8*want.Primal {
				t.Errorf("%s: %s has the primal value %v, want %v by %s", name, got.Solver, got.Primal, want.Primal, solver)
			}
		}
	}
}

// TestDescentResumes goes on from every state to the same bits, on any number of threads: by descent, and by Newton's
// method that takes over where there are few features.
func TestDescentResumes(t *testing.T) {
	for _, size := range []int{60, 4} {
		r, y := shifted(100, size, 13)
		space := plain(size)
		for name, p := range problems(y) {
			p.Tol = 1e-6
			if size == 4 && p.Sum == 0 {
				p.Costs = svm.Costs{Positive: 300, Negative: 200}
			}
			var reports []svm.Progress
			p.Progress = func(report svm.Progress) { reports = append(reports, report) }
			solve := func(c *svm.Checkpoint) svm.Solution {
				sol, err := auto.Tables{Checkpoint: c}.Solve(t.Context(), space, visits(r, 3), p)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				return sol
			}
			first := solve(nil)
			want := numbers(first)
			if size == 4 && name == "hinge" && first.Solver != "newton" {
				t.Errorf("%s: %s leaves no gap", name, first.Solver)
			}
			if done := slices.IndexFunc(reports, func(r svm.Progress) bool { return r.Done }); done != len(reports)-1 {
				t.Errorf("%s: report %d of %d says that it is the last", name, done+1, len(reports))
			}
			var all store
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
			if got := numbers(solve(&svm.Checkpoint{Store: &all, Every: 1})); !slices.Equal(got, want) {
				t.Fatalf("%s: %v with a checkpoint, %v without", name, got, want)
			}
			for i := 0; i < len(all.states); i += 1 + len(all.states)/2 {
				from := store{all.states[i : i+1 : i+1]}
				got := numbers(solve(&svm.Checkpoint{Store: &from, Every: time.Hour}))
				if !slices.Equal(got, want) {
					t.Errorf("%s: %v from state %d of %d, want %v", name, got, i, len(all.states), want)
				}
			}
		}
	}
}

// TestForeignDescents names what does not fit: other norms, or other records with the same ones.
func TestForeignDescents(t *testing.T) {
	r, y := shifted(80, 5, 14)
	space := plain(5)
	p := must.Get(svm.Classify(y, svm.Costs{}))(t)
	p.Tol = 1e-9
	var kept store
	solve := func(r rows, p svm.Problem, every time.Duration) error {
		c := &svm.Checkpoint{Store: &kept, Every: every}
		_, err := auto.Tables{Checkpoint: c}.Solve(t.Context(), space, visits(r, 2), p)
		return err
	}
	must.Succeed(t, solve(r, p, 1))
	mirrored := make(rows, len(r))
	for i, row := range r {
		mirrored[i] = slices.Clone(row)
		floats.Scale(-1, mirrored[i])
	}
	costs := p
	costs.Costs.Positive = 2
	for name, err := range map[string]error{
		"other records": solve(mirrored, p, time.Hour), "other norms": solve(r[1:], weightless(p), time.Hour),
		"other costs": solve(r, costs, time.Hour),
	} {
		var refused *svm.CheckpointError
		if !errors.As(err, &refused) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// weightless is a problem without its first record.
func weightless(p svm.Problem) svm.Problem {
	p.Linear, p.Weights = p.Linear[1:], p.Weights[1:]
	return p
}

// TestDescentErrors cancels a descent, and has it fail.
func TestDescentErrors(t *testing.T) {
	r, y := shifted(40, 5, 15)
	p := must.Get(svm.Classify(y, svm.Costs{}))(t)
	ctx, cancel := context.WithCancel(t.Context())
	p.Tol, p.Progress = 1e-12, func(svm.Progress) { cancel() }
	if _, err := (auto.Tables{}).Solve(ctx, plain(5), visits(r, 2), p); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	unreadable := errors.New("no such file")
	records := unscored{visited{r}, unreadable}
	if _, err := (auto.Tables{}).Solve(t.Context(), plain(5), records, p); !errors.Is(err, unreadable) {
		t.Errorf("records that cannot be read: %v", err)
	}
}

// unscored cannot be scored.
type unscored struct {
	visited
	err error
}

func (u unscored) Score(context.Context, [][]float64, [][]float64) error { return u.err }
