package stringkernel

import "context"

// Merge merges support vectors by the coefficients coef[m][i] of outputs m, each of which has one for each support
// vector i: at least one output.
func Merge(ctx context.Context, k Kernel, sv *Corpus, coef ...[]float64) (Scorer, error) {
	if err := checkCoef(sv, coef); err != nil {
		return nil, err
	}
	return k.Merge(ctx, sv, NewCoefficients(sv.Len(), coef))
}
