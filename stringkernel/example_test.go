package stringkernel_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

// positions is a user-defined kernel: the number of positions at which two sequences have the same letter. A feature is
// a letter at a position, so it is positive semidefinite. All it has is Eval; DirectGram and DirectScorer do the rest.
type positions struct{}

func (positions) Check() error { return nil }

func (p positions) SelfEval(x []byte) float64 { return p.Eval(x, x) }

func (positions) Eval(x, y []byte) float64 {
	same := 0
	for i := range min(len(x), len(y)) {
		if x[i] == y[i] {
			same++
		}
	}
	return float64(same)
}

func (k positions) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return stringkernel.DirectGram{Kernel: k, Corpus: c}, nil
}

func (k positions) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	return stringkernel.DirectScorer{Kernel: k, SV: sv, Coef: c}, c.Check(sv)
}

// One line shows that the kernel keeps the contract.
func TestPositionsConforms(t *testing.T) {
	kerneltest.Run(t, positions{}, kerneltest.Options{Letters: "ACGTN"})
}

// A user-defined kernel in 20 lines, used like any other: composed, indexed and merged.
func Example_kernelOfOnesOwn() {
	corpus, err := stringkernel.NewCorpus([][]byte{[]byte("GATTACA"), []byte("GATTTCA"), []byte("CATACAG")}, nil)
	if err != nil {
		panic(err)
	}
	kernel := compose.Normalized(positions{})
	gram, err := kernel.Gram(context.Background(), corpus)
	if err != nil {
		panic(err)
	}
	row := make([]float64, gram.Len())
	gram.Row(row, 0)
	fmt.Printf("similarity to GATTACA: %.2f\n", row)

	scorer, err := stringkernel.Merge(context.Background(), kernel, corpus, []float64{1, 1, -1})
	if err != nil {
		panic(err)
	}
	score := make([]float64, scorer.Outputs())
	scorer.ScoreTo(score, []byte("GATTACC"))
	fmt.Printf("score of GATTACC: %.2f\n", score)
	// Output:
	// similarity to GATTACA: [1.00 0.86 0.29]
	// score of GATTACC: [1.29]
}
