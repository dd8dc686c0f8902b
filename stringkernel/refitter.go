package stringkernel

import "context"

// Refitter is an option of the [Gram] of a kernel that depends on a corpus, over records among which are those that it
// was fitted to: what it knows of these is enough to fit it to fewer. Correct without it; with it, probabilities, whose
// folds are fitted anew, cost no second reading of the corpus ([Share]) and no rows of their own. Ask [RefitterOf].
type Refitter interface {
	// Refit returns the matrix over the same records of the kernel fitted to the records train, 0-based and ascending,
	// nil for all, of those that it was fitted to: up to rounding, that of Fit(k, c.Subset(train)). It may be called from
	// several goroutines at once.
	Refit(ctx context.Context, train []int) (Gram, error)
}

// RefitterOf returns the [Refitter] of g, nil if it has none.
func RefitterOf(g Gram) Refitter {
	return Lookup(g, func(w interface{ Refitter() Refitter }) Refitter { return w.Refitter() })
}
