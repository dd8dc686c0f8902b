package wdk

import (
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/wdk/internal/alike"
)

// Compile computes the weights of letters, which Eval of a kernel that is not compiled does at every call.
func (k Kernel) Compile() (stringkernel.Kernel, error) {
	if err := k.Check(); err != nil {
		return k, err
	}
	k.compiled = k.letters()
	return k, nil
}

// resembling reports whether letters resemble each other.
func (k Kernel) resembling() bool { return len(k.Subst) > 0 }

// letters returns the weights of letters, nil without any.
func (k Kernel) letters() *alike.Letters {
	return alike.Of(k.compiled, k.Subst, k.Beta, k.Alphabet)
}

// evalAlike returns k(x, y) of two windows of one length.
func (k Kernel) evalAlike(x, y []byte) float64 {
	lengths := make([]float64, min(k.D, len(x)))
	for n := range lengths {
		lengths[n] = float64(k.D-n) * k.unit()
	}
	return k.letters().Sum(x, y, lengths, k.Shift, func(p, q int) float64 {
		return k.pair(min(p, q), max(p, q)-min(p, q))
	})
}

// alikeScorer compares a query with every support vector.
type alikeScorer struct {
	*stringkernel.ComparisonScorer
	length int
}

// mergeAlike keeps the support vectors as they are.
func (k Kernel) mergeAlike(
	sv *stringkernel.Corpus, c *stringkernel.Coefficients, length int,
) (stringkernel.Scorer, error) {
	compiled, err := k.Compile()
	return alikeScorer{stringkernel.NewComparisonScorer(stringkernel.DirectComparison(compiled, sv), c), length}, err
}

// Traits has the length of the support vectors: sequences of other lengths score 0.
func (s alikeScorer) Traits() stringkernel.Traits { return stringkernel.Traits{WindowLength: s.length} }
