package svm

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/classify/risk"
)

// Problem is a quadratic programme in one coefficient β_i per row of a Gram matrix K, as data:
//
//	min over β of  ½ βᵀKβ − pᵀβ   subject to  Σ_i β_i = s  and  β_i between 0 and c_i.
//
// The linear term p is Linear, s is Sum, and the bound c_i, positive or negative, is Weights[i]·Costs.Positive or
// Weights[i]·Costs.Negative, by the sign of the weight. It is the dual of
//
//	min over w, b of  ½‖w‖² + Σ_i |c_i| max(0, ±(p_i − ⟨w, φ(x_i)⟩ − b)) + s b,   w = Σ_i β_i φ(x_i),
//
// with the sign of c_i, and with the squares of the maxima if Loss says so; β_i then has no bound but 0, see
// [SquaredHinge].
//
//	classification   p_i = y_i,       weights y_i = ±1            Sum 0      see [Classify]
//	ε-regression     p = (t−ε, t+ε),  weights (+1 …, −1 …)        Sum 0      every record twice
//	one class        p_i = 0,         weights 1, cost 1           Sum ν n    ρ = −b
//
// A record of weight 2 counts like two equal records of weight 1. With NoBias b is 0, and the condition on Σ β_i falls
// away.
//
// With Risk it is, in place of all that,
//
//	min over w of  ½‖w‖² + R(f),   f_i = ⟨w, φ(x_i)⟩,
//
// for any convex R of package risk, with a row per record; package bundle solves it.
//
// Solvers only read the slices, which may be the same slice.
type Problem struct {
	Risk    risk.Risk // nil: that of the following five
	Linear  []float64 // p, one entry per row
	Weights []float64 // the sign is that of the coefficient; 0 leaves a record out
	Costs   Costs     // zero: 1 for either sign
	Sum     float64   // s; 0 for SquaredHinge
	NoBias  bool      // b = 0, where Sum is 0; a Risk has its own
	Loss    Loss      // empty: Hinge
	Tol     float64   // relative gap to stop at; zero: 1e-3

	Start      []float64      // feasible coefficients to start from, nil: none; ignored by SMO and with a Risk
	CacheBytes int64          // of rows that SMO keeps, 8 bytes per entry; zero: DefaultCacheBytes
	Progress   func(Progress) // called now and then, and at the end; may be nil
}

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

// Costs are the costs C of the two signs of weights, in classification of the two classes. A zero means 1; others are
// 1e-110 to 1e110.
type Costs = risk.Costs

// DefaultCacheBytes is the memory for rows of a Problem that does not say.
const DefaultCacheBytes = 256 << 20

// Classify returns the two-class problem of labels y, +1 or −1, which both occur:
//
//	min over w, b of  ½‖w‖² + Σ_i C_i max(0, 1 − y_i(⟨w, φ(x_i)⟩ + b)).
func Classify(y []float64, costs Costs) (Problem, error) {
	positives := 0
	for i, v := range y {
		switch v {
		case 1:
			positives++
		case -1:
		default:
			return Problem{}, fmt.Errorf("svm: y[%d] = %v, want +1 or -1", i, v)
		}
	}
	if positives == 0 || positives == len(y) {
		return Problem{}, fmt.Errorf("svm: %d of %d labels are +1, want at least one +1 and one -1", positives, len(y))
	}
	return Problem{Linear: y, Weights: y, Costs: costs}, nil
}

// OptionError says that the value of an option, a field of a Problem, of a solver or of what is made of these, is not
// one that it can have.
type OptionError struct {
	Option string // name of the field
	Value  any
	Want   string
}

// Error names the option, its value and what is wanted.
func (e *OptionError) Error() string {
	return fmt.Sprintf("svm: %s = %v, want %s", e.Option, e.Value, e.Want)
}

// CheckOption returns an [OptionError] unless ok. What is wanted is a format and its arguments.
func CheckOption(ok bool, option string, value any, want string, args ...any) error {
	if ok {
		return nil
	}
	return &OptionError{option, value, fmt.Sprintf(want, args...)}
}

// Limits of costs and of kernel values. Within them no sum or square of the solvers leaves float64: (Σ C_i)² K_ii is
// 1e304 for ten million records.
const (
	LeastCost, MostCost = 1e-110, 1e110
	MostValue           = 1e70
)

// DefaultTol is the relative gap of a Problem that does not say.
const DefaultTol = 1e-3

// CheckOptions returns an [OptionError] for a field that no solver accepts. It does not look at Linear, Weights and
// Start.
func (p Problem) CheckOptions() error {
	losses := []Loss{Hinge, SquaredHinge}
	return cmp.Or(
		CheckOption(p.Loss == "" || slices.Contains(losses, p.Loss), "Loss", p.Loss, "one of %q", losses),
		CheckOption(p.CacheBytes >= 0, "CacheBytes", p.CacheBytes, "≥ 0"),
		CheckOption(!p.Squared() || p.Sum == 0, "Sum", p.Sum, "0 for the loss %s", SquaredHinge),
		CheckOption(!p.NoBias || p.Sum == 0, "Sum", p.Sum, "0 without a bias"),
		checkCost("Costs.Positive", cmp.Or(p.Costs.Positive, 1)),
		checkCost("Costs.Negative", cmp.Or(p.Costs.Negative, 1)), CheckTol(p.Tol))
}

// Squared reports whether the loss is the squared hinge.
func (p Problem) Squared() bool { return p.Loss == SquaredHinge }

func checkCost(name string, c float64) error {
	return CheckOption(c >= LeastCost && c <= MostCost, name, c, "> 0 (%g to %g)", LeastCost, MostCost)
}

// CheckTol returns an [OptionError] for a tolerance that is no relative gap; zero is the default.
func CheckTol(tol float64) error {
	return CheckOption(tol == 0 || tol > 0 && tol < 1, "Tol", tol, "a relative gap between 0 and 1")
}

// CheckIterations returns an [OptionError] for a limit of iterations below 0.
func CheckIterations(most int) error { return CheckOption(most >= 0, "MaxIterations", most, "≥ 0") }
