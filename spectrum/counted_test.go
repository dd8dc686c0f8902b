package spectrum

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

// pairsByDefinition are the functions of counts as they are defined.
var pairsByDefinition = map[stringkernel.Count]func(a, b float64) float64{
	stringkernel.CountPresence:  func(a, b float64) float64 { return min(a, 1) * min(b, 1) },
	stringkernel.CountMin:       math.Min,
	stringkernel.CountSqrt:      func(a, b float64) float64 { return math.Sqrt(a * b) },
	stringkernel.CountLog:       func(a, b float64) float64 { return math.Log(1+a) * math.Log(1+b) },
	stringkernel.CountSublinear: func(a, b float64) float64 { return (1 + math.Log(a)) * (1 + math.Log(b)) },
	stringkernel.CountChi2:      func(a, b float64) float64 { return 2 * a * b / (a + b) },
}

func eachCount(t *testing.T, test func(t *testing.T, f stringkernel.Count, pair func(a, b float64) float64)) {
	for f, pair := range pairsByDefinition {
		t.Run(string(f), func(t *testing.T) { test(t, f, pair) })
	}
}

func TestCountedConformance(t *testing.T) {
	eachCount(t, func(t *testing.T, f stringkernel.Count, _ func(a, b float64) float64) {
		for _, c := range []struct {
			k       Kernel
			letters string
			breaks  string
			rc      bool
		}{
			{Kernel{K: 1, Alphabet: stringkernel.DNA}, "ACGT", "N", false},
			{Kernel{K: 3, Alphabet: stringkernel.DNA}, "ACGT", "N", true},
			{Kernel{K: 14, Alphabet: stringkernel.DNA}, "AC", "N", false},
			{Kernel{K: 12, Bounded: true, Alphabet: stringkernel.RNA}, "AU", "T", true},
			{Kernel{K: 3, Bounded: true, Alphabet: stringkernel.Protein}, "LAVWY", "X", false},
			{Kernel{K: 8, Bounded: true, Alphabet: stringkernel.Bytes}, "ab\xff", "", false},
		} {
			c.k.Count = f
			k := stringkernel.Kernel(c.k)
			if c.rc {
				k = compose.Normalized{Kernel: compose.OnBothStrands(k, c.k.Alphabet)}
			}
			t.Run(fmt.Sprintf("%s/k=%d/bounded=%v", c.k.Alphabet, c.k.K, c.k.Bounded), func(t *testing.T) {
				kerneltest.Run(t, k, kerneltest.Options{Letters: c.letters, Breaks: c.breaks, MaxLength: 60})
			})
		}
	})
}

// shortStrings returns all strings of the letters A and C up to a length.
func shortStrings(most int) (all [][]byte) {
	for n := range most + 1 {
		for code := range 1 << n {
			x := make([]byte, n)
			for i := range x {
				x[i] = "AC"[code>>i&1]
			}
			all = append(all, x)
		}
	}
	return all
}

// TestCountedByDefinition compares with the sum over all strings, on all short strings and on drawn records, of one
// strand and of both.
func TestCountedByDefinition(t *testing.T) {
	short := shortStrings(4)
	r := rand.New(rand.NewPCG(3, 5))
	drawn := drawCorpus(t, r, stringkernel.DNA, 12, 90)
	eachCount(t, func(t *testing.T, f stringkernel.Count, pair func(a, b float64) float64) {
		for _, k := range []Kernel{{K: 1}, {K: 2}, {K: 4}, {K: 11}, {K: 3, Bounded: true}, {K: 12, Bounded: true}} {
			for _, rc := range []bool{false, true} {
				k.Alphabet, k.Count, k.rc = stringkernel.DNA, f, rc
				compareCounted(t, k, corpusOf(t, short), pair)
				compareCounted(t, k, drawn, pair)
			}
		}
	})
}

func corpusOf(t *testing.T, seqs [][]byte) *stringkernel.Corpus {
	c, err := stringkernel.NewCorpus(seqs, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func compareCounted(t *testing.T, k Kernel, c *stringkernel.Corpus, pair func(a, b float64) float64) {
	t.Helper()
	counts := make([]map[string]int, c.Len())
	for i := range counts {
		counts[i] = definition(k, c.Seq(i))
		if k.rc {
			for s, n := range definition(k, k.Alphabet.ReverseComplementTo(nil, c.Seq(i))) {
				counts[i][s] += n
			}
		}
	}
	g, err := k.Gram(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	row := make([]float64, c.Len())
	for i := range counts {
		g.Row(row, i)
		for j := range counts {
			want := 0.0
			for s, n := range counts[i] {
				if m := counts[j][s]; m > 0 {
					want += pair(float64(n), float64(m))
				}
			}
			if got := k.Eval(c.Seq(i), c.Seq(j)); !near(got, want, want) || !near(row[j], want, want) {
				t.Fatalf("%+v of %q and %q: Eval %v, row %v, want %v", k, c.Seq(i), c.Seq(j), got, row[j], want)
			}
		}
	}
}

// TestCountedLarge compares products by postings, narrow and wide tables, and scores with rows, where records repeat
// k-mers more often than small counts go.
func TestCountedLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 2))
	seqs := make([][]byte, 40)
	for i := range seqs {
		seqs[i] = draw(r, "ACGT", 800+300*i, i%2 == 0)
	}
	seqs[7] = append(seqs[7], make([]byte, 5000)...)
	for i := range 5000 {
		seqs[7][len(seqs[7])-1-i], seqs[8] = 'A', append(seqs[8], 'A')
	}
	c := corpusOf(t, seqs)
	v := randomVector(r, c.Len())
	eachCount(t, func(t *testing.T, f stringkernel.Count, _ func(a, b float64) float64) {
		for _, k := range []Kernel{{K: 4}, {K: 9}, {K: 12}, {K: 5, Bounded: true}, {K: 8, Bounded: true}} {
			k.Alphabet, k.Count = stringkernel.DNA, f
			g, err := k.Gram(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			s, err := stringkernel.Merge(t.Context(), k, c, v)
			if err != nil {
				t.Fatal(err)
			}
			product, row, score := make([]float64, c.Len()), make([]float64, c.Len()), make([]float64, 1)
			g.MulVecTo(product, v)
			for i := range c.Len() {
				g.Row(row, i)
				sum := 0.0
				for j := range row {
					sum += v[j] * row[j]
				}
				s.ScoreTo(score, c.Seq(i))
				if scale := absSum(v, row); !near(product[i], sum, scale) || !near(score[0], sum, scale) {
					t.Fatalf("k=%d: product %v, score %v, want %v", k.K, product[i], score[0], sum)
				}
			}
		}
	})
}
