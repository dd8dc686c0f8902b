// Package newton solves problems of hinges on tables of features: all that it asks of records are two walks.
package newton

import (
	"context"
	"errors"
	"math"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/classify/internal/state"
	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel/shard"
)

// newton maximises the dual by the proximal point method (Rockafellar 1976, doi:10.1287/moor.1.2.97), each of whose
// problems it solves by Newton's method (Li, Sun and Toh 2018, doi:10.1137/16M1097572) with conjugate residuals
// (Luenberger 1970, doi:10.1137/0707032).
//
// With coefficients a(f) that [risk.Hinges.Near] puts near those of a centre, the minimum of
//
//	½‖w‖² + max over a of −R*(−a) − Σ_i a_i f_i − Σ_i (a_i − centre_i)²/(2 step)
//
// is where w = Σ_i a_i(f) φ(x_i). This is smooth; its second derivative is I + Σ_i h_i φ(x_i) φ(x_i)ᵀ of the slopes h,
// which are 0 for the records whose coefficient is at a bound: conjugate residuals visit the others alone. Then a
// becomes the centre.
//
// Coefficients are feasible all the time. With r = Σ_i a_i φ(x_i) − w, the duality gap of w and a is ½‖r‖², which
// Newton's method makes small, and what R and its conjugate leave, which moving the centre makes small.
type newton struct {
	space    svm.Space
	records  shard.Shard
	hinges   *risk.Hinges
	unit     float64   // of steps: the mean cost
	w        vector    // the point
	f        []float64 // its scores
	a        []float64 // the coefficients there
	offset   float64   // of their plane
	r        vector    // their point, then less w, then what conjugate residuals leave of that
	p, q     vector    // of conjugate residuals: the direction, its image
	u        vector    // the image of r, then the solution
	x        []float64 // the table of the solution
	slopes   []float64 // of the coefficients, then scores of u
	sloping  []float64 // their table
	centre   []float64
	step     float64
	balanced float64 // what the risk remembered before it gave a
	dual     float64 // best so far
	rounding float64 // of squares: vectors are sums of greater ones
	steps    int     // of Newton's method
}

// From a quarter to four times these, shares below 1, results stay within Tol. But growths are above 1, stepGrowth no
// less than 1.5; firstStep may be twice, tries half as much.
const (
	firstStep    = 0.1 // of the centre, in units: coefficients go from bound to bound along scores that differ by 10
	earlyGrowth  = 3   // of steps below 1, each time the centre moves
	stepGrowth   = 1.5 // of others
	moveShare    = 1   // of the gap that Newton's method leaves, to what the centre leaves, at which the centre moves
	mostProducts = 30  // of conjugate residuals
	leastDecline = 0.1 // of ‖r‖ by conjugate residuals
	aimedShare   = 0.1 // of ½‖r‖² to what the centre leaves, at which they end too
	tries        = 12  // of the line search
	enough       = 0.3 // the slope at which it ends, divided by the first
	inside       = 0.1 // part of the bracket that a try keeps from its ends
	patience     = 40  // steps without a smaller gap, after which rounding is in the way
)

// newNewton returns a run at w = 0, or at coefficients.
func newNewton(ctx context.Context, space svm.Space, records shard.Shard, h *risk.Hinges, from []float64) (*newton, error) {
	n, size := records.Len(), space.Size()
	s := &newton{
		space: space, records: records, hinges: h, step: firstStep, dual: math.Inf(-1),
		w: newVector(size), r: newVector(size), p: newVector(size), q: newVector(size), u: newVector(size),
		x: make([]float64, size),
		f: make([]float64, n), a: make([]float64, n), slopes: make([]float64, n), centre: make([]float64, n),
		sloping: make([]float64, size),
	}
	if h.Nonnegative() {
		s.dual = 0
	}
	visited := 0
	for _, w := range h.Weights {
		if w != 0 {
			visited++
		}
	}
	for i := range h.Points {
		s.unit += h.Cost(i) / float64(visited)
	}
	if from == nil {
		h.Plane(s.centre, s.f)
		vectors.Scale(s.centre, 0.5)
		return s, nil
	}
	copy(s.centre, from)
	if err := s.add(ctx, &s.w, from); err != nil {
		return nil, err
	}
	return s, s.score(ctx, s.f, &s.w)
}

// Solve minimises the problem of records in at most so many steps, from coefficients, or from the state that is kept if
// these are nil. If the gap cannot be closed within the steps or within float64 it returns the point reached and no
// error.
func Solve(ctx context.Context, space svm.Space, records shard.Shard, p *dual.Program, most int, from []float64,
	kept *state.Saver) (svm.Solution, error) {
	ctx = kept.Unbroken(ctx)
	run, err := newNewton(ctx, space, records, p.Hinges, from)
	if err != nil {
		return svm.Solution{}, err
	}
	if err := kept.Begin(ctx, run, from == nil); err != nil {
		return svm.Solution{}, err
	}
	return run.solve(ctx, p.Tol, most, kept.Save, p.Progress)
}

// solve runs to a gap, to a number of steps or to the limits of float64, and calls save between steps.
func (s *newton) solve(ctx context.Context, tol float64, most int, save func() error, progress func(svm.Progress)) (
	svm.Solution, error) {
	least, last := math.Inf(1), s.steps // gap, in units of the objective, and the step that it is of
	if err := s.near(); err != nil {
		return svm.Solution{}, err
	}
	for {
		if err := ctx.Err(); err != nil {
			return svm.Solution{}, err
		}
		if err := save(); err != nil {
			return svm.Solution{}, err
		}
		if err := s.add(ctx, &s.r, s.a); err != nil {
			return svm.Solution{}, err
		}
		c, rest, err := s.certify()
		if err != nil {
			return svm.Solution{}, err
		}
		if gap := c.Primal - c.Dual; gap < least {
			least, last = gap, s.steps
		}
		done := c.Gap <= tol || s.steps == most || s.steps-last >= patience
		if !done {
			svm.Report(progress, dual.Newton, s.steps, c, false)
			err = s.advance(ctx, rest)
		}
		if done || errors.Is(err, errRounding) {
			svm.Report(progress, dual.Newton, s.steps, c, true)
			return s.solution(c), nil
		}
		if err != nil {
			return svm.Solution{}, err
		}
	}
}

// advance moves the centre, if it is time to, and makes a step.
func (s *newton) advance(ctx context.Context, rest float64) error {
	if inner(&s.r, &s.r)/2 <= moveShare*rest {
		if err := s.move(ctx); err != nil {
			return err
		}
	}
	if err := s.descend(ctx, rest); err != nil {
		return err
	}
	s.steps++
	return nil
}

// certify returns the bounds at w and a, given the point of a in r, which becomes the difference, and what of the gap
// is not ½‖r‖².
func (s *newton) certify() (c svm.Certificate, rest float64, err error) {
	of, at := inner(&s.r, &s.r), inner(&s.w, &s.w)
	dual := s.offset - float64(of/2)
	s.dual = max(s.dual, dual)
	s.rounding = max(s.rounding, 1e-12*(math.Abs(of)+math.Abs(at)))
	loss, _ := s.hinges.Plane(s.slopes, s.f)
	c = svm.Between(float64(at/2)+loss, s.dual)
	s.r.addScaled(-1, &s.w)
	for _, v := range []*vector{&s.r, &s.w} {
		if err := checkSquare(inner(v, v), s.rounding, v.table, v.filtered); err != nil {
			return c, 0, err
		}
	}
	return c, c.Primal - dual - float64(inner(&s.r, &s.r)/2), nil
}

// near finds the coefficients at f.
func (s *newton) near() (err error) {
	copy(s.a, s.f)
	return s.nearScores()
}

// nearScores replaces scores in a by the coefficients there.
func (s *newton) nearScores() error {
	s.balanced = s.hinges.Memory()
	var ok bool
	if s.offset, ok = s.hinges.Near(s.a, s.a, s.centre, s.step*s.unit); !ok {
		copy(s.a, s.centre)
		return errRounding
	}
	return nil
}

// errRounding is the error of a run that rounding ends.
var errRounding = errors.New("svm: rounding hides the next step")

// move makes the coefficients the centre, and finds those at f anew.
func (s *newton) move(ctx context.Context) error {
	copy(s.centre, s.a)
	if s.step < 1 {
		s.step *= earlyGrowth
	} else {
		s.step *= stepGrowth
	}
	if err := s.near(); err != nil {
		return err
	}
	if err := s.add(ctx, &s.r, s.a); err != nil {
		return err
	}
	s.r.addScaled(-1, &s.w)
	return nil
}

// descend makes a step of Newton's method, and finds the coefficients after it.
func (s *newton) descend(ctx context.Context, rest float64) error {
	if err := s.direction(ctx, rest); err != nil {
		return err
	}
	if err := s.score(ctx, s.slopes, &s.u); err != nil {
		return err
	}
	kappa, err := s.search()
	if err != nil {
		return err
	}
	s.w.addScaled(kappa, &s.u)
	parallel.For(len(s.f), func(lo, hi int) { vectors.AddScaled(s.f[lo:hi], kappa, s.slopes[lo:hi]) })
	return nil
}

// direction makes u an approximate solution of the equations of Newton's method. Conjugate residuals minimise ‖r‖,
// which is part of the gap, over all that their products span; conjugate gradients minimise another norm, so that ‖r‖
// may grow.
func (s *newton) direction(ctx context.Context, rest float64) error {
	total, biased, err := s.curve(ctx)
	if err != nil {
		return err
	}
	clear(s.x)
	s.p.clear()
	s.q.clear()
	goal := max(leastDecline*leastDecline*inner(&s.r, &s.r), 2*aimedShare*rest)
	along := 1.0
	for range mostProducts {
		if err := s.image(ctx, total, biased); err != nil {
			return err
		}
		before := along
		along = inner(&s.r, &s.u)
		if err := checkSquare(along, s.rounding, s.r.table, s.u.filtered); err != nil {
			return err
		}
		if !(along > 0) {
			break
		}
		s.p.follow(along/before, &s.r)
		s.q.follow(along/before, &s.u)
		step := along / inner(&s.q, &s.q)
		parallel.For(len(s.x), func(lo, hi int) { vectors.AddScaled(s.x[lo:hi], step, s.p.table[lo:hi]) })
		s.r.addScaled(-step, &s.q)
		if inner(&s.r, &s.r) <= goal {
			break
		}
	}
	copy(s.u.table, s.x)
	return filter(ctx, s.space, s.u.filtered, s.u.table)
}

// curve finds the slopes and their table. It returns their sum and whether
// there is a bias.
func (s *newton) curve(ctx context.Context) (total float64, biased bool, err error) {
	total, biased = s.hinges.Slopes(s.slopes, s.step*s.unit)
	clear(s.sloping)
	if biased && total > 0 {
		err = addError(s.records.Add(ctx, [][]float64{s.sloping}, [][]float64{s.slopes}))
	}
	return total, biased && total > 0, err
}

// image makes u the image of r: r + Σ_i h_i (⟨r, φ(x_i)⟩ − mean) φ(x_i).
func (s *newton) image(ctx context.Context, total float64, biased bool) error {
	clear(s.u.table)
	if err := shard.AddSquares(ctx, s.records, s.u.table, s.r.filtered, s.slopes); err != nil {
		return addError(err)
	}
	if biased {
		vectors.AddScaled(s.u.table, -vectors.Dot(s.sloping, s.r.filtered)/total, s.sloping)
	}
	if err := filter(ctx, s.space, s.u.filtered, s.u.table); err != nil {
		return err
	}
	s.u.addScaled(1, &s.r)
	return nil
}

// search returns how far to go along u, whose scores are in slopes, and leaves the coefficients there in a.
func (s *newton) search() (kappa float64, err error) {
	wx, xx := inner(&s.w, &s.u), inner(&s.u, &s.u)
	slope := func(kappa float64) (float64, error) {
		parallel.For(len(s.a), func(lo, hi int) {
			copy(s.a[lo:hi], s.f[lo:hi])
			vectors.AddScaled(s.a[lo:hi], kappa, s.slopes[lo:hi])
		})
		err := s.nearScores()
		return wx + float64(kappa*xx) - vectors.Dot(s.a, s.slopes), err
	}
	first := wx - vectors.Dot(s.a, s.slopes)
	from, fromSlope, to, toSlope := 0.0, first, math.Inf(1), 0.0
	kappa = 1
	for range tries {
		at, err := slope(kappa)
		if err != nil || math.Abs(at) <= enough*math.Abs(first) {
			return kappa, err
		}
		if at > 0 {
			to, toSlope = kappa, at
		} else {
			from, fromSlope = kappa, at
		}
		if math.IsInf(to, 1) {
			kappa *= 2
			continue
		}
		kappa = from + float64((to-from)*min(1-inside, max(inside, fromSlope/(fromSlope-toSlope))))
	}
	_, err = slope(kappa)
	return kappa, err
}

// solution returns the point with which a run has ended.
func (s *newton) solution(c svm.Certificate) svm.Solution {
	return svm.Solution{
		Table: s.w.table, Rho: 0 - s.hinges.Bias(s.f), Coef: s.a, Certificate: c, Iterations: s.steps,
		Solver: dual.Newton,
	}
}

// add makes v the point of coefficients.
func (s *newton) add(ctx context.Context, v *vector, coef []float64) error {
	clear(v.table)
	if err := s.records.Add(ctx, [][]float64{v.table}, [][]float64{coef}); err != nil {
		return addError(err)
	}
	return filter(ctx, s.space, v.filtered, v.table)
}

// score writes the scores by v.
func (s *newton) score(ctx context.Context, f []float64, v *vector) error {
	return scoreRecords(ctx, s.records, f, v.filtered)
}

// Code moves the state between two steps: what the coefficients and the rest follow from.
func (s *newton) Code(c *state.Coder) {
	for _, v := range [][]float64{s.w.table, s.w.filtered, s.f, s.centre} {
		c.Floats(v)
	}
	for _, v := range []*float64{&s.step, &s.dual, &s.balanced, &s.rounding} {
		c.Float(v)
	}
	c.Int(&s.steps, math.MaxInt32)
	if c.Reading() && c.Err() == nil {
		s.hinges.Remember(s.balanced)
	}
}

// Fits scores the records with the point. Scores were added up along the steps, so that they are the same but for
// rounding.
func (s *newton) Fits(ctx context.Context) (bool, error) {
	if err := scoreRecords(ctx, s.records, s.slopes, s.w.filtered); err != nil {
		return false, err
	}
	greatest := max(1, vectors.Greatest(s.f))
	for i, f := range s.f {
		if !(math.Abs(f-s.slopes[i]) <= 1e-6*greatest) {
			return false, nil
		}
	}
	return true, nil
}
