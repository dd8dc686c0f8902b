package svm

// recent is the share of the latest reduced solutions in the best point, which is older·(an earlier best point) + coef,
// and the same of the scores.
type recent struct {
	coef, f []float64
	older   float64
}

func newRecent(n int) recent {
	return recent{coef: make([]float64, n), f: make([]float64, n), older: 1}
}

// add follows a step of the best point, by a fraction of the way to the goal.
func (r *recent) add(fraction float64, goal *point) {
	left := 1 - fraction
	eachRange(len(r.f), 2*len(r.f), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			r.coef[i] = float64(left*r.coef[i]) + float64(fraction*goal.coef[i])
			r.f[i] = float64(left*r.f[i]) + float64(fraction*goal.f[i])
		}
	})
	r.older *= left
}
