package oligo

import (
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

func BenchmarkAlike(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	x, y := make([]byte, 30), make([]byte, 30)
	for i := range x {
		x[i], y[i] = "ACDEFGHIKLMNPQRSTVWY"[rng.IntN(20)], "ACDEFGHIKLMNPQRSTVWY"[rng.IntN(20)]
	}
	k, err := Kernel{K: 3, Sigma: 8, Subst: []string{"blosum62"}, Bounded: true, Alphabet: stringkernel.Protein}.compile()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		k.Eval(x, y)
	}
}
