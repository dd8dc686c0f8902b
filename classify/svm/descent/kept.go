package descent

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/classify/internal/state"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/stringkernel/shard"
)

// SolveShards solves a problem of records in blocks: see package auto. The solution has a Table, and its coefficients
// have the dual value alone.
func (s Solver) SolveShards(
	ctx context.Context, space svm.Space, records shard.Visited, p *dual.Program, kept *state.Saver,
) (svm.Solution, error) {
	rows, err := walkOf(ctx, space, records)
	if err != nil {
		return svm.Solution{}, err
	}
	r, err := s.newRun(ctx, p, rows, nil)
	if err != nil {
		return svm.Solution{}, err
	}
	if err := kept.Begin(ctx, r, true); err != nil {
		return svm.Solution{}, err
	}
	sol, err := r.solve(kept.Unbroken(ctx), kept.Save)
	if err != nil {
		return svm.Solution{}, fmt.Errorf("svm: visiting records: %w", err)
	}
	sol.Table = r.mean.best
	for j := range sol.Table {
		sol.Table[j] /= rows.scale
	}
	return sol, nil
}

// Code moves the state between two passes, from which a run of the same problem goes on to the same bits.
func (r *coordinateRun) Code(c *state.Coder) {
	r.descent.code(c)
	for _, v := range []*float64{&r.excess, &r.multiplier, &r.penalty} {
		c.Float(v)
	}
	c.Floats(r.beta)
	c.Floats(r.table)
	if m := r.mean; m != nil {
		c.Floats(m.table)
		c.Floats(m.best)
		c.Int(&m.taken, math.MaxInt32)
		c.Int(&m.since, 2*len(r.visits.every))
	}
	for _, v := range []*float64{&r.best.Rho, &r.best.Primal, &r.best.Dual, &r.best.Gap} {
		c.Float(v)
	}
}

// Fits reports whether the records are those of a state that was read: the table is that of its coefficients.
func (r *coordinateRun) Fits(ctx context.Context) (bool, error) {
	table, size := make([]float64, len(r.table)), 0.0
	if err := r.rows.sum(ctx, table, r.beta); err != nil {
		return false, err
	}
	for i, b := range r.beta {
		size += float64(math.Abs(b) * math.Sqrt(r.diag[i]))
	}
	for j, t := range r.table {
		if !(math.Abs(t-table[j]) <= 1e-9*size) {
			return false, nil
		}
	}
	return true, nil
}

// code moves the state of a descent between two passes.
func (d *descent) code(c *state.Coder) {
	for _, v := range []*int{&d.certified, &d.passes, &d.stuck, &d.latest} {
		c.Int(v, d.limit+1)
	}
	c.Int(&d.next, int(furthest*float64(d.limit))+soonest)
	for _, v := range []*float64{&d.dual, &d.factor, &d.usual, &d.proved.Primal, &d.proved.Dual, &d.proved.Gap} {
		c.Float(v)
	}
	d.visits.code(c)
}

// code moves which records to visit, and in how many passes, and the state of the random order.
func (v *visits) code(c *state.Coder) {
	active, next := make([]byte, len(v.every)), 0
	for k, i := range v.every {
		if next < len(v.active) && v.active[next] == i {
			active[k] = 1 + v.rests[i]
			next++
		}
	}
	c.Bytes(active)
	v.active = v.active[:0]
	for k, b := range active {
		c.Check(b <= 1+mostRest, "a record has the state %d", b)
		if b > 0 {
			v.active = append(v.active, v.every[k])
			v.rests[v.every[k]] = b - 1
		}
	}
	c.Float(&v.threshold)
	random, err := v.source.MarshalBinary()
	c.Check(err == nil, "%v", err)
	c.Bytes(random)
	if c.Reading() && c.Err() == nil {
		err := v.source.UnmarshalBinary(random)
		c.Check(err == nil, "%v", err)
	}
}
