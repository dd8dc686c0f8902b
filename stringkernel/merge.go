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

// MergeFunc is the Merge of a kernel.
type MergeFunc func(ctx context.Context, sv *Corpus, c *Coefficients) (Scorer, error)

// Merging returns the Merge of k for documents of its matrix g, listed by their 0-based numbers, as a corpus of these
// alone. A matrix that knows what merging would compute of them once more, such as their norms, answers by a method
//
//	Merging(documents []int) MergeFunc
//
// which does not hold the matrix, with scores of the same bits; nil, as without the method, stands for the kernel's
// own.
func Merging(k Kernel, g Gram, documents []int) MergeFunc {
	known, ok := g.(interface {
		Merging(documents []int) MergeFunc
	})
	if !ok {
		return k.Merge
	}
	merge := known.Merging(documents)
	if merge == nil {
		return k.Merge
	}
	return func(ctx context.Context, sv *Corpus, c *Coefficients) (Scorer, error) {
		if err := c.Check(sv); err != nil {
			return nil, err
		}
		return merge(ctx, sv, c)
	}
}
