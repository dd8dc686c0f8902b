package descent

import (
	"context"
	"errors"
	"fmt"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/classify/internal/state"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/shard"
)

// Solver solves a problem by dual coordinate descent on explicit sparse rows ([stringkernel.FeatureRows]): the
// fastest solver where a row costs little.
//
// After Hsieh et al. 2008 it visits one record at a time and moves its coefficient to where the dual is greatest, given
// w = Σ_j β_j φ(x_j) as a table of feature weights: one read of the row for f_i = ⟨w, φ(x_i)⟩, one write for the change
// of w. Features that one record alone has, on the diagonal only, enter f_i as own_i β_i, exactly.
//
// The bias is not regularised, so Σ β = s has to hold, which a single coordinate cannot keep. The method of multipliers
// makes it hold: with the excess δ = Σβ − s, the descent runs on the dual plus b δ + ½σ δ², that is, with the bias b +
// σ δ in place of b, and after each pass b ← b + σ δ. The penalty σ is 6 times the mean of K_ii over the number of
// coefficients off their bounds, plus 0.3 times the mean of all K_ij: much more ties the coordinates together, so that
// each waits for the others, much less lets the bias lag, most of all where all records have features in common, which
// a bias can replace. At every certificate the coefficients are first moved to Σ β = s (the free ones, in proportion to
// their room), w and all scores are recomputed, the objectives are those of the problem itself, and b becomes the
// minimiser of the primal (hinge loss).
//
// Without a bias none of that is needed: there is no penalty.
//
// A pass visits the records in blocks of 256 neighbours, blocks and the records of a block in random order: the order
// depends on Seed and the number of records only. Records at a bound that a pass finds firmly there are left out of
// the next ones (shrinking) until a certificate over all records fails. The certificate is computed when the gap
// that the last pass met, record by record as they were visited, is about Tol.
//
// Records in blocks ([shard.Visited]), which may be many more than there are features, are visited 16 blocks at a time,
// in pieces of 32, in random order. There, the dual value is that of the latest coefficients, but w follows the records
// that came last, and its primal value goes up and down. What is certified is the mean of w over about a pass and a
// tenth of those made, as Shalev-Shwartz & Zhang (2013) do, or w itself if that is better: a table, which needs no
// coefficients. Since a mean has little noise, coefficients go 1.6 times the way to their maximum, which saves passes.
//
// The squared hinge removes the upper bounds and adds 1/(2|c_i|) to K_ii, which keeps the number of passes down: the
// dual then curves in every direction.
//
// Cost: a pass reads the rows it visits and writes those whose coefficient changes; a certificate is about one pass
// more. On planted motifs in 1,000 to 10,000 sequences of 200 letters, 11 to 51 passes to a gap of 1e-3 at C = 1, 16 to
// 259 at C = 10, 0.05 to 0.2 µs per record and pass: see package auto for times. The convergence is linear; it slows
// down with C times K_ii where there are more records than features, to 1,700 to 2,600 passes for 10,000 records of
// 4,096 features at C = 100. Memory: 8 bytes per feature and about 80 per record.
//
// Start saves passes, for a certificate: 10 to 40 % of them from the solution for a third of the cost.
//
// Reference: Hsieh, Chang, Lin, Keerthi & Sundararajan 2008, A dual coordinate descent method for large-scale linear
// SVM, doi:10.1145/1390156.1390208; Shalev-Shwartz & Zhang 2013, Stochastic dual coordinate ascent methods for
// regularized loss minimization, JMLR 14.
type Solver struct {
	MaxIterations int    // passes; zero: 3,000
	Seed          uint64 // of the order of visits
}

// usualPasses bounds a run that nothing else ends: it changes no result whose gap is closed by then.
const usualPasses = 3000

// ErrNoRows is wrapped by the errors of [Solver] and [CrammerSinger] for a Gram matrix without explicit rows.
var ErrNoRows = errors.New("svm: the Gram matrix has no explicit feature rows")

// String returns "dual-coordinate".
func (Solver) String() string { return dual.DualCoordinate }

// Uses implements [svm.Planner].
func (s Solver) Uses(stringkernel.Gram, svm.Problem) svm.Access { return svm.Features }

// Check implements [svm.Planner].
func (s Solver) Check(p svm.Problem) error {
	return dual.CheckHinges(p, s, s.MaxIterations)
}

// Solve implements [svm.Solver].
func (s Solver) Solve(ctx context.Context, g stringkernel.Gram, p svm.Problem) (svm.Solution, error) {
	in, err := dual.OfGram(g, p, s)
	if err != nil {
		return svm.Solution{}, err
	}
	rows, own, err := rowsOf(g)
	if err != nil {
		return svm.Solution{}, err
	}
	r, err := s.newRun(ctx, in, rows, own)
	if err != nil {
		return svm.Solution{}, err
	}
	return r.solve(ctx, nil)
}

// SolveShards solves a problem of records in blocks: see package auto. The solution has a Table, and its coefficients
// have the dual value alone.
func (s Solver) SolveShards(
	ctx context.Context, space svm.Space, records shard.Visited, p *dual.Program, kept *state.Saver,
) (svm.Solution, error) {
	rows, err := rowsOfShards(ctx, space, records)
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

// solve passes until the gap is certified.
func (r *coordinateRun) solve(ctx context.Context, save func() error) (svm.Solution, error) {
	if err := r.run(ctx, r, r.Tol, r.Progress, save); err != nil {
		return svm.Solution{}, err
	}
	r.best.Certificate = r.proved
	if r.mean != nil {
		r.best.Coef = r.beta
	}
	r.best.Iterations, r.best.Products, r.best.Solver = r.passes, r.certified, dual.DualCoordinate
	return r.best, nil
}
