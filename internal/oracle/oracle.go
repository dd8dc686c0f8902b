// Package oracle holds what tests compare with: brute-force definitions, slow, short, and written from the formulas
// alone, so that nothing in them can share a mistake with the code they check; and the matrices that LS-GKM wrote.
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

// Counts returns #_s(x) for every substring s of x of length 1 … maxLen (0 = any) that holds letters of the alphabet
// only. An empty alphabet means that every byte is a letter.
func Counts(x []byte, alphabet string, maxLen int) map[string]float64 {
	counts := map[string]float64{}
	for i := range x {
		for j := i; j < len(x) && member(alphabet, x[j]) && (maxLen == 0 || j-i < maxLen); j++ {
			counts[string(x[i:j+1])]++
		}
	}
	return counts
}

// member reports whether b is a letter of an alphabet; of an empty one every byte is.
func member(alphabet string, b byte) bool {
	return alphabet == "" || strings.IndexByte(alphabet, b) >= 0
}

// Substring returns Σ_s weight(s)·#_s(x)·#_s(y).
func Substring(x, y []byte, alphabet string, maxLen int, weight func(s string) float64) float64 {
	counts, sum := Counts(y, alphabet, maxLen), 0.0
	for s, n := range Counts(x, alphabet, maxLen) {
		if m := counts[s]; m > 0 {
			sum += weight(s) * n * m
		}
	}
	return sum
}

// SquaredIDF returns s ↦ (1 + ln((1 + n)/(1 + df(s))))² over n sequences.
func SquaredIDF(seqs [][]byte, alphabet string) func(s string) float64 {
	df := map[string]float64{}
	for _, x := range seqs {
		for s := range Counts(x, alphabet, 0) {
			df[s]++
		}
	}
	return func(s string) float64 {
		idf := 1 + math.Log((1+float64(len(seqs)))/(1+df[s]))
		return idf * idf
	}
}

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
