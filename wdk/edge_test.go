package wdk_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/wdk"
)

// The corners: one letter at a time, d beyond the window, windows all equal, of one letter, without letters, of no
// letters at all.
func TestCorners(t *testing.T) {
	same := func(n int, x string) (c [][]byte) {
		for range n {
			c = append(c, []byte(x))
		}
		return c
	}
	for name, windows := range map[string][][]byte{
		"all equal":       same(20, "ACGTTGCAACGTACGTAGCTAGCTAACG"),
		"one letter":      same(3, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
		"all N":           same(4, "NNNNNNNN"),
		"some all N":      {[]byte("ACGT"), []byte("NNNN"), []byte("ACNT"), []byte("NNNN")},
		"a letter each":   {[]byte("A"), []byte("C"), []byte("A"), []byte("N")},
		"no letters":      {nil, nil, nil},
		"a single window": {[]byte("ACGTACGT")},
		"64 and 65 words": append(same(1, string(bytes.Repeat([]byte("AC"), 64))), bytes.Repeat([]byte("CA"), 64)),
	} {
		for _, k := range []wdk.Kernel{{D: 1}, {D: 20}, {D: 10_000}, {D: 4, Shift: 2}, {D: 500, Shift: 500, Shogun: true}} {
			k.Alphabet = stringkernel.DNA
			c := must.Get(stringkernel.NewCorpus(windows, nil))(t)
			g, err := k.Gram(t.Context(), c)
			if err != nil {
				t.Fatalf("%s, %+v: %v", name, k, err)
			}
			n := c.Len()
			coef := make([]float64, n)
			for i := range coef {
				coef[i] = float64(i%3) - 0.5
			}
			s, err := stringkernel.Merge(t.Context(), k, c, coef)
			if err != nil {
				t.Fatalf("%s, %+v: %v", name, k, err)
			}
			row, product, score := make([]float64, n), make([]float64, n), []float64{math.NaN()}
			g.MulVecTo(product, coef)
			for i := range n {
				g.Row(row, i)
				want, size := 0.0, 0.0
				for j := range n {
					value := byDefinition(k, c.Seq(i), c.Seq(j))
					if !near(row[j], value, 10*value) {
						t.Fatalf("%s, %+v: row %d, %d: %v, want %v", name, k, i, j, row[j], value)
					}
					want += coef[j] * value
					size += math.Abs(coef[j]) * value
				}
				s.ScoreTo(score, c.Seq(i))
				if !near(product[i], want, 100*size) || !near(score[0], want, 100*size) {
					t.Fatalf(
						"%s, %+v: window %d: product %v, score %v, want %v",
						name,
						k,
						i,
						product[i],
						score[0],
						want,
					)
				}
			}
		}
	}
}
