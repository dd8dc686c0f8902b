package descent

import (
	"cmp"
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/simd"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// CrammerSinger solves a [svm.MulticlassProblem] by the sequential dual method of Keerthi et al. 2008, which is
// LIBLINEAR's -s 4. It needs explicit feature rows ([stringkernel.FeatureRows]).
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
// Order of visits, shrinking and the stopping rule are those of [Solver]: blocks of 256 records in random order,
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
	Seed          uint64 // of the order of visits
}

// Solve solves the problem. It honours ctx, and if the gap cannot be closed within MaxIterations it returns the best
// point reached and no error.
func (s CrammerSinger) Solve(
	ctx context.Context, g stringkernel.Gram, p svm.MulticlassProblem) (svm.MulticlassSolution, error) {
	if g == nil {
		return svm.MulticlassSolution{}, dual.ErrNoGram
	}
	if err := cmp.Or(svm.CheckIterations(s.MaxIterations), p.Check(g.Len())); err != nil {
		return svm.MulticlassSolution{}, err
	}
	r, err := s.newRun(g, p)
	if err != nil {
		return svm.MulticlassSolution{}, err
	}
	if err := r.run(ctx, r, cmp.Or(p.Tol, svm.DefaultTol), p.Progress, nil); err != nil {
		return svm.MulticlassSolution{}, err
	}
	return svm.MulticlassSolution{Coef: r.best, Certificate: r.proved, Iterations: r.passes, Products: r.certified,
		Solver: dual.DualCoordinate}, nil
}

// coefficientBytes is the memory of the coefficients of a record for a class: in the descent, in a certificate and in
// the best of them.
const coefficientBytes = 24

// newRun makes the tables.
func (s CrammerSinger) newRun(g stringkernel.Gram, p svm.MulticlassProblem) (*multiclassRun, error) {
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
		descent:  newDescent(Solver(s), newVisits(n, numbered(n, func(int) bool { return true }), s.Seed)),
		features: features, MulticlassProblem: p, width: width,
		table: make([]float64, features.Width()*width), alpha: make([]float64, n*classes),
		diag: make([]float64, n), own: make([]float64, n),
		base: make([]float64, classes), moved: make([]shift, 0, classes), by: make([]float64, width),
		parts: make([]terms, n),
	}
	r.visited = r.borrow()
	features.Own(r.own)
	return r, dual.Diagonal(g, r.diag)
}
