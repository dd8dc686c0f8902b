package stringkernel_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// Rows that come in several blocks, the last of which has fewer, are those of Row.
func TestEachRow(t *testing.T) {
	const n = 2_100
	rng, letters := rand.New(rand.NewPCG(1, 2)), make([][]byte, n)
	for i := range letters {
		letters[i] = make([]byte, 20)
		for j := range letters[i] {
			letters[i][j] = "ACGT"[rng.IntN(4)]
		}
	}
	c := must.Get(stringkernel.NewCorpus(letters, nil))(t)
	g := must.Get(compose.Normalized(spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA}).Gram(t.Context(), c))(t)
	for _, part := range [][2]int{{0, n}, {17, 1_500}, {n - 1, n}} {
		next, want := part[0], make([]float64, n)
		err := stringkernel.EachRow(t.Context(), g, part[0], part[1], func(i int, row []float64) error {
			if g.Row(want, i); i != next || !slices.EqualFunc(row, want, func(a, b float64) bool {
				return a-b < 1e-12 && b-a < 1e-12
			}) {
				t.Errorf("row %d, in place of %d, is not that of Row", i, next)
			}
			next++
			return nil
		})
		if err != nil || next != part[1] {
			t.Errorf("%d rows up to %d, %v", next, part[1], err)
		}
	}
}
