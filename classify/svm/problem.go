package svm

import (
	"cmp"
	"fmt"
	"math"
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
// for any convex R of package risk, with a row per record; [CuttingPlane] solves it.
//
// Solvers only read the slices, which may be the same slice.
type Problem struct {
	Risk    risk.Risk // nil: that of the following five
	Linear  []float64 // p, one entry per row
	Weights []float64 // not 0; the sign is that of the coefficient
	Costs   Costs     // zero: 1 for either sign
	Sum     float64   // s; 0 for SquaredHinge
	NoBias  bool      // b = 0, where Sum is 0; a Risk has its own
	Loss    Loss      // empty: Hinge
	Tol     float64   // relative gap to stop at; zero: 1e-3

	Start      []float64      // feasible coefficients to start from, nil: none; ignored by [SMO] and with a Risk
	CacheBytes int64          // of rows that [SMO] keeps, 8 bytes per entry; zero: DefaultCacheBytes
	Progress   func(Progress) // called now and then, and at the end; may be nil
}

// Costs are the costs C of the two signs of weights, in classification of the two classes. A zero means 1; others are
// 1e-110 to 1e110.
type Costs struct {
	Positive, Negative float64
}

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
	leastCost, mostCost = 1e-110, 1e110
	mostValue           = 1e70
)

const defaultTol = 1e-3

// CheckOptions returns an [OptionError] for a field that no solver accepts. It does not look at Linear, Weights and
// Start.
func (p Problem) CheckOptions() error {
	losses := []Loss{Hinge, SquaredHinge}
	return cmp.Or(
		CheckOption(p.Loss == "" || slices.Contains(losses, p.Loss), "Loss", p.Loss, "one of %q", losses),
		CheckOption(p.CacheBytes >= 0, "CacheBytes", p.CacheBytes, "≥ 0"),
		CheckOption(!p.squared() || p.Sum == 0, "Sum", p.Sum, "0 for the loss %s", SquaredHinge),
		CheckOption(!p.NoBias || p.Sum == 0, "Sum", p.Sum, "0 without a bias"),
		checkCost("Costs.Positive", cmp.Or(p.Costs.Positive, 1)),
		checkCost("Costs.Negative", cmp.Or(p.Costs.Negative, 1)), checkTol(p.Tol))
}

// check returns an error for data that are not a problem for a matrix of n rows.
func (p Problem) check(n int) error {
	if p.Risk != nil {
		if n != p.Risk.Len() {
			return fmt.Errorf("svm: a risk of %d records for a Gram matrix of %d rows", p.Risk.Len(), n)
		}
		return nil
	}
	if n != len(p.Linear) || n != len(p.Weights) {
		return fmt.Errorf("svm: %d linear terms and %d weights for a Gram matrix of %d rows, want one each per row",
			len(p.Linear), len(p.Weights), n)
	}
	if i := firstBeyond(p.Linear); i >= 0 {
		return fmt.Errorf("svm: Linear[%d] = %v, want a number of at most %g", i, p.Linear[i], float64(mostValue))
	}
	least, most := 0.0, 0.0 // of Σ β
	for i, w := range p.Weights {
		if c := p.cost(i); w == 0 || !(c >= leastCost && c <= mostCost) {
			return fmt.Errorf("svm: Weights[%d] = %v, want a cost of %g to %g", i, w, leastCost, mostCost)
		} else if w > 0 {
			most += c
		} else {
			least -= c
		}
	}
	if p.NoBias {
		return nil
	}
	if p.Sum == 0 && (least == 0 || most == 0) || !(p.Sum >= least && p.Sum <= most) {
		return fmt.Errorf("svm: coefficients sum to %v to %v, want Sum = %v between them", least, most, p.Sum)
	}
	return nil
}

// squared reports whether the loss is the squared hinge.
func (p *Problem) squared() bool { return p.Loss == SquaredHinge }

// cost returns |c_i|.
func (p *Problem) cost(i int) float64 {
	if w := p.Weights[i]; w > 0 {
		return w * p.Costs.Positive
	}
	return -p.Weights[i] * p.Costs.Negative
}

// box returns the bounds of coefficient i.
func (p *Problem) box(i int) (lo, hi float64) {
	most := p.cost(i)
	if p.squared() {
		most = math.Inf(1)
	}
	if p.Weights[i] > 0 {
		return 0, most
	}
	return -most, 0
}

// checkNoRisk returns an [OptionError] if a solver of hinges alone has another Risk to minimise.
func (p Problem) checkNoRisk(s Solver) error {
	return CheckOption(p.Risk == nil, "Solver", s, "auto or %s for this task", nameCuttingPlane)
}

func checkCost(name string, c float64) error {
	return CheckOption(c >= leastCost && c <= mostCost, name, c, "> 0 (%g to %g)", leastCost, mostCost)
}

func checkTol(tol float64) error {
	return CheckOption(tol == 0 || tol > 0 && tol < 1, "Tol", tol, "a relative gap between 0 and 1")
}

func checkIterations(most int) error { return CheckOption(most >= 0, "MaxIterations", most, "≥ 0") }
