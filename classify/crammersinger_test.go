package classify

import (
	"context"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestCrammerSingerByTrainer: the machines of the trainer are the joint solution.
func TestCrammerSingerByTrainer(t *testing.T) {
	d := toyData(90, 3)
	tr := Trainer{Kernel: rowsToy{}, Multiclass: CrammerSinger, C: 0.5}
	m, err := tr.Train(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	problem := svm.MulticlassProblem{Y: d.Y, Classes: 3, Costs: []float64{0.5, 0.5, 0.5}}
	want, err := svm.CrammerSinger{}.Solve(t.Context(), svmtest.PairCounts(d.Corpus), problem)
	if err != nil {
		t.Fatal(err)
	}
	if m.Scheme != CrammerSinger || len(m.Machines) != 3 {
		t.Fatalf("scheme %s with %d machines", m.Scheme, len(m.Machines))
	}
	for c, machine := range m.Machines {
		if machine.Primal != want.Primal || machine.Rho != 0 || machine.Gap > 1e-3 {
			t.Errorf("machine %d: %+v, want primal %v", c, machine, want.Primal)
		}
		coef := m.Coef.Dense()[c]
		for j, i := range m.Index {
			if coef[j] != want.Coef[c][i] {
				t.Fatalf("coefficient of record %d for class %d: %v, want %v", i, c, coef[j], want.Coef[c][i])
			}
		}
	}
}

func TestCrammerSingerOptions(t *testing.T) {
	for want, tr := range map[string]Trainer{
		"Multiclass = crammer-singer, want one-vs-rest or one-vs-one for probabilities": {
			Multiclass: CrammerSinger, Probability: true,
		},
		"Loss = squared-hinge, want hinge for the scheme crammer-singer": {
			Multiclass: CrammerSinger, Loss: svm.SquaredHinge,
		},
		"Solver = smo, want dual-coordinate for the scheme crammer-singer": {
			Multiclass: CrammerSinger, Solver: svm.SMO{},
		},
	} {
		if err := (crammerSinger{}).check(tr); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// countsToy is a kernel of word counts.
type countsToy struct{ rowsToy }

func (countsToy) Traits() stringkernel.Traits { return stringkernel.Traits{WordCounts: true} }

func TestSchemeOfWordCounts(t *testing.T) {
	for want, trainers := range map[string][]Trainer{
		CrammerSinger: {{Kernel: countsToy{}}, {Kernel: countsToy{}, Solver: svm.DualCoordinate{}}},
		OneVsRest: {
			{Kernel: rowsToy{}},
			{Kernel: countsToy{}, Multiclass: OneVsRest},
			{Kernel: countsToy{}, Probability: true},
			{Kernel: countsToy{}, Loss: svm.SquaredHinge},
		},
		OneVsOne: {{Kernel: countsToy{}, Multiclass: OneVsOne}},
	} {
		for _, tr := range trainers {
			if got := tr.schemeFor(ManyClasses).name; got != want {
				t.Errorf("%+v: %s, want %s", tr, got, want)
			}
		}
	}
}
