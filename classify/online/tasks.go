package online

import (
	"math"

	"github.com/seqsvm/seqsvm/internal/strongest"
)

// Record is a record of a stream: a sequence and what is known of it.
type Record struct {
	X     []byte
	Label string  // the class; of novelty what known records may be labelled with
	Value float64 // of regression: a finite number
}

// Outcome is what was predicted of a record before it was learned from.
type Outcome struct {
	Class   string  // of classes; "" if that of the record, which is new, would have been right by chance
	Score   float64 // the score that decides: of two classes that of the second one met, of more that of Class
	Loss    float64 // of the record
	Updated bool    // whether the weights changed, but for the decay
}

// demand is what a record asks for: a direction of the scores, and the loss.
type demand struct {
	direction []float64
	squared   float64 // |direction|²
	loss      float64
}

// classify demands that the class of the record has a margin of 1 over all others.
func (l *Learner) classify(class int) (demand, Outcome) {
	d := demand{direction: make([]float64, len(l.scores))}
	if len(l.scores) == 1 {
		sign := float64(2*class - 1)
		d.direction[0], d.squared = sign, 1
		d.loss = max(0, 1-float64(sign*l.scores[0]))
		return d, Outcome{Class: l.predictedOfTwo(), Score: l.scores[0], Loss: d.loss}
	}
	best := strongest.Index(l.scores)
	rival := best
	if rival == class {
		rival = l.best(class)
	}
	d.direction[class], d.direction[rival], d.squared = 1, -1, 2
	d.loss = max(0, 1-(l.scores[class]-l.scores[rival]))
	return d, Outcome{Class: l.classes[best], Score: l.scores[best], Loss: d.loss}
}

// predictedOfTwo names the class of the only score.
func (l *Learner) predictedOfTwo() string {
	if l.scores[0] > 0 && len(l.classes) > 1 {
		return l.classes[1]
	}
	return l.classes[0]
}

// best returns the class of the greatest score but that of one, the first of several.
func (l *Learner) best(but int) int {
	best := -1
	for c, score := range l.scores {
		if c != but && (best < 0 || score > l.scores[best]) {
			best = c
		}
	}
	return best
}

// regress demands a score within ε of the value.
func (l *Learner) regress(value float64) (demand, Outcome) {
	error := value - l.scores[0]
	d := demand{direction: []float64{math.Copysign(1, error)}, squared: 1}
	d.loss = max(0, math.Abs(error)-l.o.Epsilon)
	return d, Outcome{Score: l.scores[0], Loss: d.loss}
}

// accept demands a score above 0: f(x) − ρ with ρ = −b.
func (l *Learner) accept() (demand, Outcome) {
	d := demand{direction: []float64{1}, squared: 1, loss: max(0, -l.scores[0])}
	return d, Outcome{Score: l.scores[0], Loss: d.loss}
}
