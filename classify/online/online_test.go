package online_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/online"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/wdk"
)

var dna = stringkernel.DNA

// kernels that fold into a table, and others.
func kernels(t testing.TB) map[string]stringkernel.Kernel {
	plain := spectrum.Kernel{K: 3, Alphabet: dna}
	bounded := compose.Normalized(spectrum.Kernel{K: 3, Bounded: true, Alphabet: dna})
	both := compose.BothStrands(plain, dna)
	mean := compose.Mean([]stringkernel.Kernel{compose.Normalized(both), bounded}, nil)
	corpus := must.Get(stringkernel.NewCorpus([][]byte{[]byte("ACGT"), []byte("AA CC"), []byte("CA")}, nil))(t)
	words := must.Get(bow.Kernel{NGram: "1-2", Letters: true, TFIDF: true}.Fit(context.Background(), corpus))(t)
	return map[string]stringkernel.Kernel{
		"plain": plain, "bounded": bounded, "strands": compose.Normalized(both), "mean": mean,
		"words": compose.Normalized(words),
		"long":  compose.Normalized(spectrum.Kernel{K: 13, Alphabet: dna}),
		"wd":    compose.Normalized(wdk.Kernel{D: 3, Alphabet: dna}),
	}
}

// stream returns records of 20 letters whose label and value depend on them.
func stream(seed uint64, n, classes int) []online.Record {
	r := rand.New(rand.NewPCG(seed, 1))
	list := make([]online.Record, n)
	for i := range list {
		x := make([]byte, 20)
		class := r.IntN(classes)
		for j := range x {
			x[j] = "ACGTN"[min(r.IntN(5+2*class), 4)%(4+class%2)]
		}
		list[i] = online.Record{X: x, Label: string(rune('c' - class)), Value: float64(class) + r.Float64()}
	}
	return list
}

// dual is the algorithms as their papers state them: coefficients and kernel values.
type dual struct {
	o       online.Options
	records [][]byte
	alpha   [][]float64 // by record and class; of two classes, values and novelty there is one
	bias    []float64
	sum     [][]float64 // of t·alpha after record t
	biasSum []float64
	t       int
	classes []string
}

func (d *dual) scores(x []byte, alpha [][]float64, bias []float64) []float64 {
	f := slices.Clone(bias)
	for i, z := range d.records {
		k := d.o.Kernel.Eval(z, x)
		for m := range f {
			f[m] += float64(alpha[i][m] * k) // rounded on every processor: rivals tie
		}
	}
	return f
}

// learn does a step for a direction and a loss.
func (d *dual) learn(x []byte, direction []float64, loss float64) {
	d.t++
	squared := 0.0
	for _, v := range direction {
		squared += float64(v * v)
	}
	size, rate := 0.0, 1/math.Sqrt(float64(d.t))
	switch d.o.Algorithm {
	case online.Perceptron: // y f(x) ≤ 0: a mistake
		if 1-loss <= 0 {
			size = 1
		}
	case online.PassiveAggressive: // τ = min(C, ℓ/|φ|²), with the feature of the bias
		size = math.Min(d.o.C, loss/(squared*(d.o.Kernel.Eval(x, x)+float64(d.o.Bias*d.o.Bias))))
	case online.NORMA: // f ← (1 − ηλ)f + ησ k(x, ·)
		for _, row := range d.alpha {
			for m := range row {
				row[m] *= 1 - float64(rate*d.o.Lambda)
			}
		}
		if loss > 0 {
			size = rate
		}
	}
	row := make([]float64, len(direction))
	for m, v := range direction {
		row[m] = size * v
		d.bias[m] += float64(size * v * d.o.Bias * d.o.Bias)
	}
	if d.o.Task == dataset.Novelty { // ρ ← ρ − η((loss > 0) − ν)
		d.bias[0] -= float64(rate * d.o.Nu * d.o.Bias * d.o.Bias)
	}
	d.records, d.alpha = append(d.records, x), append(d.alpha, row)
	d.sum = append(d.sum, make([]float64, len(direction)))
	for i, row := range d.alpha {
		for m, v := range row {
			d.sum[i][m] += float64(float64(d.t) * v)
		}
	}
	for m, b := range d.bias {
		d.biasSum[m] += float64(float64(d.t) * b)
	}
}

// TestRescaled carries the decay out again and again, in tables and in records kept.
func TestRescaled(t *testing.T) {
	defer online.SetLeast(online.SetLeast(0.7))
	for _, name := range []string{"plain", "wd"} {
		o := online.Options{Kernel: kernels(t)[name], Algorithm: online.NORMA, Task: dataset.Classes, Bias: 1, Lambda: 0.3}
		compare(t, o, append(stream(3, 60, 2), stream(4, 40, 3)...))
	}
}

// TestNu: novelty takes a share ν of the records for novel.
func TestNu(t *testing.T) {
	for _, nu := range []float64{0.1, 0.4} {
		l := must.Get(online.New(online.Options{Kernel: compose.Normalized(spectrum.Kernel{K: 2, Alphabet: dna}),
			Algorithm: online.NORMA, Task: dataset.Novelty, Bias: 1.5, Lambda: 0.01, Nu: nu}))(t)
		const all, late = 4000, 3000
		novel := 0
		for i, r := range stream(5, all, 2) {
			outcome := must.Get(l.Learn(context.Background(), r))(t)
			if outcome.Score < 0 && i >= all-late {
				novel++
			}
		}
		if share := float64(novel) / late; math.Abs(share-nu) > 0.03 {
			t.Errorf("a share of %v is novel, want about %v", share, nu)
		}
	}
}

// grow makes scores of three classes of the one that tells two apart.
func (d *dual) grow() {
	three := func(row []float64) []float64 { return []float64{-row[0] / 2, row[0] / 2, 0} }
	for i := range d.alpha {
		d.alpha[i], d.sum[i] = three(d.alpha[i]), three(d.sum[i])
	}
	d.bias, d.biasSum = three(d.bias), three(d.biasSum)
}

// final are the scores of x by the averaged or the last weights.
func (d *dual) final(x []byte) []float64 {
	if d.o.Algorithm == online.NORMA {
		return d.scores(x, d.alpha, d.bias)
	}
	f := d.scores(x, d.sum, d.biasSum)
	for m := range f {
		f[m] /= float64(d.t*(d.t+1)) / 2
	}
	return f
}

// options are each algorithm with each task it can do.
func options(k stringkernel.Kernel) (list []online.Options) {
	all := online.Options{Kernel: k, Bias: 0.6, C: 0.3, Lambda: 0.05, Epsilon: 0.1, Nu: 0.2}
	for _, a := range online.AlgorithmNames() {
		for _, task := range dataset.Tasks() {
			o := all
			o.Algorithm, o.Task = a, task
			if o.Check() == nil {
				list = append(list, o)
			}
		}
	}
	return list
}

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-9*(1+math.Abs(want)) }

// TestAgainstDual compares every score, and those of the model, with the papers' algorithms: two classes, three that
// are known beforehand, and a third that is met late.
func TestAgainstDual(t *testing.T) {
	for name, k := range kernels(t) {
		for n, o := range options(k) {
			t.Run(fmt.Sprintf("%s/%s/%s", name, o.Algorithm, o.Task), func(t *testing.T) {
				compare(t, o, stream(uint64(n), 40, 2))
				if o.Task == dataset.Classes {
					compare(t, o, append(stream(uint64(n), 20, 2), stream(7, 30, 3)...))
					o.Classes = []string{"a", "b", "c"}
					compare(t, o, stream(uint64(n), 40, 3))
				}
			})
		}
	}
}

func compare(t *testing.T, o online.Options, records []online.Record) {
	t.Helper()
	l := must.Get(online.New(o))(t)
	outputs := max(1, len(o.Classes))
	d := &dual{o: o, bias: make([]float64, outputs), biasSum: make([]float64, outputs), classes: slices.Clone(o.Classes)}
	for i, r := range records {
		direction, loss, want := d.ask(r)
		got := must.Get(l.Learn(context.Background(), r))(t)
		if !near(got.Score, want) || !near(got.Loss, loss) {
			t.Fatalf("record %d: score %v, loss %v, want %v, %v", i, got.Score, got.Loss, want, loss)
		}
		d.learn(r.X, direction, loss)
	}
	compareModel(t, l, d)
}

// ask returns what a record asks for, and the score that is reported.
func (d *dual) ask(r online.Record) (direction []float64, loss, score float64) {
	y := slices.Index(d.classes, r.Label)
	if y < 0 {
		y, d.classes = len(d.classes), append(d.classes, r.Label)
		if y == 2 {
			d.grow()
		}
	}
	f := d.scores(r.X, d.alpha, d.bias)
	direction = make([]float64, len(f))
	switch {
	case d.o.Task == dataset.Regression:
		direction[0] = math.Copysign(1, r.Value-f[0])
		return direction, math.Max(0, math.Abs(r.Value-f[0])-d.o.Epsilon), f[0]
	case d.o.Task == dataset.Novelty:
		direction[0] = 1
		return direction, math.Max(0, -f[0]), f[0]
	case len(f) == 1:
		direction[0] = float64(2*y - 1)
		return direction, math.Max(0, 1-float64(direction[0]*f[0])), f[0]
	}
	rival := -1
	for c := range f {
		if c != y && (rival < 0 || f[c] > f[rival]) {
			rival = c
		}
	}
	direction[y], direction[rival] = 1, -1
	return direction, math.Max(0, 1-(f[y]-f[rival])), slices.Max(f)
}

// compareModel compares the scores of the model with those by the final coefficients.
func compareModel(t *testing.T, l *online.Learner, d *dual) {
	t.Helper()
	m := must.Get(l.Model(context.Background(), "b"))(t)
	c := must.Get(m.Classifier(context.Background()))(t)
	for _, r := range stream(99, 20, 2) {
		f, got := d.final(r.X), c.Decide(r.X).Scores
		for m := range got {
			want := f[0]
			if len(f) > 1 {
				want = f[slices.Index(d.classes, c.Classes[m])]
			} else if d.o.Task == dataset.Novelty || d.o.Task == dataset.Classes && d.classes[1] != "b" {
				want = -want
			}
			if !near(got[m], want) {
				t.Fatalf("score %d of the model is %v, want %v", m, got[m], want)
			}
		}
	}
}

// TestUsage: what a caller may do wrong.
func TestUsage(t *testing.T) {
	ctx := context.Background()
	good := online.Options{Kernel: spectrum.Kernel{K: 3, Alphabet: dna}, Algorithm: online.Perceptron,
		Task: dataset.Classes}
	for name, spoil := range map[string]func(o *online.Options){
		"algorithm": func(o *online.Options) { o.Algorithm = "adaline" },
		"task":      func(o *online.Options) { o.Task = dataset.Novelty },
		"kernel":    func(o *online.Options) { o.Kernel = nil },
		"unfitted":  func(o *online.Options) { o.Kernel = bow.Kernel{} },
		"length":    func(o *online.Options) { o.Kernel = spectrum.Kernel{Alphabet: dna} },
		"C":         func(o *online.Options) { o.Algorithm = online.PassiveAggressive },
		"lambda":    func(o *online.Options) { o.Algorithm, o.Lambda = online.NORMA, 1 },
		"classes":   func(o *online.Options) { o.Classes = []string{"a", "a"} },
	} {
		o := good
		spoil(&o)
		if _, err := online.New(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	l := must.Get(online.New(good))(t)
	must.Get(l.Learn(ctx, online.Record{X: []byte("ACGT"), Label: "a"}))(t)
	if _, err := l.Model(ctx, ""); err == nil {
		t.Error("a model of one class")
	}
	must.Get(l.Learn(ctx, online.Record{X: []byte("ACGT"), Label: "b"}))(t)
	if _, err := l.Model(ctx, "c"); err == nil {
		t.Error("a positive class that there is not")
	}
}
