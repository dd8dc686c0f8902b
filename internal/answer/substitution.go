package answer

import (
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// Substitution is what a decision becomes where one letter of a record is replaced.
type Substitution struct {
	Class   int  // whose decision it is: that is predicted for the record, or that was chosen
	Unknown bool // the record has no feature of the model
	// of each position and each letter that was asked about, at position·letters + letter: the change of the decision, 0
	// for the letter that is there; or the contribution of the position to the decision on the record with the letter
	Values []float64
}

// Substitute replaces each letter of a record, one at a time, by each of the given ones. For contributions the scorer
// must have an explainer.
func (e *Explainer) Substitute(x, letters []byte, contributions bool) Substitution {
	r, terms := e.decide(x)
	s := Substitution{Class: r.Class, Unknown: r.Unknown, Values: make([]float64, len(x)*len(letters))}
	scorer, values := e.Classifier.Scorer, make([]float64, len(s.Values))
	own := make([]float64, scorer.Outputs())
	if !contributions {
		scorer.ScoreTo(own, x)
	}
	for _, t := range terms {
		if contributions {
			compose.Substitute(nil, values, scorer, t.Machine, x, letters)
		} else {
			compose.Substitute(values, nil, scorer, t.Machine, x, letters)
		}
		for at, value := range values {
			if contributions || letters[at%len(letters)] != x[at/len(letters)] {
				s.Values[at] += float64(t.Sign * (value - own[t.Machine]))
			}
		}
	}
	return s
}
