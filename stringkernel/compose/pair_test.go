package compose_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// kmersOf counts the k-mers of DNA.
func kmersOf(x []byte, k int) map[string]float64 {
	features := map[string]float64{}
	for i := range max(0, len(x)-k+1) {
		if mer := string(x[i : i+k]); !strings.Contains(mer, "N") {
			features[mer]++
		}
	}
	return features
}

func TestPairConforms(t *testing.T) {
	pool := make([]string, 12)
	draw := func(rng *rand.Rand) []byte {
		side := func() string {
			at := rng.IntN(len(pool))
			if pool[at] == "" || rng.IntN(4) == 0 {
				letters := make([]byte, 2+rng.IntN(9))
				for i := range letters {
					letters[i] = "ACGT"[rng.IntN(4)]
				}
				pool[at] = string(letters)
			}
			return pool[at]
		}
		return []byte(side() + string(stringkernel.PairBreak) + side())
	}
	one, two := spectrum.Kernel{K: 1, Alphabet: stringkernel.DNA}, spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA}
	for name, c := range map[string]struct {
		kernel compose.Pair
		value  func(a, b, c, d []byte) float64
	}{
		"ordered": {compose.Pair{Sides: []stringkernel.Kernel{two, one}}, func(a, b, c, d []byte) float64 {
			return dot(kmersOf(a, 2), kmersOf(c, 2)) * dot(kmersOf(b, 1), kmersOf(d, 1))
		}},
		"symmetric": {compose.Pair{Sides: []stringkernel.Kernel{two}}, func(a, b, c, d []byte) float64 {
			x, y := kmersOf(a, 2), kmersOf(b, 2)
			u, v := kmersOf(c, 2), kmersOf(d, 2)
			return dot(x, u)*dot(y, v) + dot(x, v)*dot(y, u)
		}},
		"normalised": {compose.Pair{Sides: []stringkernel.Kernel{compose.Normalized(two), compose.Normalized(one)}}, nil},
		"fitted": {compose.Pair{Sides: []stringkernel.Kernel{
			substring.Kernel{Weight: substring.TFIDF, Alphabet: stringkernel.DNA}, one}}, nil},
		"rows": {compose.Pair{Sides: []stringkernel.Kernel{compose.RBF(compose.Normalized(two), 0.5)}}, nil},
	} {
		options := kerneltest.Options{Letters: "ACGT\t", Draw: draw}
		if c.value != nil {
			options.Value = func(x, y []byte) float64 {
				a, b := stringkernel.SidesOf(x)
				u, v := stringkernel.SidesOf(y)
				return c.value(a, b, u, v)
			}
		}
		t.Run(name, func(t *testing.T) { kerneltest.Run(t, c.kernel, options) })
	}
}

func dot(x, y map[string]float64) (sum float64) {
	for f, v := range x {
		sum += v * y[f]
	}
	return sum
}

// TestPairOfManySides has more different sequences on a side than are held in memory: rows and products are the same,
// by explicit features where these are few, else by rows.
func TestPairOfManySides(t *testing.T) {
	var b stringkernel.CorpusBuilder
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range compose.MaxSides + 10 {
		left := make([]byte, 12)
		for j := range left {
			left[j] = "ACGT"[rng.IntN(4)]
		}
		b.Add(fmt.Sprint(i), []byte(string(left)+"\tACGGT"[:5+i%2]))
	}
	corpus := b.Corpus()
	one, two := spectrum.Kernel{K: 1, Alphabet: stringkernel.DNA}, spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA}
	for name, c := range map[string]struct {
		sides []stringkernel.Kernel
		rows  bool
	}{
		"ordered":   {[]stringkernel.Kernel{compose.Normalized(two), one}, false},
		"symmetric": {[]stringkernel.Kernel{two}, false},
		"rows":      {[]stringkernel.Kernel{compose.RBF(two, 0.1), one}, true},
	} {
		kernel := compose.Pair{Sides: c.sides}
		g := must.Get(kernel.Gram(t.Context(), corpus))(t)
		if stringkernel.IsRowBased(g) != c.rows {
			t.Errorf("%s: row-based %v", name, !c.rows)
		}
		row, product, v := make([]float64, corpus.Len()), make([]float64, corpus.Len()), make([]float64, corpus.Len())
		v[3], v[77], v[8000] = 1, -2, 0.5
		g.Row(row, 3)
		g.MulVecTo(product, v)
		for j := 0; j < corpus.Len(); j += 5 {
			want, sum := kernel.Eval(corpus.Seq(3), corpus.Seq(j)), 0.0
			for i, a := range v {
				if a != 0 {
					sum += a * kernel.Eval(corpus.Seq(i), corpus.Seq(j))
				}
			}
			if math.Abs(row[j]-want) > 1e-9*want || math.Abs(product[j]-sum) > 1e-9*(1+math.Abs(sum)) {
				t.Fatalf("%s, record %d: %v and the product %v, want %v and %v", name, j, row[j], product[j], want, sum)
			}
		}
	}
}
