package descent

import (
	"cmp"
	"context"
	"math"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/classify/internal/state"
	"github.com/seqsvm/seqsvm/classify/svm"
)

// Descent is a run of [Solver] on the records of a [Walk]. Its state can be kept between two passes.
type Descent struct {
	run   *coordinateRun
	limit int
}

// Descent returns a run that has made no pass. Problem.Risk is nil. The error is that of ctx, of reading records, or of
// the options of s and p.
func (s Solver) Descent(ctx context.Context, walk Walk, p svm.Problem) (*Descent, error) {
	in, err := dual.Of(len(p.Linear), p, s.Check)
	if err != nil {
		return nil, err
	}
	run, err := s.newRun(ctx, in, walk, nil)
	if err != nil {
		return nil, err
	}
	return &Descent{run: run, limit: cmp.Or(s.MaxIterations, usualPasses)}, nil
}

// Solve passes until the gap is at most Tol. save is called after each pass but the last, when the state may be kept;
// nil: it is not.
func (d *Descent) Solve(ctx context.Context, save func() error) (svm.Solution, error) {
	return d.run.solve(ctx, d.limit, save)
}

// Norms returns K_ii of all records, with the ridge of the squared hinge: not to be written to.
func (d *Descent) Norms() []float64 { return d.run.diag }

// Code moves the state between two passes, from which a run of the same problem goes on to the same bits.
func (d *Descent) Code(c *state.Coder) {
	r := d.run
	r.descent.code(c, d.limit)
	for _, v := range []*float64{&r.excess, &r.multiplier, &r.penalty} {
		c.Float(v)
	}
	c.Floats(r.beta)
	c.Floats(r.table)
	if m := r.mean; m != nil {
		c.Floats(m.table)
		c.Floats(m.best)
		c.Int(&m.taken, math.MaxInt32)
		c.Int(&m.since, 2*len(r.beta))
	}
	for _, v := range []*float64{&r.best.Rho, &r.best.Primal, &r.best.Dual, &r.best.Gap} {
		c.Float(v)
	}
}

// Table returns the table of the solution of a Walk in blocks, whose coefficients have the dual value alone.
func (d *Descent) Table() []float64 { return d.run.mean.best }

// Fits reports whether the records are those of a state that was read: the table is that of its coefficients.
func (d *Descent) Fits(ctx context.Context) (bool, error) {
	table, size := make([]float64, len(d.run.table)), 0.0
	if err := d.run.rows.Sum(ctx, table, d.run.beta); err != nil {
		return false, err
	}
	for i, b := range d.run.beta {
		size += float64(math.Abs(b) * math.Sqrt(d.run.diag[i]))
	}
	for j, t := range d.run.table {
		if !(math.Abs(t-table[j]) <= 1e-9*size) {
			return false, nil
		}
	}
	return true, nil
}

// code moves the state of a descent between two passes.
func (d *descent) code(c *state.Coder, limit int) {
	for _, v := range []*int{&d.certified, &d.passes, &d.stuck, &d.latest} {
		c.Int(v, limit+1)
	}
	c.Int(&d.next, int(furthest*float64(limit))+soonest)
	for _, v := range []*float64{&d.dual, &d.factor, &d.proved.Primal, &d.proved.Dual, &d.proved.Gap} {
		c.Float(v)
	}
	d.visits.code(c)
}

// code moves the records to visit, and the state of the random order.
func (v *visits) code(c *state.Coder) {
	active := make([]byte, len(v.shrunk))
	for _, i := range v.active {
		active[i] = 1
	}
	c.Bytes(active)
	v.active = v.active[:0]
	for i, b := range active {
		c.Check(b <= 1, "a record has the state %d", b)
		if b == 1 {
			v.active = append(v.active, int32(i))
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
