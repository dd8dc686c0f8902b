package bundle

import "context"

// Space is where the points of a run live: combinations w of the feature vectors of n records, each with its scores
// f_i = ⟨w, φ(x_i)⟩. It keeps the planes, in the order in which they came, and two points that are convex combinations
// of planes: the best so far and the goal, the reduced solution. Both are 0 at first.
//
// A plane is offset − ⟨w, ·⟩, a lower bound of the risk R.
type Space interface {
	// Touch adds the plane that supports R at the scores best + step·(goal − best) or, if reach is finite, one nearer to
	// the goal, see [risk.Proximal], the further away the greater reach, whose unit is the space's own. It returns the
	// offset and the inner products of its w with those of all planes, its own the last.
	Touch(ctx context.Context, step, reach float64) (offset float64, products []float64, err error)

	// Combine makes the goal Σ weights[t]·plane[planes[t]].
	Combine(ctx context.Context, planes []int, weights []float64) error

	// Quadratic returns q in ½‖best + κ (goal − best)‖² = q[0] + q[1] κ + ½ q[2] κ². The error is that of a space that
	// has no inner product.
	Quadratic() (q [3]float64, err error)

	// Loss returns R at best + κ (goal − best), and its slope in κ.
	Loss(kappa float64) (loss, slope float64)

	// Move moves the best point by κ (goal − best).
	Move(kappa float64)

	// Forget makes the best point, of a given primal value, the mean of the latest goals alone, which has fewer
	// coefficients, if earlier points have less than a share of it and the primal value of the mean is at most most. It
	// returns the primal value of the best point after that.
	Forget(primal, share, most float64) float64

	// Certify recomputes the scores of a point and returns its values.
	Certify(ctx context.Context, p Point) (Certificate, error)

	// Drop removes the planes for which kept is false. The others keep their order.
	Drop(kept []bool)
}

// Point is one of the points of a Space.
type Point int

// The points of a Space.
const (
	Best Point = iota
	Goal
)

// Certificate is the primal value of a point, a lower bound of the optimum, −Inf if the point gives none, and the
// relative gap of the two.
type Certificate struct {
	Primal, Dual, Gap float64
}
