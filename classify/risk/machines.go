package risk

import (
	"math"
	"slices"
)

// Insensitive returns the risk of ε-regression on the targets y (Drucker et al. 1997; LIBSVM's epsilon-SVR),
//
//	R(f) = min over b of Σ_i C w_i max(0, |y_i − f_i − b| − ε):
//
// what is predicted to within ε costs nothing. weights may be nil.
func Insensitive(y, weights []float64, c, epsilon float64) *Hinges {
	return sides(y, weights, Costs{c, c}, epsilon)
}

// Pinball returns the risk of regression on the quantile q of the targets y, 0 < q < 1 (Koenker & Bassett 1978;
// Takeuchi et al. 2006, J. Mach. Learn. Res. 7:1231–1264),
//
//	R(f) = min over b of Σ_i C w_i max(q r_i, (q − 1) r_i),   r_i = y_i − f_i − b:
//
// at the optimum the share q of the weight lies at or below its prediction. weights may be nil.
func Pinball(y, weights []float64, c, q float64) *Hinges {
	return sides(y, weights, Costs{c * q, c * (1 - q)}, 0)
}

// NuInsensitive returns the risk of ν-regression (Schölkopf et al. 2000, doi:10.1162/089976600300015565, scaled as
// LIBSVM's nu-SVR),
//
//	R(f) = min over b, ε of Σ_i C max(0, |y_i − f_i − b| − ε) + C ν n ε,
//
// in which ε is found so that at most νn records lie outside the tube and at least νn are support vectors. 0 < ν ≤ 1.
func NuInsensitive(y []float64, c, nu float64) *Hinges {
	h := sides(y, nil, Costs{c, c}, 0)
	h.Scalar = make([]int32, len(h.Points))
	for i := range y {
		h.Scalar[2*i] = 1 // b − ε for what lies below it, b + ε for what lies above
	}
	half := c * nu * float64(len(y)) / 2
	h.Sums = []float64{half, -half}
	return h
}

// OneClass returns the risk of novelty detection (Schölkopf et al. 2001, doi:10.1162/089976601750264965) for scores of
// novelty,
//
//	R(f) = min over ρ of  Σ_i w_i max(0, f_i + ρ)/(νn) − ρ,
//
// in which at most νn of the n records have f_i + ρ > 0, and at least νn are support vectors; with weights, shares of
// the weight. The scalar is ρ. 0 < ν ≤ 1; ν = 1 gives minus the mean of the φ(x_i). weights may be nil. LIBSVM has the
// scores −f, and (νn)² times the objective.
func OneClass(n int, weights []float64, nu float64) *Hinges {
	w := Times(slices.Repeat([]float64{-1}, n), weights)
	total := 0.0
	for _, v := range w {
		total -= v
	}
	return &Hinges{Points: make([]float64, n), Weights: w, Costs: Costs{1, 1 / (nu * total)}, Sums: []float64{-1}}
}

// Ball returns the risk of support vector data description (Tax & Duin 2004, doi:10.1023/B:MACH.0000008084.60811.49)
// for the same scores and self_i = k(x_i, x_i),
//
//	R(f) = min over ρ of  Σ_i w_i max(0, f_i + ½self_i + ρ)/(νn) − ρ:
//
// with the centre a = −w and r² = ‖a‖² − 2ρ, twice ½‖w‖² + R is r² + Σ_i w_i max(0, ‖φ(x_i) − a‖² − r²)/(νn), that of
// the smallest ball that at most νn records lie outside of. f(x) + ½k(x, x) + ρ is half of ‖φ(x) − a‖² − r². Where self
// is constant, it is [OneClass] with ρ less by half of that.
func Ball(self, weights []float64, nu float64) *Hinges {
	h := OneClass(len(self), weights, nu)
	for i, v := range self {
		h.Points[i] = -v / 2
	}
	return h
}

// NuClasses returns the risk of the ν-SVM (Schölkopf et al. 2000) for labels y_i = ±1,
//
//	R(f) = min over b, ρ of  Σ_i max(0, ρ − y_i(f_i + b))/n − νρ,
//
// in which at most νn records are margin errors and at least νn are support vectors. The scalars are b − ρ, of the
// positive class, and b + ρ. 0 < ν ≤ [MostNu]: with more, R has no minimum.
func NuClasses(y []float64, nu float64) *Hinges {
	n := float64(len(y))
	h := &Hinges{
		Points: make([]float64, len(y)), Weights: y, Costs: Costs{1 / n, 1 / n},
		Scalar: make([]int32, len(y)), Sums: []float64{nu / 2, -nu / 2},
	}
	for i, v := range y {
		if v < 0 {
			h.Scalar[i] = 1
		}
	}
	return h
}

// MostNu returns the greatest ν that a ν-SVM can have: twice the share of the smaller class.
func MostNu(y []float64) float64 {
	positives := 0
	for _, v := range y {
		if v > 0 {
			positives++
		}
	}
	return 2 * float64(min(positives, len(y)-positives)) / float64(len(y))
}

// Unlabelled returns the risk of learning from positive (y_i = 1) and unlabelled records (y_i = −1), of which the share
// prior is positive too (du Plessis, Niu & Sugiyama 2015, http://proceedings.mlr.press/v37/plessis15.html),
//
//	R(f) = min over b of  C n ( −π/n₊ Σ_{y=1} t_i + 1/n₋ Σ_{y=−1} max(t_i, max(0, ½ + ½t_i)) ),   t_i = f_i + b:
//
// with the double hinge, it is convex and an unbiased estimate of the loss of fully labelled data.
func Unlabelled(y []float64, c, prior float64) *Hinges {
	positives := 0.0
	for _, v := range y {
		positives += max(0, v)
	}
	n := float64(len(y))
	pull := c * n * prior / positives
	h := &Hinges{
		Costs: Costs{1, c * n / (n - positives) / 2}, Records: len(y), Linear: make([]float64, len(y)),
		Sums: []float64{-pull * positives}, Record: []int32{},
	}
	for i, v := range y {
		if v > 0 {
			h.Linear[i] = pull
			continue
		}
		// max(t, max(0, ½ + ½t)) = ½ max(0, 1 + t) + ½ max(0, t − 1)
		h.Points = append(h.Points, 1, -1)
		h.Weights = append(h.Weights, -1, -1)
		h.Record = append(h.Record, int32(i), int32(i))
	}
	return h
}

// Ordinal returns the risk of classes 0 … k−1 in order, by immediate thresholds (Chu & Keerthi 2007,
// doi:10.1162/neco.2007.19.3.792),
//
//	R(f) = min over θ_0 ≤ … ≤ θ_{k−2} of  Σ_i C w_i (max(0, 1 + f_i − θ_c) + max(0, 1 − f_i + θ_{c−1})),   c = class_i:
//
// a record lies above the thresholds below its class, and below those above it. The scalars are −θ. weights may be nil.
func Ordinal(class []int, classes int, weights []float64, c float64) *Hinges {
	h := &Hinges{
		Costs: Costs{c, c}, Records: len(class), Sums: make([]float64, classes-1), Ordered: true,
		Record: []int32{}, Scalar: []int32{},
	}
	for i, k := range class {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		for _, side := range []float64{1, -1} { // by descending points
			threshold := k - 1
			if side < 0 {
				threshold = k
			}
			if threshold < 0 || threshold >= classes-1 {
				continue
			}
			h.Points = append(h.Points, side)
			h.Weights = append(h.Weights, side*w)
			h.Record = append(h.Record, int32(i))
			h.Scalar = append(h.Scalar, int32(threshold))
		}
	}
	return h
}

// sides returns two hinges per record of the targets y: of the first the prediction loses above y + epsilon, of the
// second below y − epsilon.
func sides(y, weights []float64, costs Costs, epsilon float64) *Hinges {
	h := &Hinges{
		Points: make([]float64, 2*len(y)), Weights: make([]float64, 2*len(y)), Costs: costs,
		Record: make([]int32, 2*len(y)), Records: len(y),
	}
	for i, v := range y {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		h.Points[2*i], h.Points[2*i+1] = v+epsilon, v-epsilon
		h.Weights[2*i], h.Weights[2*i+1] = -w, w
		h.Record[2*i], h.Record[2*i+1] = int32(i), int32(i)
	}
	return h
}

// Times returns the products of signs and weights, the signs themselves where there are no weights.
func Times(signs, weights []float64) []float64 {
	if weights == nil {
		return signs
	}
	out := make([]float64, len(signs))
	for i, s := range signs {
		out[i] = math.Copysign(weights[i], s)
	}
	return out
}
