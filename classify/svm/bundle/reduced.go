package bundle

import (
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cholesky"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// reduced is the quadratic programme of the cutting-plane solver,
//
//	max over λ of  offsetᵀλ − ½ λᵀGλ   subject to  λ ≥ 0,  Σ_t λ_t = 1,
//
// on few planes (tens, rarely hundreds). Where the risk is never negative, plane 0 is the zero plane (zero row of G,
// zero offset), which turns Σ λ ≤ 1 of the others into the equation. It is solved by an active-set method (after Wolfe
// 1976, Math. Programming 11:128–149, and the non-negative least squares of Lawson & Hanson 1974): on the support, λ is
// the exact maximiser under the equation alone; a plane that violates optimality most joins the support, planes that
// would become negative leave it. The last support is where the next call starts, so that a new plane costs a few
// changes of O(m²) each.
//
// On Σ λ = 1, adding a constant to all entries of G changes nothing but a constant. With it the matrix is positive
// definite exactly where the planes are affinely independent, so one Cholesky factor of the support does.
type reduced struct {
	g       [][]float64 // symmetric, true values
	offset  []float64
	lambda  []float64
	shift   float64 // added to every entry in the factor
	support []int   // planes with λ > 0, in the order of the factor's rows
	factor  cholesky.Factor
	changes int // removals since the factor was computed afresh

	gradient, target, ones []float64 // scratch
}

// rebuildAfter is the number of removals after which the factor is computed afresh, to shed rounding errors. From a
// quarter to four times as many, results stay within Tol.
const rebuildAfter = 50

// leastChanges, and planeChanges for each plane, bound the changes of the support in a call of solve, which rounding
// might repeat: from a quarter to four times as many, results stay within Tol.
const leastChanges, planeChanges = 50, 10

// newReduced returns the problem of the zero plane, or of none.
func newReduced(zero bool) *reduced {
	if !zero {
		return new(reduced)
	}
	return &reduced{g: [][]float64{{0}}, offset: []float64{0}, lambda: []float64{1}}
}

// add appends a plane given its entries of G with the planes so far, its own entry and its offset.
func (r *reduced) add(column []float64, diagonal, offset float64) {
	for t, v := range column {
		r.g[t] = append(r.g[t], v)
	}
	r.g = append(r.g, append(append([]float64(nil), column...), diagonal))
	r.offset = append(r.offset, offset)
	r.lambda = append(r.lambda, 0)
	if r.shift > 0 {
		return
	}
	r.lambda[0] = 1
	r.shift = offset // the loss at w = 0, which bounds the optimum: the scale of the problem
	if len(r.g) == 1 {
		r.shift = max(math.Abs(offset), diagonal)
	}
	if r.shift <= 0 {
		r.shift = 1
	}
	r.rebuild()
}

// keep drops the planes for which kept is false; they must not be in the support.
func (r *reduced) keep(kept []bool) {
	moved := make([]int, len(kept))
	next := 0
	for t, k := range kept {
		if !k {
			continue
		}
		moved[t] = next
		row := r.g[t]
		width := 0
		for s, ks := range kept {
			if ks {
				row[width] = row[s]
				width++
			}
		}
		r.g[next], r.offset[next], r.lambda[next] = row[:width], r.offset[t], r.lambda[t]
		next++
	}
	r.g, r.offset, r.lambda = r.g[:next], r.offset[:next], r.lambda[:next]
	for i, t := range r.support {
		r.support[i] = moved[t]
	}
}

// solve improves λ until its value is within tol of the maximum, which the greatest component of the gradient over the
// feasible set proves, or until rounding stops it. It returns the value, always of the true G.
func (r *reduced) solve(tol float64) float64 {
	refused := -1 // a plane that left the support at the very step that let it in: rounding, not optimality
	for range leastChanges + planeChanges*len(r.g) {
		value, worst, excess := r.measure()
		if excess <= tol || worst == refused || r.supports(worst) {
			return value
		}
		r.enter(worst)
		refused = r.descend()
	}
	value, _, _ := r.measure()
	return value
}

// measure computes the gradient offset − Gλ and returns the value at λ, the plane with the greatest gradient and by how
// much that exceeds the mean under λ: an upper bound of the distance to the maximum.
func (r *reduced) measure() (value float64, worst int, excess float64) {
	r.gradient = append(r.gradient[:0], r.offset...)
	for _, s := range r.support {
		vectors.AddScaled(r.gradient, -r.lambda[s], r.g[s])
	}
	mean, linear := 0.0, 0.0
	for _, s := range r.support {
		mean += float64(r.lambda[s] * r.gradient[s])
		linear += float64(r.lambda[s] * r.offset[s])
	}
	for t, g := range r.gradient {
		if g > r.gradient[worst] {
			worst = t
		}
	}
	return (linear + mean) / 2, worst, r.gradient[worst] - mean
}

// descend moves λ to the maximiser on the support, dropping planes on the way where the boundary is met. It returns the
// newest plane if that left at once, else −1.
func (r *reduced) descend() (refused int) {
	newest := r.support[len(r.support)-1]
	for {
		r.maximiseOnSupport()
		step := 1.0
		for i, t := range r.support {
			switch way := r.lambda[t] - r.target[i]; {
			case r.target[i] > 0:
			case way > 0:
				step = min(step, r.lambda[t]/way)
			default: // at 0 and to stay there: 0/0 is no step
				step = 0
			}
		}
		if step == 1 {
			for i, t := range r.support {
				r.lambda[t] = r.target[i]
			}
			r.normalise() // nearly dependent planes have targets that sum to 1 up to many roundings
			return -1
		}
		dropped := false
		for i := len(r.support) - 1; i >= 0; i-- {
			t := r.support[i]
			old := r.lambda[t]
			r.lambda[t] += float64(step * (r.target[i] - old))
			if r.target[i] <= 0 && (r.lambda[t] <= 0 || old <= float64(step*(old-r.target[i]))*(1+1e-12)) {
				r.lambda[t] = 0
				r.leave(i)
				dropped = true
				if t == newest && step == 0 {
					refused = newest
					r.normalise()
					return refused
				}
			}
		}
		r.normalise()
		if !dropped || len(r.support) == 0 {
			return newest
		}
	}
}

// maximiseOnSupport writes into target the maximiser over the support under Σ λ = 1, of any sign:
// H⁻¹(offset + μ) with the multiplier μ that makes the sum 1.
func (r *reduced) maximiseOnSupport() {
	m := len(r.support)
	r.target, r.ones = slices.Grow(r.target[:0], m)[:m], slices.Grow(r.ones[:0], m)[:m]
	for i, t := range r.support {
		r.target[i], r.ones[i] = r.offset[t], 1
	}
	r.factor.Solve(r.target)
	r.factor.Solve(r.ones)
	sumTarget, sumOnes := 0.0, 0.0
	for i := range m {
		sumTarget += r.target[i]
		sumOnes += r.ones[i]
	}
	vectors.AddScaled(r.target, (1-sumTarget)/sumOnes, r.ones)
}

// normalise restores Σ λ = 1 after rounding.
func (r *reduced) normalise() {
	sum := 0.0
	for _, t := range r.support {
		sum += r.lambda[t]
	}
	for _, t := range r.support {
		r.lambda[t] /= sum
	}
}

func (r *reduced) supports(plane int) bool { return slices.Contains(r.support, plane) }

func (r *reduced) enter(plane int) {
	column := make([]float64, len(r.support), len(r.support)+1)
	for i, t := range r.support {
		column[i] = r.g[plane][t] + r.shift
	}
	r.factor.Add(column, r.g[plane][plane]+r.shift)
	r.support = append(r.support, plane)
}

func (r *reduced) leave(i int) {
	r.support = append(r.support[:i], r.support[i+1:]...)
	r.changes++
	if r.changes >= rebuildAfter {
		r.rebuild()
		return
	}
	r.factor.Remove(i)
}

// rebuild factors the matrix of the planes with λ > 0 afresh.
func (r *reduced) rebuild() {
	planes := append([]int(nil), r.support...)
	if len(planes) == 0 {
		planes = []int{0}
	}
	r.support, r.changes = r.support[:0], 0
	r.factor.Reset()
	for _, t := range planes {
		r.enter(t)
	}
}
