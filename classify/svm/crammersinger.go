package svm

import (
	"cmp"
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/simd"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// MulticlassProblem is the problem of Crammer & Singer 2001 for records of k classes,
//
//	min over w_1 … w_k of  ½ Σ_m ‖w_m‖² + Σ_i C_i max_m (e_im + ⟨w_m, φ(x_i)⟩ − ⟨w_{y_i}, φ(x_i)⟩),
//
// with e_im = 1 for m ≠ y_i, 0 for m = y_i. There is no bias: scores of classes are compared with one another.
type MulticlassProblem struct {
	Y        []int          // class of each record, 0 to Classes − 1
	Classes  int            // k, at least 2
	Costs    []float64      // C of the records of each class, 1e-110 to 1e110; nil: 1 for all
	Tol      float64        // relative gap to stop at; zero: 1e-3
	Progress func(Progress) // called after each pass; may be nil
}

// CrammerSinger solves a [MulticlassProblem] by the sequential dual method of Keerthi et al. 2008, which is LIBLINEAR's
// -s 4. It needs explicit feature rows ([stringkernel.FeatureRows]).
//
// The dual has a coefficient for every record and class,
//
//	max over α of  −½ Σ_m ‖w_m‖² − Σ_im e_im α_im   subject to  Σ_m α_im = 0,  α_im ≤ C_i for m = y_i, else ≤ 0,
//
// where w_m = Σ_i α_im φ(x_i), and one record is visited at a time: its scores of all classes, then the best α_i1 …
// α_ik with everything else fixed, α_im = min(C_im, (β − B_m)/K_ii) with B_m = ⟨w_m, φ(x_i)⟩ + e_im − K_ii α_im and the
// β that makes them sum to 0. That sum is concave and rising in β, so Newton's method from the left finds it in a few
// steps, without sorting. Weights are stored feature by feature, all classes side by side, so that a row is read once
// for all classes.
//
// Order of visits, shrinking and the stopping rule are those of [DualCoordinate]: blocks of 256 records in random order,
// records that have one free coefficient and are firmly where they belong are left out, and the gap met in a pass is
// certified over all records, with recomputed weights, once it is about Tol.
//
// Cost of a pass: features of the rows visited times classes. Memory: 8 bytes per feature and class, of which there are
// a multiple of four, and 8 to 24 per record and class.
//
// References: Crammer & Singer 2001, On the algorithmic implementation of multiclass kernel-based vector machines, J.
// Mach. Learn. Res. 2:265–292; Keerthi, Sundararajan, Chang, Hsieh & Lin 2008, A sequential dual method for large scale
// multi-class linear SVMs, doi:10.1145/1401890.1401942.
type CrammerSinger struct {
	MaxIterations int    // passes; zero: 3,000
	NoShrinking   bool   // visit all records in every pass
	Seed          uint64 // of the order of visits
}

// MulticlassSolution is an approximate solution of a [MulticlassProblem].
type MulticlassSolution struct {
	Coef [][]float64 // Coef[m] has a coefficient per record: f_m(x) = Σ_i Coef[m][i]·k(x_i, x), with no bias
	Certificate
	Iterations int    // passes
	Products   int    // certificates
	Solver     string // "dual-coordinate"
}

// Solve solves the problem. It honours ctx, and if the gap cannot be closed within MaxIterations it returns the best
// point reached and no error.
func (s CrammerSinger) Solve(
	ctx context.Context, g stringkernel.Gram, p MulticlassProblem,
) (MulticlassSolution, error) {
	if err := cmp.Or(checkTol(p.Tol), checkIterations(s.MaxIterations)); err != nil {
		return MulticlassSolution{}, err
	}
	r, err := s.newRun(g, p)
	if err != nil {
		return MulticlassSolution{}, err
	}
	tol, limit := cmp.Or(p.Tol, defaultTol), cmp.Or(s.MaxIterations, usualPasses)
	if err := r.run(ctx, r, tol, limit, p.Progress, nil); err != nil {
		return MulticlassSolution{}, err
	}
	return MulticlassSolution{r.best, r.proved, r.passes, r.certified, nameDualCoordinate}, nil
}

// check returns an error for data that are no problem for g.
func (p MulticlassProblem) check(g stringkernel.Gram) error {
	if g == nil {
		return errNoGram
	}
	if g.Len() != len(p.Y) || len(p.Y) == 0 {
		return fmt.Errorf("svm: %d labels for a Gram matrix of %d rows, want one per row and at least one row",
			len(p.Y), g.Len())
	}
	if p.Classes < 2 {
		return fmt.Errorf("svm: %d classes, want at least two", p.Classes)
	}
	for i, c := range p.Y {
		if c < 0 || c >= p.Classes {
			return fmt.Errorf("svm: y[%d] = %d, want 0 to %d", i, c, p.Classes-1)
		}
	}
	if p.Costs != nil && len(p.Costs) != p.Classes {
		return fmt.Errorf("svm: %d costs for %d classes, want one per class", len(p.Costs), p.Classes)
	}
	for c, cost := range p.Costs {
		if err := checkCost(fmt.Sprintf("Costs[%d]", c), cost); err != nil {
			return err
		}
	}
	return nil
}

// coefficientBytes is the memory of the coefficients of a record for a class: in the descent, in a certificate and in
// the best of them.
const coefficientBytes = 24

// newRun checks the problem and makes the tables.
func (s CrammerSinger) newRun(g stringkernel.Gram, p MulticlassProblem) (*multiclassRun, error) {
	if err := p.check(g); err != nil {
		return nil, err
	}
	features := stringkernel.FeatureRowsOf(g)
	if features == nil {
		return nil, fmt.Errorf("%w, which the scheme %s needs", ErrNoRows, "crammer-singer")
	}
	n, classes := len(p.Y), p.Classes
	width := (classes + simd.RowWidth - 1) / simd.RowWidth * simd.RowWidth
	if err := memory.Check(float64(8*features.Width()+coefficientBytes*n) * float64(width)); err != nil {
		return nil, fmt.Errorf("svm: %d classes of %d records with %d features need %w",
			classes, n, features.Width(), err)
	}
	r := &multiclassRun{
		descent:  newDescent(newVisits(n, s.Seed), !s.NoShrinking),
		features: features, y: p.Y, classes: classes, costs: p.Costs, width: width,
		table: make([]float64, features.Width()*width), alpha: make([]float64, n*classes),
		diag: make([]float64, n), own: make([]float64, n),
		base: make([]float64, classes), moved: make([]shift, 0, classes), by: make([]float64, width),
		parts: make([]certified, n),
	}
	r.visited = r.borrow()
	features.Own(r.own)
	return r, diagonal(g, r.diag)
}
