package wdk_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/wdk"
)

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
		k := wdk.Kernel{D: 20, Shift: c.shift, Alphabet: stringkernel.DNA}
		if _, err := stringkernel.Merge(t.Context(), k, b.Corpus(), coef...); (err == nil) != (c.want == "") ||
			err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v", c, err)
		}
	}
}
