package descent

import (
	"context"
	"math"

	"github.com/seqsvm/seqsvm/classify/internal/state"
)

// Code writes or reads the state between two passes, from which a run of the same problem goes on to the same bits.
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

// Fits reports whether the records are those of the state that was read: whether its coefficients make its table.
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

// code writes or reads what descents have in common.
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

// code writes or reads which records to visit, after how many passes, and the state of the random order.
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
