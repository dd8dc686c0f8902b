package classify_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// Labels that are identifiers or values are refused: more than 100 classes, with fewer than two records each on
// average.
func TestImplausibleLabels(t *testing.T) {
	labels := func(n, k int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprint(i % k)
		}
		return out
	}
	for _, c := range []struct {
		n, k int
		fine bool
	}{{90, 90, true}, {202, 101, true}, {201, 101, false}, {150, 150, false}, {1000, 500, true}} {
		_, err := dataset.New(svmtest.Corpus(c.n), labels(c.n, c.k), nil)
		if c.fine != (err == nil) || err != nil && !strings.Contains(err.Error(), "look like identifiers") {
			t.Errorf("%d classes of %d records: error %v", c.k, c.n, err)
		}
	}
}

// A model that could not be merged is refused before it is trained: with the kernel on both strands, or with two of
// them, one of half as many records.
func TestMergeIsCounted(t *testing.T) {
	const records, letters = 100, 200
	seqs, labels := make([][]byte, records), make([]string, records)
	for i := range seqs {
		seqs[i], labels[i] = bytes.Repeat([]byte("ACGTTGCA"), letters/8), fmt.Sprint(i%2)
	}
	c := must.Get(stringkernel.NewCorpus(seqs, nil))(t)
	d := must.Get(dataset.New(c, labels, nil))(t)
	long := spectrum.Kernel{K: 16, Alphabet: stringkernel.DNA}
	const each = 16 + 8 + 8 + 16 // code and weight of a k-mer, its code again, an occurrence of it, and sorting it
	for name, test := range map[string]struct {
		kernel stringkernel.Kernel
		bytes  float64 // of a letter
	}{
		"long k-mers":  {long, each},
		"normalised":   {compose.Normalized(long), each},
		"both strands": {compose.BothStrands(long, stringkernel.DNA), 2*each + 2},
		"two kernels":  {compose.Mean([]stringkernel.Kernel{long, long}, nil), 2 * each},
	} {
		tr := classify.Trainer{Kernel: test.kernel}
		for share, refused := range map[float64]bool{0.99: true, 1.01: false} {
			classify.Granted(t, int64(share*test.bytes*records*letters))
			var large *memory.Error
			if err := tr.CheckMerge(d); errors.As(err, &large) != refused || err != nil &&
				!strings.Contains(err.Error(), "merging a model of up to 100 records with 20000 letters needs about") {
				t.Errorf("%s: %v with %v of the memory said", name, err, share)
			}
		}
	}
}
