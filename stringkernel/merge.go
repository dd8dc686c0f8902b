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

// Merger is an option of a [Gram] that knows what merging would compute of its documents once more, such as their
// norms. Correct without it; with it, a trained model takes less time. Call [Merging].
type Merger interface {
	// Merging returns the Merge of its kernel for the documents listed, by their 0-based numbers, as a corpus of these
	// alone. Scores have the same bits. The function does not hold the matrix.
	Merging(documents []int) MergeFunc
}

// MergerOf returns the [Merger] of g, nil if it has none.
func MergerOf(g Gram) Merger {
	return Lookup(g, func(w interface{ Merger() Merger }) Merger { return w.Merger() })
}

// Merging returns the Merge of k for documents of its matrix g, listed by their 0-based numbers.
func Merging(k Kernel, g Gram, documents []int) MergeFunc {
	if m := MergerOf(g); m != nil {
		merge := m.Merging(documents)
		return func(ctx context.Context, sv *Corpus, c *Coefficients) (Scorer, error) {
			if err := c.Check(sv); err != nil {
				return nil, err
			}
			return merge(ctx, sv, c)
		}
	}
	return k.Merge
}
