package stringkernel

import "context"

// Fitter is an option of a [Kernel] whose values depend on a corpus besides its parameters, as weights by document
// frequency do. Correct without it, for other kernels; with it, the trainer fits the kernel to the training records, in
// each fold of a cross-validation to those of its training part. Ask [FitterOf].
type Fitter interface {
	// Fit returns the kernel fitted to a corpus: one without a Fitter if all that it has learned are its parameters.
	// The receiver is unchanged.
	Fit(ctx context.Context, c *Corpus) (Kernel, error)
	// Reference returns the corpus the kernel was fitted to, nil before.
	Reference() *Corpus
	// SelfContained reports whether stored scorers hold what the kernel has learned from its reference: Restore of the
	// kernel before it was fitted then gives the same bits of every score, and a compiled model needs no corpus.
	SelfContained() bool
}

// FitterOf returns the [Fitter] of k, nil if its values do not depend on a corpus.
func FitterOf(k Kernel) Fitter {
	return Lookup(k, func(w interface{ Fitter() Fitter }) Fitter { return w.Fitter() })
}

// DependsOnCorpus reports whether k has a [Fitter].
func DependsOnCorpus(k Kernel) bool { return FitterOf(k) != nil }

// Fit returns k fitted to c if it depends on a corpus, else k itself.
func Fit(ctx context.Context, k Kernel, c *Corpus) (Kernel, error) {
	if f := FitterOf(k); f != nil {
		return f.Fit(ctx, c)
	}
	return k, nil
}

// Reference returns the corpus a kernel was fitted to, nil if it was not or depends on none.
func Reference(k Kernel) *Corpus {
	if f := FitterOf(k); f != nil {
		return f.Reference()
	}
	return nil
}
