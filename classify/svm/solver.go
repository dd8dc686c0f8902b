package svm

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Solver solves the two-class support vector problem
//
//	min over w, b of  ½‖w‖² + Σ_i C_i max(0, 1 − y_i(⟨w, φ(x_i)⟩ + b))
//
// or, where its Loss says so, the same with the square of the maximum, given only the Gram matrix of the φ(x_i); it knows nothing of sequences. y has one entry, +1 or −1, per row of g, and
// both signs occur. The bias b is not regularised.
//
// Every solver of this package also minds ctx (it returns ctx.Err() soon after ctx is done), gives the same bits for the
// same input, refuses kernel values beyond ±1e70 or NaN by name, and only reads g and y. A Solver value may be shared by
// goroutines.
type Solver interface {
	Solve(ctx context.Context, g stringkernel.Gram, y []float64) (Solution, error)
}

// Solution is an approximate solution with its certificate.
//
// With a positive semidefinite Gram matrix the optimum lies between Dual and Primal, so that Gap bounds the relative error
// of the objective: it is a proof, not an estimate. A Gap above the solver's tolerance means that the solver ran into its
// iteration limit or into the limits of float64 (the products K·Alpha carry rounding errors of about 1e-16 Σ |K_ij Alpha_j|,
// and so do both values, which matters where kernel values times C reach 1e8 to 1e12). For an indefinite matrix (which [SMO] accepts) Primal and Dual are the
// values of the same two formulas, Gap is 0 exactly at the points that meet the Karush–Kuhn–Tucker conditions, and nothing
// says that such a point is the best one.
type Solution struct {
	Coef       []float64 // signed coefficients y_i α_i with 0 ≤ α_i ≤ C_i (squared hinge: 0 ≤ α_i) and Σ y_i α_i = 0: f(x) = Σ_i Alpha[i]·k(x_i, x)
	Rho        float64   // the decision is f(x) − Rho, that is, the bias is −Rho
	Primal     float64   // ½ αᵀKα + Σ C_i max(0, 1 − y_i(f_i − Rho)) of the (signed) Alpha above, or with the squares of the maxima
	Dual       float64   // Σ α_i − ½ αᵀKα (squared hinge: − Σ α_i²/(4 C_i)) of the best feasible dual point met
	Gap        float64   // (Primal − Dual) / max(|Primal|, 1e-300), never negative
	Iterations int       // pairs optimised (SMO), planes added (CuttingPlane) or passes over the records (DualCoordinate)
	Products   int       // Gram products K·v asked for, or made of feature rows
	Rows       int       // Gram rows asked for
	Solver     string    // "smo", "cutting-plane" or "dual-coordinate"
	Reason     string    // why Auto chose it, in words; else empty
}

// SupportVectors returns the number of non-zero coefficients.
func (s *Solution) SupportVectors() int {
	count := 0
	for _, a := range s.Coef {
		if a != 0 {
			count++
		}
	}
	return count
}

// Costs are the penalties C of a margin error, per class: C_i = Positive where y_i = +1, else Negative. A zero means 1; others are 1e-110 to 1e110.
type Costs struct {
	Positive, Negative float64
}

// Progress is what a solver reports now and then while it runs.
type Progress struct {
	Solver     string  // "smo", "cutting-plane" or "dual-coordinate"
	Machine    int     // which two-class problem of a training run, 0-based; 0 when a solver is used by itself
	Machines   int     // how many two-class problems the run consists of, counting those of calibration; 1 for a solver by itself
	Iterations int     // so far, in this problem
	Primal     float64 // latest upper bound of the optimum, +Inf before the first
	Dual       float64 // latest lower bound, −Inf before the first
	Gap        float64 // relative gap of these two, +Inf before the first
	Done       bool    // the last report of this problem
}

// The defaults behind the zero values of the solvers' fields.
const (
	defaultTol        = 1e-3
	DefaultCacheBytes = 256 << 20
	tinyPrimal        = 1e-300
)

// Limits of costs and kernel values. Within them no sum or square of the solvers leaves float64: (Σ C_i)² K_ii is 1e304 for ten million records.
const (
	leastCost, mostCost = 1e-110, 1e110
	mostValue           = 1e70
	LeastC, MostC       = 1e-100, 1e100 // before class weights
)

// CheckCost returns an error that names a cost out of range.
func CheckCost(name string, c, least, most float64) error {
	if !(c >= least && c <= most) {
		return fmt.Errorf("classify: %s = %v, want > 0 (%g to %g)", name, c, least, most)
	}
	return nil
}

// problem is a checked instance of the two-class problem.
type problem struct {
	g         stringkernel.Gram
	y         []float64
	costs     Costs // no zero left
	squared   bool  // the loss is the squared hinge
	ridges    Costs // 1/(2C) per class for the squared hinge, else 0
	positives int
	products  int
}

func newProblem(g stringkernel.Gram, y []float64, costs Costs, loss string) (*problem, error) {
	if g == nil {
		return nil, fmt.Errorf("classify: no Gram matrix")
	}
	squared, err := CheckLoss(loss)
	if err != nil {
		return nil, err
	}
	p := &problem{g: g, y: y, costs: costs, squared: squared}
	if g.Len() != len(y) {
		return nil, fmt.Errorf("classify: %d labels for a Gram matrix of %d rows, want as many", len(y), g.Len())
	}
	for i, v := range y {
		switch v {
		case 1:
			p.positives++
		case -1:
		default:
			return nil, fmt.Errorf("classify: y[%d] = %v, want +1 or -1", i, v)
		}
	}
	if p.positives == 0 || p.positives == len(y) {
		return nil, fmt.Errorf("classify: %d of %d labels are +1, want at least one +1 and one -1", p.positives, len(y))
	}
	for _, c := range []struct {
		name  string
		value *float64
	}{{"Costs.Positive", &p.costs.Positive}, {"Costs.Negative", &p.costs.Negative}} {
		if *c.value == 0 {
			*c.value = 1
		}
		if err := CheckCost(c.name, *c.value, leastCost, mostCost); err != nil {
			return nil, err
		}
	}
	if p.squared {
		p.ridges = Costs{1 / (2 * p.costs.Positive), 1 / (2 * p.costs.Negative)}
	}
	return p, nil
}

// cost returns C_i.
func (p *problem) cost(i int) float64 {
	if p.y[i] > 0 {
		return p.costs.Positive
	}
	return p.costs.Negative
}

// box returns the bounds of the signed coefficient of record i.
func (p *problem) box(i int) (lo, hi float64) {
	most := p.cost(i)
	if p.squared {
		most = math.Inf(1)
	}
	if p.y[i] > 0 {
		return 0, most
	}
	return -most, 0
}

// multiply writes K·v into dst and checks it.
func (p *problem) multiply(dst, v []float64) error {
	p.products++
	p.g.MulVecTo(dst, v)
	if i := firstNonFinite(dst); i >= 0 {
		return fmt.Errorf("classify: entry %d of a product with the Gram matrix is %v, want finite kernel values", i, dst[i])
	}
	return nil
}

// greatestDiagonal writes the diagonal into dst, checks it and returns max |K_ii|.
func (p *problem) greatestDiagonal(dst []float64) (float64, error) {
	p.g.Diag(dst)
	if i := firstBeyond(dst); i >= 0 {
		return 0, fmt.Errorf("classify: entry (%d, %d) of the Gram matrix is %v, want a kernel value of at most %g", i, i, dst[i], float64(mostValue))
	}
	greatest := 0.0
	for _, v := range dst {
		greatest = max(greatest, math.Abs(v))
	}
	return greatest, nil
}

// CheckTol returns the relative gap to stop at.
func CheckTol(tol float64) (float64, error) {
	if tol == 0 {
		return defaultTol, nil
	}
	if !(tol > 0) || tol >= 1 {
		return 0, fmt.Errorf("classify: Tol = %v, want a relative gap between 0 and 1", tol)
	}
	return tol, nil
}

// relativeGap returns (primal − dual)/|primal|, not below 0.
func relativeGap(primal, dual float64) float64 {
	return max(0, primal-dual) / max(math.Abs(primal), tinyPrimal)
}

// certify fills in the bias, objectives and gap of a dual feasible point beta with f = K·beta.
//
// The gap is summed from its terms ([problem.gapOf]), which equals primal − dual because Σ beta = 0 and loses no digits to cancellation.
func (p *problem) certify(beta, f []float64, quantile *biasFinder) (sol Solution) {
	b := p.bestBias(f, quantile)
	var norm, loss, linear, ridge, gap float64
	for i, y := range p.y {
		alpha := float64(y * beta[i])
		norm += float64(beta[i] * f[i])
		linear += alpha
		ridge += float64(float64(alpha*p.ridge(i)) * alpha)
		recordLoss, recordGap := p.gapOf(i, 1-float64(y*(f[i]+b)), alpha)
		loss += recordLoss
		gap += recordGap
	}
	sol.Coef, sol.Rho = beta, -b
	sol.Primal, sol.Dual = float64(norm/2)+loss, linear-float64(norm/2)-float64(ridge/2)
	sol.Gap = gap / max(math.Abs(sol.Primal), tinyPrimal)
	return sol
}

// firstNonFinite returns the index of the first NaN or infinity, −1 if there is none.
func firstNonFinite(v []float64) int {
	for i, x := range v {
		if x-x != 0 {
			return i
		}
	}
	return -1
}

// firstBeyond returns the index of the first value that is NaN or beyond ±mostValue, −1 if there is none.
func firstBeyond(v []float64) int {
	for i, x := range v {
		if !(math.Abs(x) <= mostValue) {
			return i
		}
	}
	return -1
}

// dot returns Σ a_i b_i in a fixed order of four partial sums, the same on every platform.
func dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += float64(a[i] * b[i])
		s1 += float64(a[i+1] * b[i+1])
		s2 += float64(a[i+2] * b[i+2])
		s3 += float64(a[i+3] * b[i+3])
	}
	for ; i < len(a); i++ {
		s0 += float64(a[i] * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// addScaled adds s·v to dst.
func addScaled(dst []float64, s float64, v []float64) {
	v = v[:len(dst)]
	for i := range dst {
		dst[i] += float64(s * v[i])
	}
}
