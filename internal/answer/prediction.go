// Package answer defines the JSON objects for predictions and explanations of a record, as the tool and the service
// write them. docs/json.md describes their members.
package answer

import (
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/subset"
)

// Name names a record in results: by its id and, where several files were read, in which ids may recur, by its file and
// its number there.
type Name struct {
	ID     string `json:"id"`
	File   string `json:"file,omitempty"`
	Record int    `json:"record,omitempty"` // from 1
}

// Predicted is the object of predict of a class.
type Predicted struct {
	Name
	Class         string             `json:"class"`
	Decision      float64            `json:"decision"`
	Probability   *float64           `json:"probability,omitempty"`
	Scores        map[string]float64 `json:"scores,omitempty"`
	Probabilities map[string]float64 `json:"probabilities,omitempty"`
	Set           *[]string          `json:"set,omitempty"`     // of predictions with a confidence
	Abstain       *bool              `json:"abstain,omitempty"` // whether the set has not one class
}

// Labels is the object of predict of several labels per record.
type Labels struct {
	Name
	Classes   []string           `json:"classes"`
	Decisions []float64          `json:"decisions"` // of these classes
	Scores    map[string]float64 `json:"scores"`    // of all classes
}

// Value is the object of predict of a number.
type Value struct {
	Name
	Value *float64 `json:"value,omitempty"` // of a regression
	SD    *float64 `json:"sd,omitempty"`    // of a Gaussian process: the standard deviation of the number
	Score *float64 `json:"score,omitempty"` // of a ranking
	Lower *float64 `json:"lower,omitempty"` // of a regression with a confidence, the ends of the interval
	Upper *float64 `json:"upper,omitempty"`
}

// Prediction returns the object of predict of a record, as the rule labels records: Predicted, Labels or Value.
func Prediction(d *decide.Rule, name Name, p decide.Prediction) any {
	switch d.Labelling() {
	case dataset.LabelSets:
		return labels(d, name, p)
	case dataset.Numbers:
		out := Value{Name: name, Value: &p.Scores[0]}
		if d.Process != nil {
			out.SD = &p.Deviation
		}
		if r := p.Region; r != nil {
			out.Lower, out.Upper = &r.Lower, &r.Upper
		}
		return out
	case dataset.Grades:
		return Value{Name: name, Score: &p.Scores[0]}
	}
	return predicted(d, name, p)
}

func predicted(d *decide.Rule, name Name, p decide.Prediction) Predicted {
	out := Predicted{Name: name, Class: d.Classes[p.Class], Decision: Decision(p)}
	if len(p.Scores) > 1 {
		out.Scores = named(d.Classes, p.Scores)
	}
	if p.Probabilities != nil {
		out.Probability = &p.Probabilities[Reported(d, p)]
		out.Probabilities = named(d.Classes, p.Probabilities)
	}
	if p.Region != nil {
		set, abstain := ClassNames(d.Classes, p.Region.Classes), p.Region.Abstains()
		out.Set, out.Abstain = &set, &abstain
	}
	return out
}

func labels(d *decide.Rule, name Name, p decide.Prediction) Labels {
	return Labels{Name: name, Classes: ClassNames(d.Classes, p.Labels), Scores: named(d.Classes, p.Scores),
		Decisions: subset.At(p.Scores, p.Labels)}
}

// Reported is the class whose decision and probability are told: the positive one of two, else the one predicted.
func Reported(d *decide.Rule, p decide.Prediction) int {
	if len(d.Classes) == 2 {
		return d.Positive
	}
	return p.Class
}

// Decision is the decision value of the class that is reported.
func Decision(p decide.Prediction) float64 {
	if len(p.Scores) == 1 {
		return p.Scores[0]
	}
	return p.Scores[p.Class]
}

// ClassNames names classes.
func ClassNames(classes []string, list []int) []string { return subset.At(classes, list) }

// named returns values by name.
func named(names []string, values []float64) map[string]float64 {
	m := make(map[string]float64, len(values))
	for i, value := range values {
		m[names[i]] = value
	}
	return m
}
