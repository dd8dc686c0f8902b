package online

import (
	"context"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
)

// Learner learns from one record after another. It is for one goroutine.
type Learner struct {
	o       Options
	step    rule
	average bool
	classes []string // in the order in which they were met
	number  map[string]int

	w       weights   // v_m, and after them, if averaged, Σ_i a_i S_{i−1} φ(x_i) of each
	bias    []float64 // b_m
	scale   float64   // s: w_m = s·v_m
	scales  float64   // S, the sum of t·s after record t
	biases  []float64 // the sum of t·b_m after record t
	mass    float64   // the sum of t
	scores  []float64 // of the present record
	seen    int
	updates int
}

// least is the scale below which the decay is carried out.
var least = 1e-100 // a variable for tests

// New returns a learner with weights of 0, or the error of [Options.Check].
func New(o Options) (*Learner, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	l := &Learner{
		o: o, step: o.algorithm().rule(o), average: o.Algorithm != NORMA, number: map[string]int{}, scale: 1,
	}
	for _, name := range o.Classes {
		if _, known := l.number[name]; known {
			return nil, fmt.Errorf("online: duplicate class %.80q", name)
		}
		l.number[name] = len(l.classes)
		l.classes = append(l.classes, name)
	}
	outputs := 1 // of two classes, or of none
	if len(l.classes) > 2 {
		outputs = len(l.classes)
	}
	l.bias, l.biases, l.scores = make([]float64, outputs), make([]float64, outputs), make([]float64, outputs)
	var err error
	l.w, err = newWeights(o.Kernel, len(l.zeros()), outputs)
	return l, err
}

// zeros returns a step of 0 for each vector of the weights.
func (l *Learner) zeros() []float64 {
	if l.average {
		return make([]float64, 2*len(l.bias))
	}
	return make([]float64, len(l.bias))
}

// Classes lists the classes in the order in which they were met, those of the options first.
func (l *Learner) Classes() []string { return slices.Clone(l.classes) }

// Seen returns the number of records learned from, and Updates of those that changed the weights.
func (l *Learner) Seen() int { return l.seen }

// Updates returns the number of records that changed the weights but for their decay.
func (l *Learner) Updates() int { return l.updates }

// Records returns the number of records kept, 0 of a kernel that folds.
func (l *Learner) Records() (n int) {
	if s, ok := l.w.(*support); ok {
		for _, r := range append(slices.Clip(s.runs), &s.recent) {
			n += len(r.records)
		}
	}
	return n
}

// Learn predicts a record and then learns from it. It keeps a copy of the sequence where the kernel does not fold. The
// error is that of ctx, or of a merge; the learner must not be used after it.
func (l *Learner) Learn(ctx context.Context, r Record) (Outcome, error) {
	if r.Value-r.Value != 0 {
		return Outcome{}, fmt.Errorf("online: value %v, want a finite number", r.Value)
	}
	known := len(l.classes)
	class, err := l.classOf(ctx, r.Label)
	if err != nil {
		return Outcome{}, err
	}
	l.score(r.X)
	d, outcome := l.demand(r, class)
	if class >= known && outcome.Class == r.Label {
		outcome.Class = "" // nobody could know
	}
	norm := func() float64 { return d.squared * (l.o.Kernel.SelfEval(r.X) + l.bend()) }
	size, decay := l.step(l.seen+1, d.loss, norm)
	l.seen++
	if err := l.decay(ctx, decay); err != nil {
		return Outcome{}, err
	}
	if size > 0 {
		outcome.Updated = true
		l.updates++
		if err := l.move(ctx, r.X, d.direction, size); err != nil {
			return Outcome{}, err
		}
	}
	if l.o.Task == dataset.Novelty {
		l.bias[0] -= float64(rateOf(l.seen) * l.o.Nu * l.bend())
	}
	l.mean(float64(l.seen))
	return outcome, nil
}

// mean adds the present weights to their average, with a weight.
func (l *Learner) mean(weight float64) {
	l.mass += weight
	l.scales += float64(weight * l.scale)
	for m, b := range l.bias {
		l.biases[m] += float64(weight * b)
	}
}

// demand returns what the record asks for, and what was predicted of it.
func (l *Learner) demand(r Record, class int) (demand, Outcome) {
	switch l.o.Task {
	case dataset.Regression:
		return l.regress(r.Value)
	case dataset.Novelty:
		return l.accept()
	default:
		return l.classify(class)
	}
}

// score writes the scores of x.
func (l *Learner) score(x []byte) {
	l.w.scoreTo(l.scores, x)
	for m := range l.scores {
		l.scores[m] = float64(l.scale*l.scores[m]) + l.bias[m]
	}
}

// decay multiplies the weights.
func (l *Learner) decay(ctx context.Context, by float64) error {
	l.scale *= by
	if l.scale > least {
		return nil
	}
	var rows [][]float64
	for m := range l.zeros() {
		row := l.zeros()
		row[m] = 1
		if m < len(l.bias) {
			row[m] = l.scale
		}
		rows = append(rows, row)
	}
	l.scales /= l.scale
	l.scale = 1
	return l.w.mix(ctx, rows, len(l.bias))
}

// move adds size·direction_m·φ(x) to each w_m.
func (l *Learner) move(ctx context.Context, x []byte, direction []float64, size float64) error {
	a := l.zeros()
	for m, d := range direction {
		step := float64(size * d)
		l.bias[m] += float64(step * l.bend())
		a[m] = step / l.scale
		if l.average {
			a[len(direction)+m] = a[m] * l.scales
		}
	}
	return l.w.add(ctx, x, a)
}

// bend returns what a step of 1 changes in a bias.
func (l *Learner) bend() float64 { return float64(l.o.Bias * l.o.Bias) }
