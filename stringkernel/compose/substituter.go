package compose

import (
	"bytes"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Substituter is an option of a scorer that knows what a score becomes where one letter of a sequence is replaced by
// another, for less than the cost of scoring every such sequence. Correct without it; with it, in-silico mutagenesis
// and hypothetical contributions are faster. Ask [SubstituterOf], or call [Substitute].
type Substituter interface {
	// SubstituteTo writes what [Substitute] does, up to rounding.
	SubstituteTo(scores, contributions []float64, m int, x, letters []byte)
}

// SubstituterOf returns the [Substituter] of s, nil if it has none.
func SubstituterOf(s stringkernel.Scorer) Substituter {
	type wrapper interface{ Substituter() Substituter }
	return stringkernel.Lookup(s, func(w wrapper) Substituter { return w.Substituter() })
}

// Substitute replaces each letter of x alone, the others kept: of x with letters[b] at position i (0-based) it writes
// score m into scores, and the contribution of position i to it, that of a [stringkernel.Explainer], into
// contributions, both at i·len(letters) + b, with len(x)·len(letters) entries. Where letters[b] is the letter of x
// these are the score and the contribution of x itself. contributions may be nil, and is if s has no Explainer.
//
// It takes the [Substituter] of s if it has one, else a score, or an explanation, of each sequence.
func Substitute(scores, contributions []float64, s stringkernel.Scorer, m int, x, letters []byte) {
	if sub := SubstituterOf(s); sub != nil {
		sub.SubstituteTo(scores, contributions, m, x, letters)
		return
	}
	SubstituteEach(scores, contributions, s, m, x, letters)
}

// SubstituteEach is [Substitute] by a score and an explanation of each sequence: what a Substituter does where it has
// no shorter way. O(|x|) times the cost of one, for each of the letters.
func SubstituteEach(scores, contributions []float64, s stringkernel.Scorer, m int, x, letters []byte) {
	SubstituteAround(scores, contributions, s, m, x, letters, func(int) (lo, hi int) { return 0, len(x) })
}

// SubstituteWithin is [SubstituteAround] for features of at most span letters: it scores the 2·span − 1 letters around
// each position.
func SubstituteWithin(scores, contributions []float64, s stringkernel.Scorer, m int, x, letters []byte, span int) {
	SubstituteAround(scores, contributions, s, m, x, letters, func(i int) (lo, hi int) {
		return max(0, i-span+1), min(len(x), i+span)
	})
}

// SubstituteAround is [Substitute] of a scorer whose scores are sums over the occurrences of features, wherever they
// are: all that span position i, in x or with another letter there, are within letters lo … hi − 1 of around(i). So a
// score differs by as much as that of these letters, and the contribution of the position is the one that it has among
// them. It takes a score of the part of x, and one, or an explanation, with each of the letters.
func SubstituteAround(
	scores, contributions []float64, s stringkernel.Scorer, m int, x, letters []byte, around func(i int) (lo, hi int),
) {
	n, outputs := len(letters), make([]float64, s.Outputs())
	score := func(x []byte) float64 {
		s.ScoreTo(outputs, x)
		return outputs[m]
	}
	var explainer stringkernel.Explainer
	var parts []float64
	if contributions != nil {
		explainer, parts = stringkernel.ExplainerOf(s), make([]float64, len(x))
	}
	whole, y := score(x), bytes.Clone(x)
	for i := range x {
		lo, hi := around(i)
		part := y[lo:hi]
		before := 0.0
		if hi-lo < len(x) {
			before = whole - score(part)
		}
		for b, letter := range letters {
			y[i] = letter
			scores[i*n+b] = whole
			if letter != x[i] {
				scores[i*n+b] = before + score(part)
			}
			if contributions != nil {
				explainer.ExplainTo(parts[:hi-lo], m, part)
				contributions[i*n+b] = parts[i-lo]
			}
		}
		y[i] = x[i]
	}
}
