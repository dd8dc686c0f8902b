package wdk_test

import (
	"iter"
	"math"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/wdk"
	"github.com/seqsvm/seqsvm/wdk/poim"
	"pgregory.net/rapid"
)

// unfolder is a scorer that lists the weights of its words.
type unfolder interface {
	Weights(m int) iter.Seq[poim.Weight]
}

// holds reports whether a window has the word of a weight at its position.
func holds(k wdk.Kernel, x []byte, w poim.Weight) bool {
	if w.Position+len(w.Word) > len(x) {
		return false
	}
	for i, code := range w.Word {
		if k.Alphabet.Codes()[x[w.Position+i]] != int16(code) {
			return false
		}
	}
	return true
}

// The weights of the words that a window has add up to its values with the support vectors, by definition.
func TestWeightsByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.IntRange(1, 24).Draw(t, "length")
		k := drawKernel(t, length)
		n := rapid.OneOf(rapid.IntRange(1, 6), rapid.IntRange(20, 60)).Draw(t, "n")
		c := drawCorpus(t, k, n, length)
		coef := drawCoef(t, n, 2)
		s := must.Get(stringkernel.Merge(t.Context(), k, c, coef...))(t)
		queries := [][]byte{c.Seq(0), c.Seq(n - 1), drawWindow(t, k, length)}
		checkWeights(t, k, s.(unfolder), c, coef, queries)
	})
}

// checkWeights compares the sums of the weights that queries have with their values by definition.
func checkWeights(t *rapid.T, k wdk.Kernel, s unfolder, sv *stringkernel.Corpus, coef [][]float64, queries [][]byte) {
	length := len(sv.Seq(0))
	for m := range coef {
		sums := make([]float64, len(queries))
		for w := range s.Weights(m) {
			if w.Value == 0 || len(w.Word) < 1 || len(w.Word) > k.D || w.Position < 0 ||
				w.Position+len(w.Word) > length {
				t.Fatalf("weight %+v of windows of %d and degree %d", w, length, k.D)
			}
			for i, x := range queries {
				if holds(k, x, w) {
					sums[i] += w.Value
				}
			}
		}
		for i, x := range queries {
			want, size := 0.0, 0.0
			for j, a := range coef[m] {
				value := byDefinition(k, sv.Seq(j), x)
				want += a * value
				size += math.Abs(a * value)
			}
			if !(math.Abs(sums[i]-want) <= 1e-9*(1+size)) {
				t.Fatalf("output %d: the weights of %q sum to %v, want %v", m, x, sums[i], want)
			}
		}
	}
}

// Whoever has seen enough gets no more.
func TestWeightsStop(t *testing.T) {
	k := wdk.Kernel{D: 20, Alphabet: stringkernel.DNA}
	c := randomWindows(200, 60, 0)
	coef := make([]float64, c.Len())
	for i := range coef {
		coef[i] = 1
	}
	s := must.Get(stringkernel.Merge(t.Context(), k, c, coef))(t)
	all := 0
	for range s.(unfolder).Weights(0) {
		all++
	}
	for stop := 1; stop < all; stop += all / 50 {
		n := 0
		for range s.(unfolder).Weights(0) {
			if n++; n == stop {
				break
			}
		}
		if n != stop {
			t.Fatalf("%d weights, want %d of %d", n, stop, all)
		}
	}
}
