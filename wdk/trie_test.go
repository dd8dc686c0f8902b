package wdk

import (
	"bytes"
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

// Shifts, or many outputs, and long windows: a small file would ask for hundreds of gigabytes at the first score.
func TestMergeRefusesTriesBeyondMemory(t *testing.T) {
	for _, c := range []struct {
		shift, letters, n, outputs int
		want                       string
	}{
		{10_000, 100_000, 1, 1, ""},
		{10_000, 110_000, 1, 1, "20001 k-mers at each of 110000 positions and 1 outputs need tries of 4400220000 " +
			"numbers, want at most 4294967296"},
		{0, 1000, 40, 100_000, ""},
		{0, 1000, 50, 100_000, "50 k-mers at each of 1000 positions and 100000 outputs need tries"},
	} {
		var b stringkernel.CorpusBuilder
		for range c.n {
			b.Add("", bytes.Repeat([]byte("A"), c.letters))
		}
		coef := make([][]float64, c.outputs)
		for m := range coef {
			coef[m] = make([]float64, c.n)
		}
		k := Kernel{D: 20, Shift: c.shift, Alphabet: stringkernel.DNA}
		if _, err := stringkernel.Merge(t.Context(), k, b.Corpus(), coef...); (err == nil) != (c.want == "") ||
			err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v", c, err)
		}
	}
}
