package answer

import (
	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Explainer explains the decisions of a classifier by units of a record.
type Explainer struct {
	Classifier *decide.Classifier
	Class      int  // whose decision is explained, −1 for the predicted one
	Chosen     bool // Class is the one to report, whatever is predicted
	// Spans visits the units of contributions; nil for letters
	Spans func(x []byte, visit func(lo, hi int))
}

// UnitsOf returns the units of a kernel's terms: words if all are of words, else nil for letters.
func UnitsOf(terms []catalog.Term) (spans func(x []byte, visit func(lo, hi int))) {
	for _, t := range terms {
		if spans = stringkernel.TraitsOf(t.Kernel).EachUnit; spans == nil {
			return nil
		}
	}
	return spans
}

// Explanation explains a decision on a record: the contributions and the bias sum to the decision.
type Explanation struct {
	Class          int // that is predicted, or that was chosen
	Decision, Bias float64
	Mix            []float64 // the decision without the bias as a linear combination of the machines' scores
	Positions      []int     // of the first bytes of the units, 1-based
	Units          []string
	Letters        string // if these are the units
	Contributions  []float64
	Unknown        bool // the record has no feature of the model
}

// Decide returns the explanation of a record without contributions.
func (e *Explainer) Decide(x []byte) Explanation {
	r, _ := e.decide(x)
	return r
}

func (e *Explainer) decide(x []byte) (r Explanation, terms []decide.Term) {
	scorer := e.Classifier.Scorer
	scores := make([]float64, scorer.Outputs())
	scorer.ScoreTo(scores, x)
	r.Unknown = e.Classifier.Unknown(x, scores)
	r.Class = e.Classifier.Combine(scores).Class
	decided := r.Class
	if e.Class >= 0 {
		decided = e.Class
	}
	if e.Chosen {
		r.Class = decided
	}
	terms, r.Bias = e.Classifier.Terms(decided)
	r.Mix = MixOf(terms, len(scores))
	r.Decision = stringkernel.Mix(r.Mix, scores) + r.Bias
	return r, terms
}

// Explain returns the explanation of a record. The scorer must have an explainer (stringkernel.ExplainerOf).
func (e *Explainer) Explain(x []byte) Explanation {
	r, terms := e.decide(x)
	explainer := stringkernel.ExplainerOf(e.Classifier.Scorer)
	letters, one := make([]float64, len(x)), make([]float64, len(x))
	for _, t := range terms {
		explainer.ExplainTo(one, t.Machine, x)
		for i, value := range one {
			letters[i] += float64(t.Sign * value)
		}
	}
	r.collect(e.Spans, x, letters)
	return r
}

// MixOf returns a class's decision without the bias as a linear combination of the machines' scores.
func MixOf(terms []decide.Term, machines int) []float64 {
	mix := make([]float64, machines)
	for _, t := range terms {
		mix[t.Machine] += t.Sign
	}
	return mix
}

// collect sums the contributions of letters by unit. Letters between units, where an entry of a dictionary has several
// words, count for the unit before them.
func (r *Explanation) collect(spans func(x []byte, visit func(lo, hi int)), x []byte, letters []float64) {
	if spans == nil {
		spans, r.Letters = eachLetter, string(x)
	}
	spans(x, func(lo, hi int) {
		r.Positions, r.Units = append(r.Positions, lo+1), append(r.Units, stringkernel.Readable(string(x[lo:hi])))
	})
	for k, from := 0, 0; k < len(r.Units); k++ {
		end := len(x)
		if k+1 < len(r.Units) {
			end = r.Positions[k+1] - 1
		}
		r.Contributions = append(r.Contributions, vectors.Sum(letters[from:end]))
		from = end
	}
}

// eachLetter makes every letter a unit.
func eachLetter(x []byte, visit func(lo, hi int)) {
	for i := range x {
		visit(i, i+1)
	}
}

// Explained is what every object of explain begins with.
type Explained struct {
	Name
	Class    string  `json:"class"`
	Decision float64 `json:"decision"`
	Bias     float64 `json:"bias"`
}

// ExplainedUnits is the object of explain of a record.
type ExplainedUnits struct {
	Explained
	Contributions []float64 `json:"contributions"`       // of letters, or of words
	Letters       string    `json:"letters,omitempty"`   // as they were read
	Positions     []int     `json:"positions,omitempty"` // of the words, from 1
	Words         []string  `json:"words,omitempty"`
}

// Explained returns what the object of a record begins with.
func (e *Explainer) Explained(name Name, r *Explanation) Explained {
	return Explained{Name: name, Class: e.Classifier.Classes[r.Class], Decision: r.Decision, Bias: r.Bias}
}

// ExplainedUnits returns the object of a record.
func (e *Explainer) ExplainedUnits(name Name, r *Explanation) ExplainedUnits {
	out := ExplainedUnits{
		Explained: e.Explained(name, r), Letters: r.Letters, Contributions: append([]float64{}, r.Contributions...),
	}
	if e.Spans != nil {
		out.Positions, out.Words = r.Positions, r.Units
	}
	return out
}
