package wdk

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/wdk/internal/alike"
	"github.com/seqsvm/seqsvm/wdk/internal/windowed"
)

// Kernel is the weighted degree kernel on windows of one length, with shifts if Shift is positive. The package comment
// has the definition.
//
// Gram and Merge return an error that names the first record whose length differs from the first one's. Sequences of
// different lengths share no feature: Eval of them is 0, and so is the score of a sequence that is not as long as the
// windows merged.
//
// The zero value fails Check: D must be at least 1.
type Kernel struct {
	D        int                   `json:"d" doc:"degree: the longest match that counts, in letters, 1…10,000"`
	Shift    int                   `json:"shift,omitempty" doc:"S: matches up to S positions apart count too, 0…10,000"`
	Ramp     float64               `json:"ramp,omitempty" above:"0" doc:"limit shifts at position i to ramp·|i − anchor|, too"`
	Anchor   int                   `json:"anchor,omitempty" doc:"with ramp: the position without shifts, from 0"`
	Shogun   bool                  `json:"shogun,omitempty" doc:"weight shifts by 1/(2s) as SHOGUN, not 1/(2(s+1))"`
	Weights  []float64             `json:"weights,omitempty" doc:"γ of positions 0, 1, …, one for each letter of a window: numbers with colons between, or @FILE"`
	Subst    []string              `json:"subst,omitempty"`
	Beta     float64               `json:"beta,omitempty" above:"0"`
	Alphabet stringkernel.Alphabet `json:"alphabet"`

	compiled *alike.Letters // of Subst; nil before Compile
}

const (
	maxDegree = 10_000
	maxShift  = 10_000
	maxWeight = 1e100 // of a position: leaves room for sums and products of kernel values
)

// Check returns an error if a parameter is out of range, or meaningless with the others.
func (k Kernel) Check() error {
	if err := k.Alphabet.Check(); err != nil {
		return fmt.Errorf("wd: %w", err)
	}
	switch {
	case k.D < 1 || k.D > maxDegree:
		return fmt.Errorf("wd: d = %d, want 1…%d", k.D, maxDegree)
	case k.Shift < 0 || k.Shift > maxShift:
		return fmt.Errorf("wd: shift = %d, want 0…%d", k.Shift, maxShift)
	case !(k.Ramp >= 0) || math.IsInf(k.Ramp, 0):
		return fmt.Errorf("wd: ramp = %v, want a finite number ≥ 0", k.Ramp)
	case k.Anchor < 0:
		return fmt.Errorf("wd: anchor = %d, want ≥ 0", k.Anchor)
	case k.Ramp > 0 && k.Shift == 0:
		return errors.New("wd: ramp needs shift=S, the greatest shift")
	case k.Anchor > 0 && k.Ramp == 0:
		return errors.New("wd: anchor needs ramp=R, the growth of the shift per letter")
	case k.Shogun && k.Shift == 0:
		return errors.New("wd: shogun needs shift=S: it weights shifts")
	}
	return cmp.Or(k.checkWeights(), alike.Check("wd", k.Subst, k.Beta, k.Alphabet))
}

func (k Kernel) checkWeights() error {
	positive := k.Weights == nil
	for i, w := range k.Weights {
		if w == 0 {
			continue
		}
		if !(w >= 1/maxWeight && w <= maxWeight) {
			return fmt.Errorf("wd: weight %v of position %d, want 0 or a number from %g to %g",
				w, i, 1/maxWeight, maxWeight)
		}
		positive = true
	}
	if !positive {
		return errors.New("wd: all weights of positions are 0")
	}
	return nil
}

// Traits says that the shortest feature is a letter at a position.
func (k Kernel) Traits() stringkernel.Traits {
	return stringkernel.Traits{Compile: k.Compile, MinLength: 1, Compare: k.compare}
}

// windows returns the length of the windows of a corpus after checking that all have the same, and that there are as
// many position weights.
func (k Kernel) windows(c *stringkernel.Corpus) (int, error) {
	if err := k.Check(); err != nil {
		return 0, err
	}
	length, err := windowed.Length(c)
	if err != nil {
		return 0, fmt.Errorf("wd: %w", err)
	}
	if k.Weights != nil && c.Len() > 0 && len(k.Weights) != length {
		return 0, fmt.Errorf("wd: %d weights of positions for windows of %d letters, want one per letter",
			len(k.Weights), length)
	}
	return length, nil
}

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
