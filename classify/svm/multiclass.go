package svm

import "fmt"

// MulticlassProblem is the problem of Crammer & Singer 2001 for records of k classes,
//
//	min over w_1 … w_k of  ½ Σ_m ‖w_m‖² + Σ_i C_i max_m (e_im + ⟨w_m, φ(x_i)⟩ − ⟨w_{y_i}, φ(x_i)⟩),
//
// with e_im = 1 for m ≠ y_i, 0 for m = y_i. There is no bias: scores of classes are compared with one another.
type MulticlassProblem struct {
	Y        []int          // class of each record, 0 to Classes − 1
	Classes  int            // k, at least 2
	Costs    []float64      // C of the records of each class, 1e-110 to 1e110; nil: 1 for all
	Tol      float64        // relative gap to stop at; zero: 1e-3
	Progress func(Progress) // called after each pass; may be nil
}

// MulticlassSolution is an approximate solution of a [MulticlassProblem].
type MulticlassSolution struct {
	Coef [][]float64 // Coef[m] has a coefficient per record: f_m(x) = Σ_i Coef[m][i]·k(x_i, x), without Rho
	Rho  []float64   // of each class; nil: there is no bias
	Certificate
	Iterations int // passes, or steps of Newton's method
	Products   int // certificates, or products
	Solver     string
}

// Check returns an error for data that are no problem of n records.
func (p MulticlassProblem) Check(n int) error {
	if n != len(p.Y) || n == 0 {
		return fmt.Errorf("svm: %d labels for a Gram matrix of %d rows, want one per row and at least one row",
			len(p.Y), n)
	}
	if p.Classes < 2 {
		return fmt.Errorf("svm: %d classes, want at least two", p.Classes)
	}
	for i, c := range p.Y {
		if c < 0 || c >= p.Classes {
			return fmt.Errorf("svm: y[%d] = %d, want 0 to %d", i, c, p.Classes-1)
		}
	}
	if p.Costs != nil && len(p.Costs) != p.Classes {
		return fmt.Errorf("svm: %d costs for %d classes, want one per class", len(p.Costs), p.Classes)
	}
	for c, cost := range p.Costs {
		if err := checkCost(fmt.Sprintf("Costs[%d]", c), cost); err != nil {
			return err
		}
	}
	return CheckTol(p.Tol)
}

// Cost returns C of a record.
func (p *MulticlassProblem) Cost(i int) float64 {
	if p.Costs == nil {
		return 1
	}
	return p.Costs[p.Y[i]]
}
