package answer

import (
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// Substitution is what a decision becomes where one letter of a record is replaced: of each position and each letter
// that was asked about, at position·letters + letter.
type Substitution struct {
	Class         int       // whose decision it is: that is predicted for the record, or that was chosen
	Unknown       bool      // the record has no feature of the model
	Changes       []float64 // of the decision; 0 for the letter that is there
	Contributions []float64 // of the position to the decision on the record with the letter; nil unless asked for
}

// Substitute replaces each letter of a record, one at a time, by each of the given ones. For contributions the scorer
// must have an explainer.
func (e *Explainer) Substitute(x, letters []byte, contributions bool) Substitution {
	r, terms := e.decide(x)
	n := len(x) * len(letters)
	s := Substitution{Class: r.Class, Unknown: r.Unknown, Changes: make([]float64, n)}
	var parts []float64
	if contributions {
		s.Contributions, parts = make([]float64, n), make([]float64, n)
	}
	scorer, scores := e.Classifier.Scorer, make([]float64, n)
	own := make([]float64, scorer.Outputs())
	scorer.ScoreTo(own, x)
	for _, t := range terms {
		compose.Substitute(scores, parts, scorer, t.Machine, x, letters)
		for at := range scores {
			if letters[at%len(letters)] != x[at/len(letters)] {
				s.Changes[at] += float64(t.Sign * (scores[at] - own[t.Machine]))
			}
			if contributions {
				s.Contributions[at] += float64(t.Sign * parts[at])
			}
		}
	}
	return s
}
