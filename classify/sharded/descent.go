package sharded

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/descent"
	"github.com/seqsvm/seqsvm/stringkernel/shard"
)

// visitedOf returns the records one by one, nil if they cannot be visited so.
func visitedOf(records Records) shard.Visited {
	switch r := records.(type) {
	case *part:
		if whole := visitedOf(r.Records); whole != nil {
			return newVisitedPart(r, whole)
		}
	case shard.Visited:
		if r.Blocks() != nil {
			return r
		}
	}
	return nil
}

// descend solves by dual coordinate descent, unless the state that is kept is that of Newton's method, which takes over
// if this leaves a gap; then the solution has no coefficients.
func (s Solver) descend(ctx context.Context, space Space, visited shard.Visited, p svm.Problem, tol float64,
	state *saver) (Solution, error) {
	if state.next().written() {
		return Solution{}, nil
	}
	if progress := p.Progress; progress != nil {
		p.Progress = func(report svm.Progress) { // done only if there is nothing left to do
			report.Done = report.Done && report.Gap <= tol
			progress(report)
		}
	}
	walk, err := newWalk(ctx, space, visited)
	if err != nil {
		return Solution{}, err
	}
	passes := min(cmp.Or(s.MaxIterations, descentPasses), descentPasses)
	d, err := descent.Solver{MaxIterations: passes}.Descent(ctx, walk, p)
	if err != nil {
		return Solution{}, err
	}
	if err := state.begin(ctx, d, true); err != nil {
		return Solution{}, err
	}
	sol, err := d.Solve(state.unbroken(ctx), state.save)
	if err != nil {
		return Solution{}, err
	}
	for j, w := range d.Table() {
		d.Table()[j] = w / walk.scale
	}
	return Solution{
		Table: d.Table(), Rho: sol.Rho, Coef: sol.Coef, Certificate: sol.Certificate, Iterations: sol.Iterations,
		Passes: sol.Iterations + 3*sol.Products, Solver: sol.Solver,
	}, nil
}

// walk is the records of a descent.
type walk struct {
	shard.Cursor
	space   Space
	records shard.Visited
	scale   float64
}

// newWalk finds the scale of tables, by which Filter multiplies one that it has been through.
func newWalk(ctx context.Context, space Space, records shard.Visited) (*walk, error) {
	table := make([]float64, space.Size())
	table[0] = 1
	if err := space.Filter(ctx, table); err != nil {
		return nil, err
	}
	at := slices.IndexFunc(table, func(x float64) bool { return x != 0 })
	once := table[at]
	if err := space.Filter(ctx, table); err != nil {
		return nil, err
	}
	return &walk{records.Cursor(), space, records, table[at] / once}, nil
}

func (w *walk) Width() int { return w.space.Size() }

func (w *walk) Scale() float64 { return w.scale }

func (w *walk) Blocks() []int { return w.records.Blocks() }

func (w *walk) Load(ctx context.Context, blocks []int) error {
	return readError(w.Cursor.Load(ctx, blocks))
}

func (w *walk) Norms(ctx context.Context, dst []float64) error {
	return readError(w.records.Norms(ctx, dst))
}

func (w *walk) Sum(ctx context.Context, table, v []float64) error {
	clear(table)
	if err := w.records.Add(ctx, [][]float64{table}, [][]float64{v}); err != nil {
		return readError(err)
	}
	return w.space.Filter(ctx, table)
}

func (w *walk) Score(ctx context.Context, dst, table []float64) error {
	return readError(w.records.Score(ctx, [][]float64{dst}, [][]float64{table}))
}

// readError says what an error of reading records is.
func readError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("sharded: visiting records: %w", err)
}

// visitedPart is the records of a part, one by one.
type visitedPart struct {
	*part
	whole shard.Visited
	at    []int32 // the number in the whole of each record
	ends  []int
}

func newVisitedPart(p *part, whole shard.Visited) *visitedPart {
	alone := *p
	alone.Records = whole
	v := &visitedPart{part: &alone, whole: whole, at: make([]int32, 0, p.n)}
	from := 0
	for _, end := range whole.Blocks() {
		for i, g := range p.fold[from:end] {
			if g != p.without {
				v.at = append(v.at, int32(from+i))
			}
		}
		v.ends = append(v.ends, len(v.at))
		from = end
	}
	return v
}

func (v *visitedPart) Blocks() []int { return v.ends }

func (v *visitedPart) Cursor() shard.Cursor { return partCursor{v.whole.Cursor(), v.at} }

// Norms implements [shard.Shard].
func (v *visitedPart) Norms(ctx context.Context, dst []float64) error {
	all := make([]float64, len(v.fold))
	err := v.whole.Norms(ctx, all)
	for i, at := range v.at {
		dst[i] = all[at]
	}
	return err
}

// partCursor visits the records of a part by their numbers in it.
type partCursor struct {
	shard.Cursor
	at []int32
}

func (c partCursor) Scatter(table []float64, i int, a float64) {
	c.Cursor.Scatter(table, int(c.at[i]), a)
}

func (c partCursor) Gather(table []float64, i int) float64 {
	return c.Cursor.Gather(table, int(c.at[i]))
}

func (c partCursor) Prefetch(i int) { c.Cursor.Prefetch(int(c.at[i])) }
