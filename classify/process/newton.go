package process

import (
	"context"
	"math"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/classify/krylov"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// likelihood is a smooth convex function R of k scores f_1 … f_k per record, its biases minimised out.
type likelihood interface {
	// outputs returns k.
	outputs() int
	// look returns R(f), writes −∂R(f) into minus, k vectors of n entries, and remembers the Hessian.
	look(minus, f [][]float64) float64
	// hessian writes R″(f)·v at the scores last looked at.
	hessian(dst, v [][]float64)
}

// newton minimises J(w) = ½ Σ_m ‖w_m‖² + R(f) over w_m = Σ_i β_im φ(x_i).
//
// The gradient at w is w − w' with w' = Σ β'_i φ(x_i), β' = −∂R(f), which is a point of the dual. By Fenchel's equality
// the gap between the primal at w and the dual at w' is ½‖w − w'‖², so that no digits are lost to cancellation. The
// Newton step is Σ δ_i φ(x_i) with
//
//	(I + H·K)δ = g,   g = β' − β,
//
// and the Hessian H of R, which may be singular. I + HK is symmetric in the inner product ⟨u, v⟩ = uᵀKv of the feature
// space, where conjugate gradients solve the system only as well as the gap still has to fall: the residual is the
// gradient that the step leaves, were J a parabola. The step is halved until J falls.
type newton struct {
	likelihood
	g             krylov.Operator
	tol           float64
	progress      func(svm.Progress)
	coef, f       [][]float64 // β and K·β
	minus, kMinus [][]float64 // β' and K·β'
	value         float64     // R(f)

	products, iterations int
}

// newtonBytes is the memory of a record and output: some 25 vectors, and as many again that steps have left and
// collections have not seen.
const newtonBytes = 400

// mostSteps bounds the Newton steps of a run.
const mostSteps = 100

// certificate returns that of the present point.
func (r *newton) certificate() (c svm.Certificate) {
	square := 0.0
	for m, beta := range r.coef {
		for i, b := range beta {
			square += float64((r.minus[m][i] - b) * (r.kMinus[m][i] - r.f[m][i]))
		}
	}
	square = max(0, square)
	c.Primal = r.value + float64(inner(r.coef, r.f)/2)
	c.Dual = c.Primal - float64(square/2)
	c.Gap = svm.Relative(square/2, c.Primal)
	return c
}

// run starts from β = 0, or from where it was, and returns the certificate, from fresh products.
func (r *newton) run(ctx context.Context) (svm.Certificate, error) {
	if r.coef == nil {
		k, n := r.outputs(), r.g.Len()
		r.coef, r.f = scratch.Vectors(k, n), scratch.Vectors(k, n)
		r.minus, r.kMinus = scratch.Vectors(k, n), scratch.Vectors(k, n)
	}
	r.value = r.look(r.minus, r.f)
	for most := r.iterations + mostSteps; ; {
		if err := r.multiply(ctx, r.kMinus, r.minus); err != nil {
			return svm.Certificate{}, err
		}
		now := r.certificate()
		r.report(now, false)
		if now.Gap <= r.tol || r.iterations >= most {
			break
		}
		r.iterations++
		moved, err := r.step(ctx, now.Gap)
		if err != nil {
			return svm.Certificate{}, err
		}
		if !moved {
			break
		}
	}
	if err := r.multiply(ctx, r.f, r.coef); err != nil {
		return svm.Certificate{}, err
	}
	r.value = r.look(r.minus, r.f)
	if err := r.multiply(ctx, r.kMinus, r.minus); err != nil {
		return svm.Certificate{}, err
	}
	last := r.certificate()
	r.report(last, true)
	return last, nil
}

func (r *newton) report(c svm.Certificate, done bool) {
	svm.Report(r.progress, dual.Newton, r.iterations, c, done)
}

// multiply writes K·v[m] into dst[m].
func (r *newton) multiply(ctx context.Context, dst, v [][]float64) error {
	r.products += len(v)
	return krylov.Multiply(ctx, r.g, dst, v)
}

// step takes a Newton step from a point with the given gap. It returns false if float64 allows none.
func (r *newton) step(ctx context.Context, gap float64) (moved bool, err error) {
	k, n := r.outputs(), r.g.Len()
	gradient, kGradient := scratch.Vectors(k, n), scratch.Vectors(k, n) // of −J
	for m := range gradient {
		for i := range gradient[m] {
			gradient[m][i] = r.minus[m][i] - r.coef[m][i]
			kGradient[m][i] = r.kMinus[m][i] - r.f[m][i]
		}
	}
	step, kStep, err := r.solve(ctx, gradient, kGradient, forcing(gap, r.tol))
	if err != nil {
		return false, err
	}
	return r.search(step, kStep), nil
}

// solve returns an approximate solution δ of (I + HK)δ = g and K·δ, given the residual g at 0 and K·g, which it
// overwrites.
func (r *newton) solve(
	ctx context.Context, residual, kResidual [][]float64, tol float64,
) (step, kStep [][]float64, err error) {
	k, n := r.outputs(), r.g.Len()
	step, kStep = scratch.Vectors(k, n), scratch.Vectors(k, n)
	p, kp, hp := along(residual, 0, residual), along(kResidual, 0, kResidual), scratch.Vectors(k, n)
	square := inner(residual, kResidual)
	for enough, most := tol*tol*square, n+100; square > enough && most > 0; most-- {
		r.hessian(hp, kp)
		add(hp, 1, p)
		curve := inner(kp, hp)
		if !(curve > 0) {
			break
		}
		length := square / curve
		add(step, length, p)
		add(kStep, length, kp)
		add(residual, -length, hp)
		if err := r.multiply(ctx, kResidual, residual); err != nil {
			return nil, nil, err
		}
		before := square
		square = inner(residual, kResidual)
		p, kp = along(residual, square/before, p), along(kResidual, square/before, kp)
	}
	return step, kStep, nil
}

// forcing returns the relative residual to which a Newton system is solved. The gap falls with its square, and with
// the square of itself since J is no parabola: it need not be less than what the tolerance asks for, nor than what the
// parabola is worth.
func forcing(gap, tol float64) float64 {
	return min(0.25, max(math.Sqrt(tol/gap)/2, min(math.Sqrt(gap), 0.1)))
}

// search goes along a step as far as J falls in proportion to its slope, by halves, and reports whether it moved.
func (r *newton) search(step, kStep [][]float64) bool {
	const enough, halvings = 1e-4, 30
	slope := inner(r.coef, kStep) - inner(r.minus, kStep)
	before, _ := r.objective()
	coef, f := r.coef, r.f
	for t := 1.0; slope < 0 && t > math.Ldexp(1, -halvings); t /= 2 {
		r.coef, r.f = along(coef, t, step), along(f, t, kStep)
		r.value = r.look(r.minus, r.f)
		after, rounding := r.objective()
		if after <= before+float64(enough*t*slope)+rounding {
			return true
		}
	}
	r.coef, r.f = coef, f
	r.value = r.look(r.minus, r.f)
	return false
}

// objective returns J, and what rounding may add to it.
func (r *newton) objective() (value, rounding float64) {
	value = r.value + float64(inner(r.coef, r.f)/2)
	return value, 1e-15 * math.Abs(value)
}

// along returns v + t·step.
func along(v [][]float64, t float64, step [][]float64) [][]float64 {
	out := scratch.Vectors(len(v), len(v[0]))
	for m := range v {
		copy(out[m], v[m])
	}
	add(out, t, step)
	return out
}

// add adds t·step to dst.
func add(dst [][]float64, t float64, step [][]float64) {
	for m := range dst {
		vectors.AddScaled(dst[m], t, step[m])
	}
}

// inner returns the sum of all products of entries.
func inner(a, b [][]float64) (sum float64) {
	for m := range a {
		sum += vectors.Dot(a[m], b[m])
	}
	return sum
}
