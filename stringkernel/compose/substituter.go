package compose

import (
	"bytes"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Substitute replaces each letter of x alone, the others kept: of x with letters[b] at position i (0-based) it writes
// score m into scores, and the contribution of position i to it, that of a [stringkernel.Explainer], into
// contributions, both at i·len(letters) + b, with len(x)·len(letters) entries. Where letters[b] is the letter of x
// these are the score and the contribution of x itself. Either may be nil; contributions are if s has no Explainer.
//
// It takes what the scorer says ([stringkernel.Traits].SubstituteTo), or a score, or an explanation, of each sequence:
// O(|x|) times the cost of one, for each of the letters; or of the letters around each position, where features within
// these are all that changes (Around).
func Substitute(scores, contributions []float64, s stringkernel.Scorer, m int, x, letters []byte) {
	if in, wraps := s.(interface{ Inside() any }); wraps {
		s, _ = in.Inside().(stringkernel.Scorer)
	}
	if l, is := s.(*linearScorer); is && !l.kernel.cuts() && !l.kernel.whole {
		l.substituteTo(scores, contributions, m, x, letters)
		return
	}
	var rest []int
	around := func(int) (lo, hi int) { return 0, len(x) }
	if of := stringkernel.TraitsOf(s).Around; of != nil {
		around = of(x)
	}
	if quick := stringkernel.TraitsOf(s).SubstituteTo; quick != nil {
		rest = quick(scores, contributions, m, x, letters)
	} else {
		for i := range x {
			rest = append(rest, i)
		}
	}
	if len(rest) == 0 {
		return
	}
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
	whole, y := 0.0, bytes.Clone(x)
	if scores != nil {
		whole = score(x)
	}
	for _, i := range rest {
		lo, hi := around(i)
		part := y[lo:hi]
		before := 0.0
		if scores != nil && hi-lo < len(x) {
			before = whole - score(part)
		}
		for b, letter := range letters {
			y[i] = letter
			if scores != nil {
				scores[i*n+b] = whole
				if letter != x[i] {
					scores[i*n+b] = before + score(part)
				}
			}
			if contributions != nil {
				explainer.ExplainTo(parts[:hi-lo], m, part)
				contributions[i*n+b] = parts[i-lo]
			}
		}
		y[i] = x[i]
	}
}
