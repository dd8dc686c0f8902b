package treekernel_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/treekernel"
	"github.com/seqsvm/seqsvm/treekernel/bracket"
)

// Trees with few labels have many distinct subtrees of one class, and fill several forests. Rows and scores are still the
// values of pairs of records, and a row has the same bits once its pairs have been kept.
func TestSeveralForests(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	var b stringkernel.CorpusBuilder
	for range 250 {
		var w bracket.Writer
		drawTree(r, &w, 30+r.IntN(40), labels[:2])
		b.Add("", w.Bytes())
	}
	c := b.Corpus()
	coef := make([]float64, c.Len())
	for i := range coef {
		coef[i] = r.NormFloat64()
	}
	for _, k := range []stringkernel.Kernel{treekernel.SST{Lambda: 0.2, Leaves: true},
		treekernel.PTK{Lambda: 0.3, Mu: 0.3, Terminal: 1}} {
		g := must.Get(k.Gram(t.Context(), c))(t)
		scorer := must.Get(stringkernel.Merge(t.Context(), k, c, coef))(t)
		row, again, score := make([]float64, c.Len()), make([]float64, c.Len()), []float64{0}
		for i := 0; i < c.Len(); i += 83 {
			g.Row(row, i)
			want, size := 0.0, 0.0
			for j, got := range row {
				value := k.Eval(c.Seq(i), c.Seq(j))
				if math.Abs(got-value) > 1e-12*value {
					t.Errorf("%T: row %d has %v at %d, want %v", k, i, got, j, value)
				}
				want, size = want+coef[j]*value, size+math.Abs(coef[j])*value
			}
			if scorer.ScoreTo(score, c.Seq(i)); math.Abs(score[0]-want) > 1e-12*size {
				t.Errorf("%T: record %d scores %v, want %v", k, i, score[0], want)
			}
			if g.Row(again, i); !slices.Equal(row, again) {
				t.Errorf("%T: row %d differs when it is computed again", k, i)
			}
		}
	}
}
