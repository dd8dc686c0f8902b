package bundle

// line is the objective along best + κ (reduced − best): h(κ) = q0 + q1 κ + ½ q2 κ² + R(κ), a known quadratic ½‖w‖² and
// the loss R minimised over the bias, which is convex and piecewise linear in κ because minimising over b keeps
// convexity.
type line struct {
	q0, q1, q2 float64
	evaluate   func(kappa float64) (loss, slope float64)
}

// tangent is the value and slope of R at a point.
type tangent struct{ at, loss, slope float64 }

func (t tangent) value(kappa float64) float64 { return t.loss + float64(t.slope*(kappa-t.at)) }

func (l *line) tangent(kappa float64) tangent {
	loss, slope := l.evaluate(kappa)
	return tangent{kappa, loss, slope}
}

func (l *line) quadratic(kappa float64) float64 {
	return l.q0 + float64(kappa*(l.q1+float64(l.q2*kappa/2)))
}

func (l *line) objective(t tangent) float64 { return l.quadratic(t.at) + t.loss }

func (l *line) slope(t tangent) float64 { return l.q1 + float64(l.q2*t.at) + t.slope }

// minimise returns the best of the evaluated κ in [0, 1], given the tangents at both ends. It brackets the minimiser
// and evaluates where the lower model, the exact quadratic plus the two tangents of R at the ends of the bracket, is
// least. That model also bounds h from below on the bracket: the search stops when nothing better than tol can be
// found.
func (l *line) minimise(left, right tangent, tol float64) tangent {
	best := left
	if l.objective(right) < l.objective(best) {
		best = right
	}
	if l.slope(right) <= 0 || l.slope(left) >= 0 {
		return best
	}
	for range 50 {
		kappa, bound := l.modelMinimum(left, right)
		if l.objective(best)-bound <= tol || kappa <= left.at || kappa >= right.at {
			return best
		}
		middle := l.tangent(kappa)
		if l.objective(middle) < l.objective(best) {
			best = middle
		}
		if l.slope(middle) < 0 {
			left = middle
		} else {
			right = middle
		}
	}
	return best
}

// modelMinimum minimises quadratic + max(left tangent, right tangent) on the bracket.
func (l *line) modelMinimum(left, right tangent) (kappa, value float64) {
	cross := left.at
	if left.slope != right.slope {
		cross = (right.value(0) - left.value(0)) / (left.slope - right.slope)
		cross = min(max(cross, left.at), right.at)
	}
	// Left of the crossing the left tangent is the greater. Each part is a parabola.
	kappa = cross
	if l.q2 > 0 {
		if k := -(l.q1 + left.slope) / l.q2; k < cross {
			kappa = max(k, left.at)
		} else if k := -(l.q1 + right.slope) / l.q2; k > cross {
			kappa = min(k, right.at)
		}
	}
	return kappa, l.quadratic(kappa) + max(left.value(kappa), right.value(kappa))
}
