package svm

import (
	"context"
	"errors"
	"math"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Solver solves a [Problem], given only the Gram matrix of the φ(x_i); it knows nothing of sequences.
//
// Every solver of this package also honours ctx (it returns ctx.Err() soon after ctx is done), gives the same bits for
// the same input, rejects kernel values beyond ±1e70 or NaN by name, and only reads g and p. If the gap cannot be
// closed within the solver's MaxIterations or within float64, which Solution.Gap tells, it returns the best point
// reached and no error. A Solver value may be shared by goroutines.
type Solver interface {
	Solve(ctx context.Context, g stringkernel.Gram, p Problem) (Solution, error)
}

// Space is the tables of features: package compose has those of kernels.
type Space interface {
	// Size returns the number of entries of a table.
	Size() int
	// Filter replaces a table of added features by the one that records are scored with. It is linear, and symmetric:
	// of u and v with the tables s and t the inner product uᵀKv is that of s and the filtered t.
	Filter(ctx context.Context, table []float64) error
}

// Access is a set of the ways in which a solver asks a Gram matrix for its entries.
type Access uint8

// The ways to ask a Gram matrix.
const (
	Rows     Access = 1 << iota // Row: served by a matrix in memory
	Products                    // MulVecTo
	Features                    // explicit feature rows ([stringkernel.FeatureRowsOf])
)

// Planner is implemented by solvers that say beforehand what they will do. A solver without it is used correctly; with
// it, a trainer holds the matrix in memory where that is faster, and rejects options before it indexes a corpus.
type Planner interface {
	// Uses returns what Solve asks g for when it solves p; with a nil g, all that it asks of any matrix.
	Uses(g stringkernel.Gram, p Problem) Access
	// Check returns an [OptionError] if the solver's options, or those of p, are out of range or do not go together.
	Check(p Problem) error
}

// UsesOf returns what a solver says that it uses, nothing if it says nothing.
func UsesOf(s Solver, g stringkernel.Gram, p Problem) Access {
	if planner, ok := s.(Planner); ok {
		return planner.Uses(g, p)
	}
	return 0
}

// Solution is an approximate solution with its certificate.
type Solution struct {
	Coef  []float64 // β: f(x) = Σ_i Coef[i]·k(x_i, x); in classification y_i α_i with 0 ≤ α_i ≤ C_i
	Rho   float64   // the decision is f(x) − Rho, that is, the bias b is −Rho
	Table []float64 // Σ_i β_i φ(x_i), of records on tables of features alone
	// of a Risk, its free scalars; Rho is minus their mean
	Scalars []float64
	Certificate
	Iterations int    // pairs optimised, planes added, passes over the records or steps of Newton's method
	Products   int    // Gram products K·v computed, also those made of feature rows
	Rows       int    // Gram rows computed
	Solver     string // "smo", "cutting-plane", "dual-coordinate", "newton" or another
	Reason     string // why this solver was chosen, in words; else empty
}

// Certificate bounds the error of a solution.
//
// With a positive semidefinite Gram matrix the optimum lies between Dual and Primal, so that Gap bounds the relative
// error of the objective: it is a proof, not an estimate. A Gap above the tolerance means that the solver reached its
// iteration limit or the limits of float64 (the products K·Coef carry rounding errors of about 1e-16 Σ |K_ij Coef_j|,
// and so do both values, which matters where kernel values times C reach 1e8 to 1e12). For an indefinite matrix (which
// SMO accepts) Primal and Dual are the values of the same two formulas, Gap is 0 exactly at the points that meet the
// Karush–Kuhn–Tucker conditions, and nothing says that such a point is the best one.
type Certificate struct {
	Primal float64 // ½ βᵀKβ + Σ |c_i| max(0, ±(p_i − f_i + Rho)) − s·Rho, or with the squares of the maxima
	Dual   float64 // pᵀβ − ½ βᵀKβ (squared hinge: − Σ β_i²/(4|c_i|)) of the best feasible point found
	Gap    float64 // (Primal − Dual) / max(|Primal|, 1e-300), never negative
}

// ErrIndefinite is wrapped by the error of solvers that need one for a matrix that turns out not to be positive
// semidefinite: without that the problem is not convex, and planes bound nothing. SMO accepts such a matrix. Slightly
// negative eigenvalues may go unnoticed; then the Gap tells whether the point is a good one.
var ErrIndefinite = errors.New("svm: the Gram matrix is not positive semidefinite")

// TinyPrimal replaces a primal value of 0 in relative gaps.
const TinyPrimal = 1e-300

// Relative returns a gap over the size of the primal value.
func Relative(gap, primal float64) float64 { return gap / max(math.Abs(primal), TinyPrimal) }

// Between returns the certificate of two bounds, whose gap is +Inf before both are known.
func Between(primal, dual float64) Certificate {
	c := Certificate{primal, dual, math.Inf(1)}
	if !math.IsInf(primal, 0) && !math.IsInf(dual, 0) {
		c.Gap = Relative(max(0, primal-dual), primal)
	}
	return c
}

// SupportVectors returns the number of non-zero coefficients.
func (s *Solution) SupportVectors() (count int) {
	for _, x := range s.Coef {
		if x != 0 {
			count++
		}
	}
	return count
}

// Progress is what a solver reports now and then while it runs.
type Progress struct {
	Solver      string // as in Solution
	Machine     int    // which two-class problem of a training run, 0-based; 0 for a single problem
	Machines    int    // number of two-class problems of the run, counting those of calibration; 1 for a single problem
	Iterations  int    // so far, in this problem
	Certificate        // the latest bounds of the optimum, infinite before the first
	Certified   int    // iteration of these bounds, where they are older than Iterations; else 0
	Expected    int    // iterations after which the gap is expected to be Tol; 0: not known
	Done        bool   // the last report of this problem
}

// Report tells progress, if that is not nil, of a single problem.
func Report(progress func(Progress), solver string, iterations int, c Certificate, done bool) {
	if progress != nil {
		progress(Progress{Solver: solver, Machines: 1, Iterations: iterations, Certificate: c, Done: done})
	}
}
