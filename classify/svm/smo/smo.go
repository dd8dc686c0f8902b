// Package smo solves problems of hinges by sequential minimal optimisation, on rows of the Gram matrix.
package smo

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Solver solves a problem by sequential minimal optimisation on rows of the Gram matrix: for small corpora, for kernels
// that have rows but no fast product, for high accuracy, and for indefinite matrices.
//
// In the signed coefficients β of [svm.Problem] the equality constraint and the update of a pair (β_i += d, β_j −= d)
// are free of signs. With e = p − Kβ the negative gradient, β is optimal if and only if max{e_i : β_i may grow} ≤
// min{e_j : β_j may shrink}; the difference of these two is the violation. Each step takes for i the greatest e_i, for
// j the record whose pair promises the greatest decrease to second order (Fan, Chen & Lin 2005, J. Mach. Learn. Res.
// 6:1889–1918), and solves for the pair exactly. Records at a bound that cannot be chosen soon leave the working set
// (shrinking); their gradient is recomputed from one product when the rest is solved. Pairs without curvature
// (indefinite K, duplicates) are given a tiny one.
//
// With the squared hinge there are no upper bounds, and 1/(2|c_i|) is added to K_ii. Without a bias there is one record
// more, whose row is 0, whose e is 0, and which has no bounds: what the others sum to is up to it.
//
// The steps stop at a violation ε; then the exact objectives and the gap are computed on all records, and if the
// relative gap exceeds Tol, the steps go on to the ε with which it would be about Tol if it were in proportion to ε, at
// least a tenth and at most half of the one before.
//
// Cost: n reads per step besides the rows themselves. Memory: CacheBytes for rows (at least two) and about 60 bytes per
// record.
type Solver struct {
	MaxIterations int // steps; zero: the greater of 10 million and 100 n
}

// String returns "smo".
func (Solver) String() string { return dual.SMO }

// Uses implements [svm.Planner].
func (s Solver) Uses(stringkernel.Gram, svm.Problem) svm.Access { return svm.Rows }

// Check implements [svm.Planner].
func (s Solver) Check(p svm.Problem) error {
	return dual.CheckHinges(p, s, s.MaxIterations)
}

// From a quarter to four times these, shares below 1, results stay within Tol.
const (
	firstViolation    = 0.1    // ε to begin with
	mostFall          = 0.1    // what ε is multiplied with when the gap exceeds Tol, at least
	leastFall         = 0.5    // and at most
	smallestViolation = 1e-15  // ε to end with at the latest
	tinyCurvature     = 1e-12  // of a pair that has none or less
	aim               = 0.97   // part of Tol that the next ε is to lead to
	shrinkEvery       = 1000   // steps, at most, until records that cannot be chosen soon leave the working set
	window            = 10_000 // steps between reports, and between looks at whether the objective still falls
)

// run is the state of one call of Solve.
type run struct {
	*dual.Program
	cache      *rowCache
	beta       []float64 // signed coefficients
	e          []float64 // p − Kβ (less the ridge times β, of the squared hinge), up to date for active records
	lo, hi     []float64 // bounds of beta
	diag       []float64 // K_ii, and the ridge of the squared hinge
	active     []int32   // working set, ascending
	all        []int32   // 0 … n−1
	fresh      bool      // e is up to date everywhere and free of accumulated rounding
	iterations int
	untilShrink,
	maxIterations int
	latest           svm.Certificate
	gain, gainBefore float64 // decrease of the objective since the start, and up to the last window of steps
}

// Solve implements [svm.Solver].
func (s Solver) Solve(ctx context.Context, g stringkernel.Gram, p svm.Problem) (svm.Solution, error) {
	in, err := dual.OfGram(g, p, s)
	if err != nil {
		return svm.Solution{}, err
	}
	r, err := s.newRun(ctx, in)
	if err != nil {
		return svm.Solution{}, err
	}
	for violation := firstViolation; ; {
		finished, err := r.descend(ctx, violation)
		if err != nil {
			return svm.Solution{}, err
		}
		sol := in.Certify(r.beta[:len(in.Linear)], r.scores()[:len(in.Linear)])
		sol.Gap = max(sol.Gap, r.rounding(sol.Primal))
		sol.Iterations, sol.Products, sol.Rows, sol.Solver = r.iterations, r.Products, r.cache.misses, dual.SMO
		r.latest = sol.Certificate
		done := sol.Gap <= r.Tol || !finished || violation < smallestViolation
		svm.Report(r.Progress, dual.SMO, r.iterations, sol.Certificate, done)
		if done {
			return sol, nil
		}
		violation *= min(leastFall, max(mostFall, aim*r.Tol/sol.Gap))
	}
}

// rounding returns the error of βᵀKβ that rounding of the entries of K alone may cause, relative to the primal value,
// at most 1: with so much of it, what the objectives say of the point may be the rounding's doing.
func (r *run) rounding(primal float64) float64 {
	const unit = 0x1p-53
	size := 0.0 // Σ |β_i| √K_ii: its square bounds Σ |β_i K_ij β_j|
	for i, b := range r.beta {
		size += float64(math.Abs(b) * math.Sqrt(max(0, r.diag[i])))
	}
	return min(1, svm.Relative(unit*float64(size*size), primal))
}

func (s Solver) newRun(ctx context.Context, p *dual.Program) (*run, error) {
	if p.NoBias {
		p = withFree(p)
	}
	n := len(p.Linear)
	r := &run{
		Program: p, cache: newRowCache(p.Gram, n, p.CacheBytes),
		beta: p.Origin(), e: slices.Clone(p.Linear),
		lo: make([]float64, n), hi: make([]float64, n), diag: make([]float64, n),
		all: make([]int32, n), fresh: true,
		maxIterations: cmp.Or(s.MaxIterations, max(10_000_000, 100*n)), untilShrink: min(n, shrinkEvery),
		latest: svm.Between(math.Inf(1), math.Inf(-1)),
	}
	for i := range n {
		r.all[i] = int32(i)
		r.lo[i], r.hi[i] = p.Box(i)
	}
	if p.NoBias {
		r.lo[n-1] = math.Inf(-1)
	}
	r.active = slices.Clone(r.all)
	if err := dual.Diagonal(p.Gram, r.diag[:p.Gram.Len()]); err != nil {
		return nil, err
	}
	for i := range r.diag {
		r.diag[i] += p.Ridge(i)
	}
	if p.Sum != 0 {
		return r, r.reconstruct(ctx)
	}
	return r, nil
}

// withFree returns a problem without a bias as one with: a last record, with a row of zeros, a linear term of 0 and a
// weight without limit, makes coefficients sum to 0 and changes nothing else. The matrix has no row of it.
func withFree(p *dual.Program) *dual.Program {
	q := *p
	q.Linear = append(slices.Clone(p.Linear), 0)
	q.Weights = append(slices.Clone(p.Weights), math.Inf(1))
	return &q
}

// descend takes steps until the violation over all records is at most eps. It returns false if it had to give up: at
// the iteration limit, or where rounding stops all progress. In either case e is fresh on return.
func (r *run) descend(ctx context.Context, eps float64) (finished bool, err error) {
	for {
		if err := ctx.Err(); err != nil { // at every step: rows of a slow kernel may take seconds
			return false, err
		}
		if r.untilShrink == 0 {
			r.shrink()
			r.untilShrink = min(len(r.e), shrinkEvery)
		}
		i, j, violation, err := r.selectPair(ctx)
		if err != nil {
			return false, err
		}
		done, moved := violation <= eps, false
		if !done {
			if r.iterations >= r.maxIterations {
				return false, r.reconstruct(ctx)
			}
			if moved, err = r.step(ctx, i, j); err != nil {
				return false, err
			}
		}
		if !moved {
			if r.fresh {
				return done, nil
			}
			if err := r.reconstruct(ctx); err != nil {
				return false, err
			}
			continue
		}
		r.iterations++
		r.untilShrink = max(0, r.untilShrink-1)
		if r.iterations%window == 0 {
			svm.Report(r.Progress, dual.SMO, r.iterations, r.latest, false)
			if r.gain-r.gainBefore <= 1e-15*r.gain { // only rounding moves
				return false, r.reconstruct(ctx)
			}
			r.gainBefore = r.gain
		}
	}
}

// step optimises the pair (i, j) and updates e on the active records. It returns false if rounding leaves beta as it
// is.
func (r *run) step(ctx context.Context, i, j int) (moved bool, err error) {
	rowI, err := r.cache.get(ctx, i)
	if err != nil {
		return false, err
	}
	rowJ, err := r.cache.get(ctx, j)
	if err != nil {
		return false, err
	}
	curvature := r.diag[i] + r.diag[j] - float64(2*rowI[j])
	if curvature <= 0 {
		curvature = tinyCurvature
	}
	d := (r.e[i] - r.e[j]) / curvature
	roomI, roomJ := r.hi[i]-r.beta[i], r.beta[j]-r.lo[j]
	d = min(d, roomI, roomJ)
	newI, newJ := r.beta[i]+d, r.beta[j]-d
	if d == roomI { // bounds are hit exactly, so that membership of the working set is a comparison
		newI = r.hi[i]
	}
	if d == roomJ {
		newJ = r.lo[j]
	}
	if newI == r.beta[i] && newJ == r.beta[j] {
		return false, nil
	}
	r.beta[i], r.beta[j] = newI, newJ
	r.gain += float64(d * (r.e[i] - r.e[j] - float64(d*curvature/2)))
	for _, t := range r.active {
		r.e[t] -= float64(d * (rowI[t] - rowJ[t]))
	}
	r.e[i] -= float64(d * r.Ridge(i))
	r.e[j] += float64(d * r.Ridge(j))
	r.fresh = false
	return true, nil
}

// reconstruct makes every record active again and computes e = p − Kβ from scratch: by one product, or from rows where
// a product would compute them again. Which of the two depends on the matrix alone, not on what happens to be cached,
// so that the size of the cache never changes a bit.
func (r *run) reconstruct(ctx context.Context) error {
	r.active = append(r.active[:0], r.all...)
	n := r.Gram.Len()
	if stringkernel.IsRowBased(r.Gram) {
		if err := r.cache.combine(ctx, r.e, r.beta); err != nil {
			return err
		}
	} else if err := r.Multiply(ctx, r.e[:n], r.beta[:n]); err != nil {
		return err
	}
	clear(r.e[n:])
	r.mirror(r.e)
	r.fresh = true
	r.untilShrink = min(len(r.e), shrinkEvery)
	return nil
}

// scores returns f = Kβ of a fresh state.
func (r *run) scores() []float64 {
	f := make([]float64, len(r.e))
	r.mirror(f)
	return f
}

// mirror writes what is left of the linear term, less the ridge, by e: f = Kβ if e is p − Kβ, and the other way round.
func (r *run) mirror(dst []float64) {
	for i, v := range r.Linear {
		dst[i] = v - r.e[i] - float64(r.Ridge(i)*r.beta[i])
	}
}
