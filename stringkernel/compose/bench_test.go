package compose_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// BenchmarkSubstitute replaces each letter of a sequence by each base: scores and contributions by what is around the
// letters, and of each sequence alone.
func BenchmarkSubstitute(b *testing.B) {
	for _, c := range []struct {
		spec   string
		length int
	}{
		{"spectrum:k=6,rc", 300}, {"gapped:rc", 300}, {"substring:weight=bounded,k=12", 300},
		{"substring:weight=constant", 300}, {"wd:d=20", 141}, {"oligo:k=3,sigma=5", 141},
	} {
		rng := rand.New(rand.NewPCG(1, 1))
		x := make([][]byte, 200)
		for i := range x {
			x[i] = make([]byte, c.length)
			for p := range x[i] {
				x[i][p] = "ACGT"[rng.IntN(4)]
			}
		}
		sv := must.Get(stringkernel.NewCorpus(x, nil))(b)
		spec := must.Get(catalog.Parse(c.spec))(b)
		k := must.Get(spec.Compile(stringkernel.DNA))(b)
		coef := make([]float64, len(x))
		for i := range coef {
			coef[i] = rng.NormFloat64()
		}
		s := must.Get(stringkernel.Merge(b.Context(), k, sv, coef))(b)
		scores, parts := make([]float64, 4*c.length), make([]float64, 4*c.length)
		b.Run(c.spec+"/around", func(b *testing.B) {
			for b.Loop() {
				compose.Substitute(scores, parts, s, 0, x[0], []byte("ACGT"))
			}
		})
		b.Run(c.spec+"/each", func(b *testing.B) {
			for b.Loop() {
				compose.SubstituteEach(scores, parts, s, 0, x[0], []byte("ACGT"))
			}
		})
	}
}
