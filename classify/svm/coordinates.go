package svm

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/stringkernel"
)

const (
	penaltyShare = 6   // of the penalty, see DualCoordinate; measured
	meanShare    = 0.3 // of the penalty, too
	leastSlack   = 0.1 // of the penalty where C K_ii is small: a bias of this size for Σ β = C
)

// coordinateRun is the state of one call of Solve.
type coordinateRun struct {
	*problem
	rows       stringkernel.FeatureRows
	table      []float64 // Σ beta_i φ(x_i)
	beta       []float64 // signed coefficients
	lo, hi     []float64 // bounds of beta
	diag, own  []float64 // K_ii with the ridge of the squared hinge; the part of K_ii that is not in the rows
	sum        float64   // Σ beta
	multiplier float64   // of Σ beta = 0
	penalty    float64   // of ½ (Σ beta)²
	common     float64   // the other part of the penalty: meanShare of the mean of all K_ij
	unit       float64   // the penalty times the number of free coefficients
	dual       float64   // Σ |beta| − ½ betaᵀK beta (and the ridge), kept up to date

	visits    *visits
	shrinking bool
	quantile  biasFinder
	scores    []float64 // of certificates

	// What a pass has met.
	met      float64 // Σ of the records' parts of the gap when visited
	violated float64 // greatest violation
	free     int     // coefficients off their bounds
	gained   bool    // the objective grew by more than rounding
}

func newCoordinateRun(p *problem, s DualCoordinate) (*coordinateRun, error) {
	rows := stringkernel.FeatureRowsOf(p.g)
	if rows == nil {
		return nil, fmt.Errorf("%w, which dual coordinate descent needs", ErrNoRows)
	}
	n := len(p.y)
	r := &coordinateRun{
		problem: p, rows: rows, table: make([]float64, rows.Width()),
		beta: make([]float64, n), lo: make([]float64, n), hi: make([]float64, n), diag: make([]float64, n), own: make([]float64, n),
		scores: make([]float64, n), visits: newVisits(n, s.Seed), shrinking: !s.NoShrinking,
	}
	if _, err := p.greatestDiagonal(r.diag); err != nil {
		return nil, err
	}
	rows.Own(r.own)
	for i := range n {
		r.lo[i], r.hi[i] = p.box(i)
		r.diag[i] += p.ridge(i)
		r.unit += r.diag[i] / float64(n)
	}
	r.unit = penaltyShare * max(r.unit, leastSlack/max(p.costs.Positive, p.costs.Negative))
	r.common = float64(meanShare * r.meanKernel())
	r.penalty = r.unit/float64(n) + r.common
	if s.Start == nil {
		return r, nil
	}
	if err := p.checkStart(s.Start); err != nil {
		return nil, err
	}
	copy(r.beta, s.Start)
	_, err := r.certificate()
	return r, err
}

// meanKernel returns the mean of all K_ij but for what is not in the rows.
func (r *coordinateRun) meanKernel() float64 {
	n := float64(len(r.y))
	for i := range r.y {
		r.rows.Scatter(r.table, i, 1/n)
	}
	mean := 0.0
	for i := range r.y {
		mean += r.rows.Gather(r.table, i) / n
	}
	clear(r.table)
	return max(0, mean)
}

// pass visits the active records once, and updates the multiplier and the penalty.
func (r *coordinateRun) pass(ctx context.Context) error {
	r.met, r.violated, r.free = 0, 0, 0
	before := r.dual
	if err := r.visits.pass(ctx, r.visit, func() float64 { return r.violated }); err != nil {
		return err
	}
	r.gained = math.Abs(r.dual-before) > 1e-15*math.Abs(r.dual)
	r.multiplier += float64(r.penalty * r.sum)
	r.penalty = r.unit/float64(max(1, r.free)) + r.common
	return nil
}

// visit moves one coefficient to the maximum of the penalised dual and reports whether the record may be left out.
func (r *coordinateRun) visit(i int) (shrunk bool) {
	y, old, lo, hi := r.y[i], r.beta[i], r.lo[i], r.hi[i]
	f := r.rows.Gather(r.table, i) + float64((r.own[i]+r.ridge(i))*old)
	e := y - f - (r.multiplier + float64(r.penalty*r.sum))
	_, gap := r.gapOf(i, float64(y*(e+float64(r.ridge(i)*old))), float64(y*old))
	r.met += gap
	switch { // e > 0 wants a greater coefficient
	case old >= hi && e >= 0, old <= lo && e <= 0:
		return r.shrinking && math.Abs(e) > r.visits.threshold
	}
	r.violated = max(r.violated, math.Abs(e))
	next := min(hi, max(lo, old+e/(r.diag[i]+r.penalty)))
	if next > lo && next < hi {
		r.free++
	}
	d := next - old
	if d == 0 {
		return false
	}
	r.beta[i] = next
	r.sum += d
	r.dual += float64(d*(y-f)) - float64(float64(d*d)*r.diag[i]/2)
	r.rows.Scatter(r.table, i, d)
	return false
}

// certificate moves the coefficients to Σ beta = 0, computes the table and all scores afresh, and certifies. The run goes on
// from there; with the bias that is best for these scores, unless the loss is the squared hinge, whose multiplier is nearer its end than that bias, as the
// coefficients follow it without bounds.
func (r *coordinateRun) certificate() (Solution, error) {
	r.products++
	balance(r.beta, r.lo, r.hi)
	clear(r.table)
	for i, b := range r.beta {
		if b != 0 {
			r.rows.Scatter(r.table, i, b)
		}
	}
	r.sum = 0
	for i, b := range r.beta {
		r.scores[i] = r.rows.Gather(r.table, i) + float64(r.own[i]*b)
		r.sum += b
	}
	if i := firstNonFinite(r.scores); i >= 0 {
		return Solution{}, fmt.Errorf("classify: score %d from the feature rows is %v, want finite kernel values", i, r.scores[i])
	}
	sol := r.certify(append([]float64(nil), r.beta...), r.scores, &r.quantile)
	r.dual = sol.Dual
	if !r.squared {
		r.multiplier = -sol.Rho
	}
	return sol, nil
}
