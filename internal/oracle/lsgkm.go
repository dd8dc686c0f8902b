package oracle

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
)

// LSGKM is a folder of what LS-GKM's gkmmatrix wrote: pos.fa, neg.fa and lower triangles of normalised matrices of both
// strands.
type LSGKM string

// LSGKMFolder returns the folder that SEQSVM_LSGKM names; without one it skips the test.
func LSGKMFolder(t *testing.T) LSGKM {
	t.Helper()
	folder := os.Getenv("SEQSVM_LSGKM")
	if folder == "" {
		t.Skip("SEQSVM_LSGKM is not set: the matrices of LS-GKM are not compared")
	}
	return LSGKM(folder)
}

// Sequences returns those of pos.fa, then those of neg.fa, in upper case.
func (f LSGKM) Sequences(t *testing.T) (seqs [][]byte, ids []string) {
	t.Helper()
	for _, name := range []string{"pos.fa", "neg.fa"} {
		for _, record := range bytes.Split(f.read(t, name), []byte(">"))[1:] {
			header, seq, _ := bytes.Cut(record, []byte("\n"))
			seqs, ids = append(seqs, bytes.ToUpper(bytes.ReplaceAll(seq, []byte("\n"), nil))),
				append(ids, string(header))
		}
	}
	return seqs, ids
}

// Worst returns the greatest difference of a matrix, given by its rows, from the triangle in a file, and how many
// values that holds.
func (f LSGKM) Worst(t *testing.T, name string, n int, row func(dst []float64, i int)) (worst float64, values int) {
	t.Helper()
	got := make([]float64, n)
	for i, line := range strings.Split(strings.TrimSpace(string(f.read(t, name))), "\n") {
		row(got, i)
		for j, text := range strings.Fields(line) {
			want := must.Get(strconv.ParseFloat(text, 64))(t)
			worst = max(worst, math.Abs(got[j]-want))
			values++
		}
	}
	t.Logf("%s: greatest difference %.2g of %d values", name, worst, values)
	return worst, values
}

func (f LSGKM) read(t *testing.T, name string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(filepath.Join(string(f), name)))(t)
}
