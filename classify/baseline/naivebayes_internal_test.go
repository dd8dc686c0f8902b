package baseline

import (
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

func corpusOf(t *testing.T, texts ...string) *stringkernel.Corpus {
	t.Helper()
	var b stringkernel.CorpusBuilder
	for _, text := range texts {
		b.Add("", []byte(text))
	}
	return b.Corpus()
}
