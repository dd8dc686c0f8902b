package gapped

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestComparisonByTable: a row by the table has the values that Eval counts, whichever way is less work.
func TestComparisonByTable(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 10))
	for _, k := range []Kernel{
		{L: 6, K: 4, D: 2, Filter: Plain, Alphabet: stringkernel.DNA},
		{L: 5, K: 3, D: 2, Filter: Plain, Alphabet: stringkernel.DNA, rc: true},
		{L: 9, K: 6, D: 3, Filter: Truncated, Center: "40:5", Alphabet: stringkernel.DNA, rc: true},
	} {
		c := relatives(r, 20, 40, "ACGT")
		compared := comparison{newUnsquared(t.Context(), k.engine(), c)}
		row, x := make([]float64, c.Len()), relatives(r, 1, 50, "ACGT").Seq(0)
		compared.rowOf(row, x)
		for i := range row {
			want, size := k.Eval(c.Seq(i), x), math.Sqrt(k.SelfEval(c.Seq(i))*k.SelfEval(x))
			if math.Abs(row[i]-want) > 1e-11*size {
				t.Errorf("%s: %v, want %v", fmt.Sprint(k), row[i], want)
			}
		}
	}
}
