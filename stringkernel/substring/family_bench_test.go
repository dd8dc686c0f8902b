package substring_test

import (
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// siblings are ten kernels of one family, as a search tries them.
func siblings() (members []stringkernel.Kernel) {
	for _, k := range []int{3, 4, 6, 8, 12} {
		members = append(members, substring.Kernel{Weight: substring.Bounded, K: k, Alphabet: stringkernel.DNA})
	}
	for _, lambda := range []float64{0.3, 0.5, 0.7, 0.9} {
		members = append(members, substring.Kernel{Weight: substring.Decay, Lambda: lambda, Alphabet: stringkernel.DNA})
	}
	return append(members, substring.Kernel{Weight: substring.Constant, Alphabet: stringkernel.DNA})
}

// BenchmarkSiblings makes the matrices of ten kernels: from an index each, or from one for all.
func BenchmarkSiblings(b *testing.B) {
	c := randomDNA(b, 1000, 300)
	b.Run("alone", func(b *testing.B) {
		b.SetBytes(int64(c.Letters()))
		for b.Loop() {
			for _, k := range siblings() {
				must.Get(k.Gram(b.Context(), c))(b)
			}
		}
	})
	b.Run("shared", func(b *testing.B) {
		b.SetBytes(int64(c.Letters()))
		for b.Loop() {
			shared := must.Get(stringkernel.Share(b.Context(), c, siblings()))(b)
			for _, k := range siblings() {
				must.Get(shared(b.Context(), k, nil))(b)
			}
		}
	})
}
