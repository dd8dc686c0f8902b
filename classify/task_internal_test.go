package classify

import (
	"fmt"
	"testing"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// taskData returns 60 sequences, in which a number of copies of a motif is what there is to learn.
func taskData(t *testing.T) (*stringkernel.Corpus, []string) {
	t.Helper()
	var b stringkernel.CorpusBuilder
	var labels []string
	for i := range 60 {
		x := []byte{}
		for j := range 40 {
			x = append(x, "ACGT"[(i*i+j*(i+3)+j*j/3)%4])
		}
		for j := range i % 4 {
			copy(x[9*j:], "GATTACA")
		}
		b.Add(fmt.Sprint("r", i), x)
		labels = append(labels, fmt.Sprint(i%4))
	}
	return b.Corpus(), labels
}

func taskTrainer() Trainer {
	return Trainer{Kernel: compose.Normalized(spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA}), C: 10, Tol: 1e-6}
}

func mustTargets(t *testing.T) *dataset.Dataset {
	t.Helper()
	corpus, labels := taskData(t)
	return must.Get(dataset.NewTargets(corpus, labels, nil))(t)
}
