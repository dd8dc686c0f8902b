package solve

import (
	"testing"

	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/auto"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestPartsAreServedAsTheWhole: what a solver uses of a part of a matrix is what it uses of the whole.
func TestPartsAreServedAsTheWhole(t *testing.T) {
	rows := svmtest.PairCounts(svmtest.Corpus(80))
	for _, c := range []struct {
		whole stringkernel.Gram
		want  svm.Access
	}{
		{&svm.Precomputed{N: 80, K: make([]float64, 80*80)}, svm.Rows}, {svmtest.Unbased{Gram: rows}, svm.Products}, {rows, svm.Features},
	} {
		if got := (auto.Solver{}).Uses(PartOf(c.whole, subset.Whole(51)), svm.Problem{}); got != c.want {
			t.Errorf("%T: %v, want %v", c.whole, got, c.want)
		}
	}
}
