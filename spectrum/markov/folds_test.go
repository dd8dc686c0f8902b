package markov

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// TestFoldsKnowNoTestLabels: predictions of a fold do not depend on the labels in it, with both strands too, and with
// probabilities, whose folds are inner ones.
func TestFoldsKnowNoTestLabels(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	records, labels, fold := make([]string, 60), make([]string, 60), make([]int, 60)
	for i := range records {
		records[i], labels[i], fold[i] = draw(rng, "ACGT"[:3+i%2], 12), []string{"a", "b"}[i%2], i/2%3
	}
	top := Kernel{Order: 1, Positional: true, Top: true, Pseudo: 1, Alphabet: stringkernel.DNA}
	strands := compose.BothStrands(top, stringkernel.DNA)
	for _, k := range []stringkernel.Kernel{compose.Normalized(top), compose.Normalized(strands)} {
		predict := func(labels []string) []decide.Prediction {
			d := must.Get(dataset.New(corpusOf(t, records...), labels, nil))(t)
			out := must.Get(classify.CrossValidate(t.Context(), classify.Trainer{Kernel: k, Probability: true}, d, fold))(t)
			return out.Predictions
		}
		before := predict(labels)
		swapped := append([]string(nil), labels...)
		for i := range swapped {
			if fold[i] == 1 {
				swapped[i] = []string{"a", "b"}[(i+1)%2]
			}
		}
		after := predict(swapped)
		for i := range before {
			if same := reflect.DeepEqual(before[i], after[i]); same != (fold[i] == 1) {
				t.Errorf("%T, record %d of fold %d: %+v, with other labels in fold 1 %+v", k, i, fold[i], before[i], after[i])
			}
		}
	}
}
