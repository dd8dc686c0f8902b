package classify

import (
	"testing"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/internal/must"
)

// toyLabels gives record i of toyCorpus the letter it prefers, every fourth a second one, and the first record one that
// no other has.
func toyLabels(n int) [][]string {
	labels := make([][]string, n)
	for i := range labels {
		labels[i] = []string{string("abc"[i%3])}
		if i%4 == 0 {
			labels[i] = append(labels[i], "fourth")
		}
	}
	labels[0] = append(labels[0], "once")
	return labels
}

func multilabelToy(t *testing.T, n int) *dataset.Dataset {
	t.Helper()
	return must.Get(dataset.NewMultilabel(svmtest.Corpus(n), toyLabels(n), nil))(t)
}
