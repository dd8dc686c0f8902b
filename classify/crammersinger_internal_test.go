package classify

import (
	"context"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/descent"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func TestCrammerSingerOptions(t *testing.T) {
	for want, tr := range map[string]Trainer{
		"Multiclass = crammer-singer, want one-vs-rest or one-vs-one for probabilities": {
			Multiclass: decide.CrammerSinger, Probability: true,
		},
		"Loss = squared-hinge, want hinge for the scheme crammer-singer": {
			Multiclass: decide.CrammerSinger, Loss: svm.SquaredHinge,
		},
		"Solver = smo, want dual-coordinate for the scheme crammer-singer": {
			Multiclass: decide.CrammerSinger, Solver: smo.Solver{},
		},
	} {
		if err := (crammerSinger{}).check(tr); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// rowsToy is toyKernel with explicit rows.
type rowsToy struct{ toyKernel }

func (k rowsToy) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return svmtest.PairCounts(c), nil
}

// countsToy is a kernel of word counts.
type countsToy struct{ rowsToy }

func (countsToy) Traits() stringkernel.Traits { return stringkernel.Traits{WordCounts: true} }

func TestSchemeOfWordCounts(t *testing.T) {
	for want, trainers := range map[string][]Trainer{
		decide.CrammerSinger: {{Kernel: countsToy{}}, {Kernel: countsToy{}, Solver: descent.Solver{}}},
		decide.OneVsRest: {
			{Kernel: rowsToy{}},
			{Kernel: countsToy{}, Multiclass: decide.OneVsRest},
			{Kernel: countsToy{}, Probability: true},
			{Kernel: countsToy{}, Loss: svm.SquaredHinge},
		},
		decide.OneVsOne: {{Kernel: countsToy{}, Multiclass: decide.OneVsOne}},
	} {
		for _, tr := range trainers {
			if got := tr.schemeFor(dataset.ManyClasses); got != want {
				t.Errorf("%+v: %s, want %s", tr, got, want)
			}
		}
	}
}
