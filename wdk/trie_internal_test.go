package wdk

import (
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

func TestMergeRefusesWordsBeyondNumber(t *testing.T) {
	const length = 1000
	k := Kernel{D: 20, Shift: length, Alphabet: stringkernel.DNA}
	var b stringkernel.CorpusBuilder
	for range maxWords/(2*length+1) + 1 {
		b.Add("", []byte(strings.Repeat("A", length)))
	}
	sv := b.Corpus()
	if _, err := stringkernel.Merge(t.Context(), k, sv, make([]float64, sv.Len())); err == nil ||
		!strings.Contains(err.Error(), "k-mers at a position") {
		t.Fatalf("error %v, want one of k-mers at a position", err)
	}
}
