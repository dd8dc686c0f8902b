package svm

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// DualCoordinate solves the two-class problem by dual coordinate descent on explicit sparse rows
// ([stringkernel.FeatureRows]): the fastest solver where a row costs little.
//
// After Hsieh et al. 2008 it visits one record at a time and moves its coefficient to where the dual is greatest, given
// w = Σ_j β_j φ(x_j) as a table of feature weights: one read of the row for f_i = ⟨w, φ(x_i)⟩, one write for the change of w.
// Features of a record's own, on the diagonal only, enter f_i as own_i β_i, exactly.
//
// The bias is not regularised, so Σ β = 0 has to hold, which a single coordinate cannot keep. The method of multipliers makes
// it hold: the descent runs on the dual plus b Σβ + ½σ (Σβ)², that is, with the bias b + σ Σβ in place of b, and after each
// pass b ← b + σ Σβ. The penalty σ is 6 times the mean of K_ii over the number of coefficients off their bounds, plus 0.3 times the mean of all K_ij: much
// more ties the coordinates together, so that each waits for the others, much less leaves the bias behind, most of all where all records
// have features in common, which a bias can stand in for. At every certificate
// the coefficients are first moved to Σ β = 0 (the free ones, in proportion to their room), w and all scores are computed
// anew, the objectives are those of the very problem, and b becomes the minimiser of the primal (hinge loss).
//
// A pass visits the records in blocks of 256 neighbours, blocks and the records of a block in random order: the order
// depends on Seed and the number of records only. Records at a bound that a pass finds firmly there are left out of the
// next ones (shrinking) until a certificate over all records fails. The certificate is computed when the gap that the
// last pass met, record by record as they were visited, is about Tol.
//
// The squared hinge takes the upper bounds away and adds 1/(2C_i) to K_ii, which keeps the number of passes down: the dual then curves in every
// direction.
//
// Cost: a pass reads the rows it visits and writes those whose coefficient changes; a certificate is about one pass more. On
// planted motifs in 1,000 to 10,000 sequences of 200 letters, 11 to 51 passes to a gap of 1e-3 at C = 1, 16 to 259 at C = 10, 0.05 to
// 0.2 µs per record and pass: see [Auto] for times. The convergence is linear; it slows down with C times K_ii where there are more records than
// features, to 1,700 to 2,600 passes for 10,000 records of 4,096 features at C = 100. Memory: 8 bytes per feature and about 80 per record.
//
// Start saves passes, for a certificate: 10 to 40 % of them from the solution for a third of the cost.
//
// Reference: Hsieh, Chang, Lin, Keerthi & Sundararajan 2008, A dual coordinate descent method for large-scale linear SVM,
// doi:10.1145/1390156.1390208.
type DualCoordinate struct {
	Costs         Costs          // zero: 1 for both classes
	Loss          string         // LossHinge (also if empty) or LossSquaredHinge
	Tol           float64        // relative gap to stop at; zero: 1e-3
	MaxIterations int            // passes; zero: 3,000
	NoShrinking   bool           // visit all records in every pass
	Seed          uint64         // of the order of visits
	Start         []float64      // signed coefficients to start from, see CuttingPlane.Start; nil: zeros
	Progress      func(Progress) // called after each pass; may be nil
}

// ErrNoRows is wrapped by the error of [DualCoordinate] for a Gram matrix without explicit rows.
var ErrNoRows = errors.New("classify: the Gram matrix has no explicit feature rows")

// Solve implements Solver. If the gap cannot be closed within MaxIterations or float64 (which the Gap of the solution
// tells) it returns the best point reached and no error.
func (s DualCoordinate) Solve(ctx context.Context, g stringkernel.Gram, y []float64) (Solution, error) {
	tol, err := CheckTol(s.Tol)
	if err != nil {
		return Solution{}, err
	}
	p, err := newProblem(g, y, s.Costs, s.Loss)
	if err != nil {
		return Solution{}, err
	}
	if s.MaxIterations < 0 {
		return Solution{}, fmt.Errorf("classify: MaxIterations = %d, want ≥ 0", s.MaxIterations)
	}
	limit := s.MaxIterations
	if limit == 0 {
		limit = 3000
	}
	r, err := newCoordinateRun(p, s)
	if err != nil {
		return Solution{}, err
	}
	return r.solve(ctx, tol, limit, s.Progress)
}

// trust is how the gap met during a pass compares with the certified one, to begin with: records are visited before the
// later ones of the pass have improved w, so the gap afterwards is less.
const trust = 1.5

func (r *coordinateRun) solve(ctx context.Context, tol float64, limit int, progress func(Progress)) (Solution, error) {
	best := Solution{Primal: math.Inf(1), Dual: math.Inf(-1)}
	factor, stuck := trust, 0
	for pass := 1; ; pass++ {
		if err := r.pass(ctx); err != nil {
			return Solution{}, err
		}
		if r.gained {
			stuck = 0
		} else {
			stuck++
		}
		met := r.met / max(math.Abs(r.dual+r.met), tinyPrimal)
		last := pass >= limit || stuck >= 3
		if met > factor*tol && stuck == 0 && !last {
			sendProgress(progress, "dual-coordinate", pass, best.Primal, best.Dual, false)
			continue
		}
		sol, err := r.certificate()
		if err != nil {
			return Solution{}, err
		}
		best = better(best, sol)
		last = last || best.Gap <= tol
		sendProgress(progress, "dual-coordinate", pass, best.Primal, best.Dual, last)
		if last {
			best.Iterations, best.Products, best.Solver = pass, r.products, "dual-coordinate"
			return best, nil
		}
		factor = trust * min(1, max(0.2, met/sol.Gap))
		r.visits.all()
	}
}

// better returns the solution of the lesser primal value with the greater of both lower bounds.
func better(a, b Solution) Solution {
	dual := max(a.Dual, b.Dual)
	if a.Primal < b.Primal {
		b = a
	}
	if b.Dual != dual {
		b.Dual = dual
		b.Gap = relativeGap(b.Primal, dual)
	}
	return b
}
