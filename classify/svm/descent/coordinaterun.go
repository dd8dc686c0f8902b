package descent

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/simd"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// meanStep is the step of a coefficient where the primal value is that of a mean: with 1 there are more passes. From
// half of it to below 2, from which coefficients diverge, results stay within Tol.
const meanStep = 1.6

// Factors of the penalty: see [Solver]. From a quarter to four times these, or twice penaltyShare, results stay within
// Tol.
const (
	penaltyShare = 6   // of the mean of K_ii
	meanShare    = 0.3 // of the mean of all K_ij
	leastSlack   = 0.1 // where C K_ii is small: of the bias, for an excess of C
)

// coordinateRun is the state of one call of Solver.Solve.
type coordinateRun struct {
	*dual.Program
	descent    // its dual is pᵀβ − ½ βᵀKβ, less the ridge
	rows       *rows
	beta       []float64 // signed coefficients
	diag       []float64 // K_ii with the ridge of the squared hinge
	own        []float64 // the part of K_ii that is not in the rows; nil: none
	table      []float64 // Σ beta_i φ(x_i)
	excess     float64   // Σ beta − Sum
	free       int       // coefficients off their bounds that a pass has met
	multiplier float64   // of excess = 0
	penalty    float64   // of ½ excess²
	common     float64   // the other part of the penalty: meanShare of the mean of all K_ij
	unit       float64   // the penalty times the number of free coefficients
	step       float64   // of a coefficient, in parts of the way to its maximum

	scores    []float64    // of certificates
	now, best svm.Solution // the latest certified, whose Coef is beta itself, and the best

	mean *meanTable // of records in blocks
}

// newRun returns a run on rows. own may be nil.
func (s Solver) newRun(ctx context.Context, p *dual.Program, rows *rows, own []float64) (*coordinateRun, error) {
	n := len(p.Linear)
	every := numbered(n, func(i int) bool { return p.Weights[i] != 0 })
	r := &coordinateRun{
		Program: p, descent: newDescent(s, newVisits(n, every, s.Seed)),
		rows: rows, beta: p.Origin(), step: 1,
		diag: make([]float64, n), own: own, table: make([]float64, rows.space.Size()), excess: -p.Sum,
	}
	if r.visits.blocks = rows.blocks; rows.blocks != nil {
		r.visits.together, r.visits.piece = loadedBlocks, loadedPiece
		r.visits.load, r.ofMean, r.factor, r.step = rows.Load, true, meanTrust, meanStep
		r.visits.prefetch = r.prefetch
		r.mean = newMeanTable(rows.space.Size())
		r.visits.after = func(visited int) { r.mean.take(r.table, visited, len(every), r.passes) }
	}
	if err := rows.records.Norms(ctx, r.diag); err != nil {
		return nil, err
	}
	if err := dual.CheckDiagonal(r.diag); err != nil {
		return nil, err
	}
	share := make([]float64, n)
	for _, i := range every {
		share[i] = 1 / float64(len(every))
		r.diag[i] += p.Ridge(int(i))
		r.unit += r.diag[i] / float64(len(every))
	}
	mean, err := r.meanKernel(ctx, share)
	if err != nil {
		return nil, err
	}
	r.unit = penaltyShare * max(r.unit, leastSlack/max(p.Costs.Positive, p.Costs.Negative))
	r.common = float64(meanShare * mean)
	if p.NoBias {
		r.unit, r.common = 0, 0
	}
	r.penalty = r.unit/float64(len(every)) + r.common
	if p.Start != nil {
		if err := p.CheckStart(p.Start); err != nil {
			return nil, err
		}
		copy(r.beta, p.Start)
	}
	if p.Start != nil || p.Sum != 0 {
		_, err = r.certificate(ctx)
		return r, err
	}
	return r, nil
}

// meanKernel returns the mean of all K_ij, without what is not in the rows, given the share of each record in it.
func (r *coordinateRun) meanKernel(ctx context.Context, share []float64) (float64, error) {
	err := r.rows.sum(ctx, r.table, share)
	mean := vectors.Dot(r.table, r.table) / r.rows.scale
	clear(r.table)
	return mean, err
}

// pass visits the active records once, and updates the multiplier and the penalty.
func (r *coordinateRun) pass(ctx context.Context) error {
	r.free = 0
	if err := r.descent.pass(ctx, r.visit); err != nil {
		return err
	}
	r.multiplier += float64(r.penalty * r.excess)
	r.penalty = r.unit/float64(max(1, r.free)) + r.common
	return nil
}

// pull returns f_i, ridge and own part included, and the derivative e of the penalised dual by coefficient i.
func (r *coordinateRun) pull(i int) (f, e float64) {
	f = r.rows.Gather(r.table, i) + float64((r.ownOf(i)+r.Ridge(i))*r.beta[i])
	return f, r.Linear[i] - f - (r.multiplier + float64(r.penalty*r.excess))
}

// ownOf returns the part of K_ii that is not in the rows.
func (r *coordinateRun) ownOf(i int) float64 {
	if r.own == nil {
		return 0
	}
	return r.own[i]
}

// prefetch asks for what a visit of record i will read.
func (r *coordinateRun) prefetch(i int) {
	simd.Prefetch(&r.beta[i])
	simd.Prefetch(&r.Linear[i])
	simd.Prefetch(&r.diag[i])
	r.rows.Prefetch(i)
}

// visit moves one coefficient to the maximum of the penalised dual, or step times as far, and reports whether the
// record may be left out.
func (r *coordinateRun) visit(i int) (shrunk bool) {
	old := r.beta[i]
	lo, hi := r.Box(i)
	f, e := r.pull(i)
	if old >= hi && e >= 0 || old <= lo && e <= 0 { // it adds nothing to the gap
		return r.leaves(i, math.Abs(e))
	}
	_, gap := r.Hinges.GapOf(i, e+float64(r.Ridge(i)*old), old)
	r.met += gap
	r.moves(math.Abs(e))
	curvature := r.diag[i] + r.penalty
	if curvature == 0 && e == 0 { // a record without features, and no bias
		return false
	}
	next := min(hi, max(lo, old+float64(r.step*e)/curvature))
	if next > lo && next < hi {
		r.free++
	}
	d := next - old
	if d == 0 {
		return false
	}
	r.beta[i] = next
	r.dual += float64(d*(r.Linear[i]-f)) - float64(float64(d*d)*r.diag[i]/2)
	r.excess += d
	r.rows.Scatter(r.table, i, d)
	return false
}

// certificate moves the coefficients to Σ beta = Sum, computes the table and all scores afresh, and certifies. The run
// goes on from there, with the bias that is best for these scores as multiplier, unless the loss is the squared hinge:
// there the coefficients follow the multiplier without bounds, and it is nearer its limit than that bias.
func (r *coordinateRun) certificate(ctx context.Context) (svm.Certificate, error) {
	r.certified++
	if !r.NoBias {
		r.Balance(r.beta)
	}
	if err := r.rows.sum(ctx, r.table, r.beta); err != nil {
		return svm.Certificate{}, err
	}
	if r.scores == nil {
		r.scores = make([]float64, len(r.beta))
	}
	if err := r.rows.score(ctx, r.scores, r.table); err != nil {
		return svm.Certificate{}, err
	}
	for i, own := range r.own {
		r.scores[i] += float64(own * r.beta[i])
	}
	r.excess = -r.Sum
	for _, b := range r.beta {
		r.excess += b
	}
	if i := vectors.FirstNonFinite(r.scores); i >= 0 {
		return svm.Certificate{}, fmt.Errorf("svm: score %d from the feature rows is %v, want finite kernel values",
			i, r.scores[i])
	}
	r.now = r.Certify(r.beta, r.scores)
	r.dual = r.now.Dual
	if r.mean != nil {
		if err := r.certifyMean(ctx); err != nil {
			return svm.Certificate{}, err
		}
	}
	if !r.Squared() {
		r.multiplier = -r.now.Rho
	}
	return r.now.Certificate, nil
}

// keep copies the coefficients that were certified last, or the table.
func (r *coordinateRun) keep() {
	kept := r.best.Coef
	r.best = r.now
	if r.mean != nil {
		r.keepTable()
		return
	}
	r.best.Coef = append(kept[:0], r.now.Coef...)
}
