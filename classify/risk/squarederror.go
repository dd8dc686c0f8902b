package risk

// SquaredError is the risk of ridge regression on the targets y,
//
//	R(f) = min over b of Σ_i c_i (y_i − f_i − b)²:
//
// with c_i = 1/(2λ) it is kernel ridge regression with the penalty λ, which package process solves as a linear system.
type SquaredError struct {
	NoBias bool // b = 0

	y, cost []float64
	total   float64 // Σ c
}

// NewSquaredError returns the risk at the cost c times the weight of a record; weights may be nil.
func NewSquaredError(y, weights []float64, c float64) *SquaredError {
	r := &SquaredError{y: y, cost: make([]float64, len(y))}
	for i := range y {
		if r.cost[i] = c; weights != nil {
			r.cost[i] = c * weights[i]
		}
		r.total += r.cost[i]
	}
	return r
}

// Len returns the number of records.
func (r *SquaredError) Len() int { return len(r.y) }

// Nonnegative reports that R ≥ 0.
func (r *SquaredError) Nonnegative() bool { return true }

// Scalars returns the bias, the weighted mean of what the scores leave; 0 with NoBias.
func (r *SquaredError) Scalars(f []float64) []float64 {
	if r.NoBias {
		return []float64{0}
	}
	sum := 0.0
	for i, y := range r.y {
		sum += float64(r.cost[i] * (y - f[i]))
	}
	return []float64{sum / r.total}
}

// Plane implements [Risk].
func (r *SquaredError) Plane(a, f []float64) (value, offset float64) {
	b := r.Scalars(f)[0]
	for i, y := range r.y {
		e := y - f[i] - b
		a[i] = float64(2 * r.cost[i] * e)
		square := float64(r.cost[i] * e * e)
		value += square
		offset += float64(a[i]*y) - square
	}
	return value, offset
}

// Gap implements [Separable].
func (r *SquaredError) Gap(a, f []float64) (value, conjugate, gap float64) {
	b := r.Scalars(f)[0]
	for i, y := range r.y {
		c, e := r.cost[i], y-f[i]-b
		value += float64(c * e * e)
		conjugate += float64(a[i]*y) - float64(a[i]*a[i])/(4*c)
		root := float64(c*e) - float64(a[i]/2)
		gap += float64(root * root / c)
	}
	return value, conjugate, gap
}
