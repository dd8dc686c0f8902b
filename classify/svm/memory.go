package svm

import "github.com/seqsvm/seqsvm/stringkernel"

// The planes that a run of package bundle keeps, counted on where C times the mean of K_ii is 1; in proportion to that
// from the least to the most. On 2,000 to 80,000 records (gapped k-mers, positions, substrings of DNA) a run had 11 to
// 30 iterations at 1 and 10, and kept as many planes; on 60,000 records of 12 letters the heap was that of 75 at 1, of
// 38 to 47 at 0.1 and of 110 at 10. They decide which problems a trainer refuses, and whether machines share products:
// results stay within Tol whatever they are.
const leastPlanes, usualPlanes, mostPlanes = 45, 80, 130

// The same of a risk: counted on 20,000 records of 30 letters, planes were 1 to 9 at 0.1, 6 to 25 at 1 and 9 to 108 at
// 10 (logistic, of numbers, ranks, novelty and ordered classes): the same holds.
const leastRiskPlanes, usualRiskPlanes, mostRiskPlanes = 25, 60, 260

// Sizer is implemented by solvers of other packages that know how much memory they take: a trainer refuses problems
// that would not fit.
type Sizer interface {
	// Bytes estimates the memory of Solve for a problem of n records, besides the matrix.
	Bytes(n int) float64
}

// BytesOf estimates the memory that a solver takes for a problem on g, besides the matrix. mean is that of the diagonal
// of g. Of a solver that is no [Sizer] and does not say what it uses it is 0.
func BytesOf(s Solver, g stringkernel.Gram, p Problem, mean float64) float64 {
	if sizer, ok := s.(Sizer); ok {
		return sizer.Bytes(g.Len())
	}
	n := float64(g.Len())
	switch UsesOf(s, g, p) {
	case Products:
		cost := mean * max(p.Costs.Positive, p.Costs.Negative)
		planes := max(leastPlanes, min(usualPlanes*cost, mostPlanes))
		if p.Risk != nil {
			planes = max(leastRiskPlanes, min(usualRiskPlanes*cost, mostRiskPlanes))
		}
		return (100 + float64(19*planes)) * n // a coefficient and its product, at most
	case Rows:
		if stringkernel.TraitsOf(g).InMemory {
			return 60 * n
		}
		return float64(60*n) + max(float64(16*n), min(float64(p.CacheBytes), float64(8*n*n)))
	case Features:
		if rows := stringkernel.FeatureRowsOf(g); rows != nil {
			return float64(100*n) + float64(16*float64(rows.Width()))
		}
	}
	return 0
}
