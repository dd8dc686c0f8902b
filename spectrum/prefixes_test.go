package spectrum

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Rows of sorted k-mers are the definition to the bit, and products are sums of rows: with counts that one posting does
// not hold, k-mers that a record has many times in a group, and several stretches.
func TestPrefixesAreTheDefinition(t *testing.T) {
	c := classesCorpus()
	n := c.Len()
	k := Kernel{K: 30, Bounded: true, Alphabet: stringkernel.DNA}
	g := newGram(t.Context(), k, c, 8)
	p := g.parts[0].(*prefixPart)
	if len(p.stretches) < 2 {
		t.Fatalf("%d stretches, want several", len(p.stretches))
	}
	rows, diag := make([][]float64, n), make([]float64, n)
	g.Diag(diag)
	for i := range n {
		rows[i] = make([]float64, n)
		g.Row(rows[i], i)
		if i%149 > 0 {
			continue
		}
		for j := range n {
			if want := k.Eval(c.Seq(i), c.Seq(j)); rows[i][j] != want {
				t.Fatalf("K[%d][%d] is %v, want %v", i, j, rows[i][j], want)
			}
		}
		if rows[i][i] != diag[i] {
			t.Fatalf("K[%d][%d] is %v in its row, %v on the diagonal", i, i, rows[i][i], diag[i])
		}
	}
	v, got := randomVector(rand.New(rand.NewPCG(31, 31)), n), make([]float64, n)
	g.MulVecTo(got, v)
	for j := range n {
		want, size := 0.0, 0.0
		for i := range n {
			want += rows[i][j] * v[i]
			size += rows[i][j] * math.Abs(v[i])
		}
		if math.Abs(got[j]-want) > 1e-13*size {
			t.Fatalf("(K·v)[%d] is %v, want %v", j, got[j], want)
		}
	}
}
