// Package risk has the convex functions R of the scores f_i = ⟨w, φ(x_i)⟩ of n records that learning machines minimise,
// in
//
//	min over w of  ½‖w‖² + R(f).
//
// A support vector machine, ε-regression, quantiles, novelty, ranking and ordinal classes differ in R and in nothing
// else: package svm minimises any of them by the same cutting planes, through products with the Gram matrix alone.
//
//	R                    task                                    free scalars
//	[Hinges] itself      two classes, hinge                      bias
//	[Insensitive]        regression, ε-insensitive               bias
//	[NuInsensitive]      regression, share ν of errors           bias + ε, bias − ε
//	[Pinball]            regression on a quantile                bias
//	[OneClass]           novelty, share ν of outliers            offset ρ
//	[Ball]               novelty, the smallest ball              ρ, of its radius
//	[NuClasses]          two classes, share ν of margin errors   bias − ρ, bias + ρ
//	[Unlabelled]         positive and unlabelled records         bias
//	[Ordinal]            ordered classes                         a threshold between any two neighbours
//	[Ranking]            pairs of records, by groups             none
//
// All but the last one are [Hinges]: sums of pieces max(0, ±(p − f_i − b)), so that data are all that tells them
// apart, and one selection finds the free scalars of any. [Logistic] is the smooth function of logistic regression,
// which package process minimises.
//
// Records are numbered from 0. Functions are linear in n on average unless they say otherwise.
package risk

// Risk is a convex function R of the scores of some records. Its free scalars, such as a bias that is not regularised,
// are minimised out: exactly where R is piecewise linear or quadratic, else to rounding.
//
// A Risk has scratch memory of its own and is not safe for concurrent use.
type Risk interface {
	// Len returns n, the number of records.
	Len() int

	// Plane writes into a, of n entries, the coefficients of a plane that supports R at the scores f: for all scores g
	//
	//	R(g) ≥ offset − Σ_i a_i g_i,
	//
	// with equality at f. So −a is a subgradient, and Σ_i a_i φ(x_i) the point of the dual that it stands for. It
	// returns value = R(f) as well. The same calls give the same bits.
	Plane(a, f []float64) (value, offset float64)

	// Scalars returns the free scalars that minimise at f, the middle where they fill an interval, in a slice of the
	// caller.
	Scalars(f []float64) []float64

	// Nonnegative reports whether R is known to be at least 0 everywhere: then the zero plane is a lower bound.
	Nonnegative() bool
}
