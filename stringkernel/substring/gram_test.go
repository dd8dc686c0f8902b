package substring_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/oracle"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// manyDocuments draws n documents of at most 6 letters, more than 16 bits can number. Some words are everywhere, some
// in a few documents, some in late ones only.
func manyDocuments(t *testing.T, n int) *stringkernel.Corpus {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	var b stringkernel.CorpusBuilder
	for j := range n {
		x := make([]byte, max(0, rng.IntN(12)-5)) // half of them empty
		for i := range x {
			x[i] = "ACG"[rng.IntN(3)]
			if j > n-n/20 && rng.IntN(3) == 0 {
				x[i] = 'T'
			}
		}
		b.Add("", x)
	}
	return b.Corpus()
}

// features holds the substring counts of every document, by definition, and the substrings themselves once.
type features struct {
	substrings []string
	counts     [][]count // of each document
}

type count struct {
	substring int // its place in substrings
	n         float64
}

func featuresOf(c *stringkernel.Corpus) features {
	f := features{counts: make([][]count, c.Len())}
	places := map[string]int{}
	for j := range f.counts {
		for s, n := range oracle.Counts(c.Seq(j), "ACGT", 0) {
			place, ok := places[s]
			if !ok {
				place = len(places)
				places[s], f.substrings = place, append(f.substrings, s)
			}
			f.counts[j] = append(f.counts[j], count{place, n})
		}
	}
	return f
}

// weights returns the weight of every substring.
func (f features) weights(weight func(s string, df float64) float64) []float64 {
	weights := make([]float64, len(f.substrings))
	for _, counts := range f.counts {
		for _, c := range counts {
			weights[c.substring]++
		}
	}
	for place, df := range weights {
		weights[place] = weight(f.substrings[place], df)
	}
	return weights
}

// product returns K·v, and the same with absolute values, from sums over features.
func (f features) product(v, weights []float64) (product, size []float64) {
	sums, sizes := make([]float64, len(weights)), make([]float64, len(weights))
	for j, counts := range f.counts {
		for _, c := range counts {
			sums[c.substring] += v[j] * c.n * weights[c.substring]
			sizes[c.substring] += math.Abs(v[j]) * c.n * weights[c.substring]
		}
	}
	product, size = make([]float64, len(f.counts)), make([]float64, len(f.counts))
	for j, counts := range f.counts {
		for _, c := range counts {
			product[j] += c.n * sums[c.substring]
			size[j] += c.n * sizes[c.substring]
		}
	}
	return product, size
}

// TestManyDocuments runs products and rows on corpora whose document numbers need two and three ranges of 16 bits.
func TestManyDocuments(t *testing.T) {
	sizes := []int{65_600, 131_200}
	if testing.Short() {
		sizes = sizes[:1]
	}
	for _, n := range sizes {
		c := manyDocuments(t, n)
		f := featuresOf(c)
		for _, w := range []struct {
			kernel substring.Kernel
			weight func(s string, df float64) float64
		}{
			{substring.Kernel{Weight: substring.Fixed, K: 2}, func(s string, _ float64) float64 {
				return indicator(len(s) == 2)
			}},
			{substring.Kernel{Weight: substring.Bounded, K: 4}, func(s string, _ float64) float64 {
				return indicator(len(s) <= 4)
			}},
			{substring.Kernel{Weight: substring.Constant}, func(string, float64) float64 { return 1 }},
			{substring.Kernel{Weight: substring.TFIDF, Lambda: 0.7}, func(s string, df float64) float64 {
				idf := 1 + math.Log((1+float64(n))/(1+df))
				return math.Pow(0.7, float64(len(s))) * idf * idf
			}},
		} {
			w.kernel.Alphabet = stringkernel.DNA
			t.Run(fmt.Sprintf("%s, %d", w.kernel.Weight, n), func(t *testing.T) {
				g, err := w.kernel.Gram(t.Context(), c)
				if err != nil {
					t.Fatal(err)
				}
				v := make([]float64, n)
				for i := range v {
					v[i] = math.Sin(float64(i))
				}
				unit := make([]float64, n)
				last := n - 1
				for len(c.Seq(last)) == 0 {
					last--
				}
				unit[last] = 1
				got := make([]float64, n)
				g.MulVecTo(got, v)
				weights := f.weights(w.weight)
				want, size := f.product(v, weights)
				compare(t, "product", got, want, size)
				g.Row(got, last)
				want, size = f.product(unit, weights)
				compare(t, "row", got, want, size)
				g.Diag(got)
				for j, counts := range f.counts {
					want := 0.0
					for _, c := range counts {
						want += weights[c.substring] * c.n * c.n
					}
					if !near(got[j], want) {
						t.Fatalf("diagonal %d = %v, by definition %v", j, got[j], want)
					}
				}
			})
		}
	}
}

func compare(t *testing.T, what string, got, want, size []float64) {
	t.Helper()
	for j := range got {
		if math.Abs(got[j]-want[j]) > 1e-11*(1+size[j]) {
			t.Fatalf("%s %d = %v, by definition %v", what, j, got[j], want[j])
		}
	}
}

// TestReferenceOfItsOwn fits tfidf to one corpus and indexes, merges and explains another.
func TestReferenceOfItsOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sequences := rapid.SliceOfN(rapid.SliceOfN(rapid.SampledFrom([]byte("ACN")), 0, 12), 0, 6)
		reference, seqs := sequences.Draw(t, "reference"), sequences.Draw(t, "corpus")
		if len(seqs) > 2 {
			seqs = append(seqs, seqs[0]) // a duplicate
		}
		if len(reference) > 0 && rapid.Bool().Draw(t, "in both") {
			seqs = append(seqs, reference[0])
		}
		kernel := substring.Kernel{Weight: substring.TFIDF, K: rapid.SampledFrom([]int{0, 1, 3}).Draw(t, "k"),
			Alphabet: stringkernel.DNA}
		idf := oracle.SquaredIDF(reference, "ACGT")
		byDefinition := func(x, y []byte) float64 { return oracle.Substring(x, y, "ACGT", kernel.K, idf) }
		r, _ := stringkernel.NewCorpus(reference, nil)
		c, _ := stringkernel.NewCorpus(seqs, nil)
		fitted, err := stringkernel.Fit(t.Context(), kernel, r)
		if err != nil {
			t.Fatal(err)
		}
		g, err := fitted.Gram(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		row, coef := make([]float64, c.Len()), [][]float64{make([]float64, c.Len()), make([]float64, c.Len())}
		for i, x := range seqs {
			coef[0][i], coef[1][i] = float64(i)-1.5, 1
			g.Row(row, i)
			for j, y := range seqs {
				if want := byDefinition(x, y); !near(row[j], want) {
					t.Fatalf("K[%d][%d] = %v, by definition %v", i, j, row[j], want)
				}
			}
		}
		s, err := stringkernel.Merge(t.Context(), fitted, c, coef...)
		if err != nil {
			t.Fatal(err)
		}
		x := rapid.SliceOfN(rapid.SampledFrom([]byte("ACGN")), 0, 12).Draw(t, "query")
		got := make([]float64, 2)
		s.ScoreTo(got, x)
		for m := range got {
			want, size := 0.0, 0.0
			for i, y := range seqs {
				want += coef[m][i] * byDefinition(y, x)
				size += math.Abs(coef[m][i] * byDefinition(y, x))
			}
			if math.Abs(got[m]-want) > 1e-11*(1+size) {
				t.Fatalf("score %d of %q = %v, by definition %v", m, x, got[m], want)
			}
		}
	})
}
