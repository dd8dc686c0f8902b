package decide_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func TestCombine(t *testing.T) {
	two := decide.DecisionOf(decide.TwoClass, "a", "b")
	if p := two.Combine([]float64{0.5}); p.Class != 1 || !slices.Equal(p.Scores, []float64{0.5}) ||
		p.Probabilities != nil {
		t.Errorf("two classes: %+v", p)
	}
	if p := two.Combine([]float64{0}); p.Class != 0 {
		t.Errorf("a decision of 0 goes to class %d, want the other one", p.Class)
	}
	rest := decide.DecisionOf(decide.OneVsRest, "a", "b", "c")
	if p := rest.Combine([]float64{-1, 0.5, 4}); p.Class != 2 || !slices.Equal(p.Scores, []float64{-1, -0.5, 2}) {
		t.Errorf("one-vs-rest: %+v", p)
	}
	one := decide.DecisionOf(decide.OneVsOne, "a", "b", "c") // pairs ab, ac, bc with rho 0, 1, 2
	// Decisions 2, −1, 0.5: a beats b, c beats a, b beats c. Sums: a 1, b −1.5, c 0.5.
	p := one.Combine([]float64{2, 0, 2.5})
	want := []float64{1 + 1/(3*2.0), 1 - 1.5/(3*2.5), 1 + 0.5/(3*1.5)}
	for c := range want {
		if math.Abs(p.Scores[c]-want[c]) > 1e-15 {
			t.Errorf("one-vs-one: score of %d is %v, want %v", c, p.Scores[c], want[c])
		}
	}
	if p.Class != 0 {
		t.Errorf("one-vs-one: class %d, want 0 by the sum of decisions", p.Class)
	}
}

func TestCombineProbabilities(t *testing.T) {
	for _, scheme := range []string{decide.TwoClass, decide.OneVsRest, decide.OneVsOne} {
		classes := []string{"a", "b", "c"}
		if scheme == decide.TwoClass {
			classes = classes[:2]
		}
		d := decide.DecisionOf(scheme, classes...)
		f := make([]float64, len(d.Machines))
		for m := range d.Machines {
			d.Machines[m].Sigmoid = &threshold.Sigmoid{A: -2, B: 0.1}
			f[m] = float64(m)*1.7 - 1
		}
		p, sum := d.Combine(f), 0.0
		for _, v := range p.Probabilities {
			sum += v
		}
		if len(p.Probabilities) != len(classes) || math.Abs(sum-1) > 1e-12 {
			t.Errorf("%s: probabilities %v", scheme, p.Probabilities)
		}
		// All sigmoids at 0: nothing is known.
		for m := range d.Machines {
			d.Machines[m].Sigmoid = &threshold.Sigmoid{B: 2000}
		}
		if p := d.Combine(f); scheme == decide.OneVsRest && math.Abs(p.Probabilities[0]-1.0/3) > 1e-12 {
			t.Errorf("%s: probabilities %v, want equal ones", scheme, p.Probabilities)
		}
	}
}

func TestTermsMakeUpTheDecision(t *testing.T) {
	f := []float64{0.3, -2, 5}
	one := decide.DecisionOf(decide.OneVsOne, "a", "b", "c")
	d := []float64{0.3, -3, 3}
	for class, want := range []float64{d[0] + d[1], -d[0] + d[2], -d[1] - d[2]} {
		terms, bias := one.Terms(class)
		for _, term := range terms {
			bias += term.Sign * f[term.Machine]
		}
		if math.Abs(bias-want) > 1e-12 {
			t.Errorf("class %d: %v, want %v", class, bias, want)
		}
	}
	two := decide.DecisionOf(decide.TwoClass, "a", "b")
	if terms, _ := two.Terms(0); len(terms) != 1 || terms[0].Sign != -1 {
		t.Errorf("terms of the negative class: %v", terms)
	}
}

func TestNewClassifierErrors(t *testing.T) {
	coef := stringkernel.NewCoefficients(1, [][]float64{{1}, {1}, {1}})
	scorer := stringkernel.DirectScorer{Kernel: spectrum.Kernel{Alphabet: stringkernel.DNA, K: 2}, SV: svmtest.Corpus(1), Coef: coef}
	for _, c := range []struct {
		want   string
		damage func(*decide.Rule)
	}{
		{"0 classes", func(d *decide.Rule) { d.Classes = nil }},
		{"duplicate class", func(d *decide.Rule) { d.Classes[0] = "c" }},
		{"positive class 3, want 0 to 2", func(d *decide.Rule) { d.Positive = 3 }},
		{"positive class -1", func(d *decide.Rule) { d.Positive = -1 }},
		{`scheme "all" is unknown`, func(d *decide.Rule) { d.Scheme = "all" }},
		{"scheme two-class for 3 classes", func(d *decide.Rule) { d.Scheme = decide.TwoClass }},
		{"2 machines for one-vs-rest with 3 classes, want 3", func(d *decide.Rule) { d.Machines = d.Machines[:2] }},
		{"machine 1: decides between classes 7 and -1", func(d *decide.Rule) { d.Machines[1].Positive = 7 }},
		{"machine 2: rho = NaN", func(d *decide.Rule) { d.Machines[2].Rho = math.NaN() }},
		{"machine 0: rho = +Inf", func(d *decide.Rule) { d.Machines[0].Rho = math.Inf(1) }},
		{"machine 1: threshold = NaN", func(d *decide.Rule) { d.Machines[1].Threshold = math.NaN() }},
		{"a sigmoid in some machines only", func(d *decide.Rule) { d.Machines[1].Sigmoid = &threshold.Sigmoid{} }},
		{"scaling {1e+07", func(d *decide.Rule) {
			d.Scaling = &decide.Scaling{Power: 1e7, Offsets: make([]float64, 3)}
			for m := range d.Machines {
				d.Machines[m].Sigmoid = &threshold.Sigmoid{A: -1}
			}
		}},
		{"scaling of 3 probabilities", func(d *decide.Rule) { d.Scaling = &decide.Scaling{Offsets: make([]float64, 3)} }},
		{"machine 0: sigmoid", func(d *decide.Rule) {
			for m := range d.Machines {
				d.Machines[m].Sigmoid = &threshold.Sigmoid{A: math.NaN()}
			}
		}},
	} {
		d := decide.DecisionOf(decide.OneVsRest, "a", "b", "c")
		c.damage(&d)
		if _, err := decide.NewClassifier(d, scorer); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	for _, scheme := range []string{decide.CrammerSinger, decide.MultiLabel, decide.Hierarchy} {
		d := decide.DecisionOf(decide.OneVsRest, "a", "b", "c")
		if d.Scheme = scheme; scheme == decide.Hierarchy {
			d.Separator = "/"
		}
		for m := range d.Machines {
			d.Machines[m].Sigmoid = &threshold.Sigmoid{A: -1}
		}
		if _, err := decide.NewClassifier(d, scorer); err == nil ||
			!strings.Contains(err.Error(), "a sigmoid under the scheme "+scheme) {
			t.Errorf("error %v for sigmoids under %s", err, scheme)
		}
	}
	d := decide.DecisionOf(decide.OneVsRest, "a", "b", "c")
	if _, err := decide.NewClassifier(d, nil); err == nil {
		t.Error("no error without a scorer")
	}
	scorer.Coef = stringkernel.NewCoefficients(1, [][]float64{{1}, {1}})
	if _, err := decide.NewClassifier(d, scorer); err == nil || !strings.Contains(err.Error(), "2 outputs for 3 machines") {
		t.Errorf("error %v", err)
	}
}

// FuzzDecision: whatever a model file's header says, Check refuses it or Combine and Terms work on it.
func FuzzDecision(f *testing.F) {
	for _, scheme := range []string{decide.OneVsRest, decide.OneVsOne, decide.CrammerSinger, decide.MultiLabel} {
		text := must.Get(json.Marshal(decide.DecisionOf(scheme, "a", "b", "c")))(f)
		f.Add(text)
	}
	f.Add([]byte(`{"classes":["a","b"],"scheme":"two-class","positive":1,"machines":[{"positive":1,"negative":0,"sigmoid":{"a":-1,"b":0}}]}`))
	f.Add([]byte(`{"classes":["a/x","a/y","b"],"scheme":"hierarchy","separator":"/","positive":1,"machines":[{"positive":2,"negative":0},{"positive":1,"negative":0}]}`))
	f.Add([]byte(`{"classes":["a","b","c"],"scheme":"hierarchy","separator":"/","positive":1,"machines":[` +
		`{"positive":0,"negative":-1,"sigmoid":{"a":-1,"b":0}},{"positive":1,"negative":-1,"sigmoid":{"a":-1,"b":0}},{"positive":2,"negative":-1,"sigmoid":{"a":-1,"b":0}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var d decide.Rule
		if json.Unmarshal(text, &d) != nil || d.Check() != nil {
			return
		}
		p := d.Combine(make([]float64, len(d.Machines)))
		if p.Class < 0 || p.Class >= len(d.Classes) {
			t.Fatalf("class %d of %d", p.Class, len(d.Classes))
		}
		for c := range d.Classes {
			d.Terms(c)
		}
	})
}
