package svm

// Loss is what a margin error ξ = max(0, 1 − y(f + b)), or in general max(0, ±(p − f − b)), costs. C is the cost of the
// record.
type Loss string

const (
	Hinge Loss = "hinge" // C ξ

	// SquaredHinge is C ξ². With it the dual loses its upper bounds and gains a ridge (Cortes & Vapnik 1995, section 3,
	// doi:10.1007/BF00994018):
	//
	//	max over α of  Σ_i α_i − ½ Σ_ij α_i α_j y_i y_j k(x_i, x_j) − Σ_i α_i²/(4 C_i)
	//	subject to     α_i ≥ 0,  Σ_i y_i α_i = 0,
	//
	// which is the problem without margin errors for the matrix K + diag(1/(2 C_i)). A solver of the hinge loss that
	// works on coordinates solves it by adding the ridge to the diagonal and removing the bounds.
	SquaredHinge Loss = "squared-hinge"
)

// ridge returns 1/(2|c_i|) for the squared loss, 0 for the other.
func (p *instance) ridge(i int) float64 {
	if !p.squared() {
		return 0
	}
	if w := p.Weights[i]; w > 0 {
		return p.ridges.Positive / w
	}
	return p.ridges.Negative / -p.Weights[i]
}
