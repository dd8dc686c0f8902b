package svm

import "github.com/seqsvm/seqsvm/stringkernel"

// The planes that a run of [CuttingPlane] keeps, counted on where C times the mean of K_ii is 1; in proportion to that
// from the least to the most. On eight sets of 2,000 to 80,000 records (gapped k-mers, positions, substrings of DNA and
// of text; the most for 60,000 records of 12 letters) they were 48 to 132 at 1, 10 to 46 at 0.1, 118 to 255 at 10.
const (
	usualPlanes = 130
	leastPlanes = 50
	mostPlanes  = 260
)

// BytesOf estimates the memory that a solver takes for a problem on g, besides the matrix. mean is that of the diagonal
// of g. Of a solver that does not say what it uses it is 0.
func BytesOf(s Solver, g stringkernel.Gram, p Problem, mean float64) float64 {
	n := float64(g.Len())
	switch UsesOf(s, g, p) {
	case Products:
		if p.Risk != nil {
			return (116 + usualPlanes*16) * n // a coefficient and its product
		}
		planes := usualPlanes * mean * max(p.Costs.Positive, p.Costs.Negative)
		return (116 + float64(9*max(leastPlanes, min(planes, mostPlanes)))) * n // a coefficient has a code
	case Rows:
		if inMemory(g) {
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
