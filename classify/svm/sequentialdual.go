package svm

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// CrammerSinger solves the multiclass problem of Crammer & Singer 2001 as one,
//
//	min over w_1 … w_k of  ½ Σ_m ‖w_m‖² + Σ_i C_i max_m (e_im + ⟨w_m, φ(x_i)⟩ − ⟨w_{y_i}, φ(x_i)⟩),   e_im = 1 for m ≠ y_i, 0 for m = y_i,
//
// by the sequential dual method of Keerthi et al. 2008, which is LIBLINEAR's -s 4. There is no bias: scores of classes are compared with one another. It needs
// explicit feature rows ([stringkernel.FeatureRows]).
//
// The dual has a coefficient for every record and class,
//
//	max over α of  −½ Σ_m ‖w_m‖² − Σ_im e_im α_im   subject to  Σ_m α_im = 0,  α_im ≤ C_i for m = y_i, else ≤ 0,   w_m = Σ_i α_im φ(x_i),
//
// and one record is visited at a time: its scores of all classes, then the best α_i1 … α_ik with everything else fixed,
// α_im = min(C_im, (β − B_m)/K_ii) with B_m = ⟨w_m, φ(x_i)⟩ + e_im − K_ii α_im and the β that makes them sum to 0. That sum is concave and
// rising in β, so Newton's method from the left finds it in a few steps, without sorting. Weights stand feature by feature, all classes side by side,
// so that a row is read once for all classes.
//
// Order of visits, shrinking and the stopping rule are those of [DualCoordinate]: blocks of 256 records in random order, records that have one free
// coefficient and are firmly where they belong are left out, and the gap met in a pass is certified over all records, with weights made afresh, once it is about Tol.
//
// Cost of a pass: features of the rows visited times classes. Memory: 8 bytes per feature and class, 12 per entry of the rows, 8 per record and class.
//
// References: Crammer & Singer 2001, On the algorithmic implementation of multiclass kernel-based vector machines, J. Mach. Learn. Res. 2:265–292; Keerthi,
// Sundararajan, Chang, Hsieh & Lin 2008, A sequential dual method for large scale multi-class linear SVMs, doi:10.1145/1401890.1401942.
type CrammerSinger struct {
	Costs         []float64      // C of the records of each class, 1e-110 to 1e110; nil: 1 for all
	Tol           float64        // relative gap to stop at; zero: 1e-3
	MaxIterations int            // passes; zero: 3,000
	NoShrinking   bool           // visit all records in every pass
	Seed          uint64         // of the order of visits
	Progress      func(Progress) // called after each pass; may be nil
}

// MulticlassSolution is an approximate solution of [CrammerSinger] with its certificate: see [Solution], whose fields have the same meaning.
type MulticlassSolution struct {
	Coef              [][]float64 // Alpha[m] has a coefficient per record: f_m(x) = Σ_i Alpha[m][i]·k(x_i, x), with no bias
	Primal, Dual, Gap float64
	Iterations        int // passes
	Products          int // certificates
}

// Solve solves the problem for records of the classes y, indices from 0 to below classes. It minds ctx, and if the gap cannot be closed within
// MaxIterations it returns the best point reached and no error.
func (s CrammerSinger) Solve(ctx context.Context, g stringkernel.Gram, y []int, classes int) (MulticlassSolution, error) {
	tol, err := CheckTol(s.Tol)
	if err != nil {
		return MulticlassSolution{}, err
	}
	if s.MaxIterations < 0 {
		return MulticlassSolution{}, fmt.Errorf("classify: MaxIterations = %d, want ≥ 0", s.MaxIterations)
	}
	limit := s.MaxIterations
	if limit == 0 {
		limit = 3000
	}
	r, err := s.newRun(g, y, classes)
	if err != nil {
		return MulticlassSolution{}, err
	}
	return r.solve(ctx, tol, limit, s.Progress)
}

// newRun checks the problem and copies the rows.
// coefficientBytes is the memory of the coefficients of a record for a class: in the descent, in a certificate and in the best of them.
const coefficientBytes = 24

func (s CrammerSinger) newRun(g stringkernel.Gram, y []int, classes int) (*jointRun, error) {
	if g == nil {
		return nil, fmt.Errorf("classify: no Gram matrix")
	}
	if g.Len() != len(y) || len(y) == 0 {
		return nil, fmt.Errorf("classify: %d labels for a Gram matrix of %d rows, want as many, and one at least", len(y), g.Len())
	}
	if classes < 2 {
		return nil, fmt.Errorf("classify: %d classes, want at least two", classes)
	}
	for i, c := range y {
		if c < 0 || c >= classes {
			return nil, fmt.Errorf("classify: y[%d] = %d, want 0 to %d", i, c, classes-1)
		}
	}
	if s.Costs != nil && len(s.Costs) != classes {
		return nil, fmt.Errorf("classify: %d costs for %d classes, want as many", len(s.Costs), classes)
	}
	for c, cost := range s.Costs {
		if err := CheckCost(fmt.Sprintf("Costs[%d]", c), cost, leastCost, mostCost); err != nil {
			return nil, err
		}
	}
	features := stringkernel.FeatureRowsOf(g)
	if features == nil {
		return nil, fmt.Errorf("%w, which the scheme %s needs", ErrNoRows, "crammer-singer")
	}
	n := len(y)
	if err := memory.Check(float64(8*features.Width()+coefficientBytes*n) * float64(classes)); err != nil {
		return nil, fmt.Errorf("classify: %d classes of %d records with %d features need %w", classes, n, features.Width(), err)
	}
	p := &problem{g: g}
	r := &jointRun{
		rows: copyRows(features, n), y: y, classes: classes, costs: s.Costs, table: make([]float64, features.Width()*classes), alpha: make([]float64, n*classes),
		diag: make([]float64, n), own: make([]float64, n), scores: make([]float64, classes), base: make([]float64, classes), moved: make([]shift, 0, classes),
		visits: newVisits(n, s.Seed), shrinking: !s.NoShrinking,
	}
	if _, err := p.greatestDiagonal(r.diag); err != nil {
		return nil, err
	}
	features.Own(r.own)
	return r, nil
}

func (r *jointRun) solve(ctx context.Context, tol float64, limit int, progress func(Progress)) (MulticlassSolution, error) {
	best := MulticlassSolution{Primal: math.Inf(1), Dual: math.Inf(-1)}
	factor, stuck := trust, 0
	for pass := 1; ; pass++ {
		if err := r.pass(ctx); err != nil {
			return MulticlassSolution{}, err
		}
		if r.gained {
			stuck = 0
		} else {
			stuck++
		}
		last := pass >= limit || stuck >= 3
		met := r.met / max(math.Abs(r.dual+r.met), tinyPrimal)
		if met > factor*tol && stuck == 0 && !last {
			sendProgress(progress, "dual-coordinate", pass, best.Primal, best.Dual, false)
			continue
		}
		sol, err := r.certificate()
		if err != nil {
			return MulticlassSolution{}, err
		}
		factor = trust * min(1, max(0.2, met/sol.Gap))
		best = betterMulticlass(best, sol)
		last = last || best.Gap <= tol
		sendProgress(progress, "dual-coordinate", pass, best.Primal, best.Dual, last)
		if last {
			best.Iterations, best.Products = pass, r.products
			return best, nil
		}
		r.visits.all()
	}
}

// betterMulticlass returns the solution of the lesser primal value with the greater of both lower bounds.
func betterMulticlass(a, b MulticlassSolution) MulticlassSolution {
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
