package substring_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// functions are those of counts that the kernel has.
var functions = []stringkernel.Count{stringkernel.CountPresence, stringkernel.CountSqrt, stringkernel.CountLog,
	stringkernel.CountSublinear}

// countsOf counts the substrings of some sequences without breaks.
func countsOf(letters string, seqs ...[]byte) map[string]int {
	counts := map[string]int{}
	for _, x := range seqs {
		for i := range x {
			for j := i; j < len(x) && (letters == "" || strings.IndexByte(letters, x[j]) >= 0); j++ {
				counts[string(x[i:j+1])]++
			}
		}
	}
	return counts
}

// byCounts is the kernel by its definition.
func byCounts(a, b map[string]int, f stringkernel.Count, weight func(l int) float64) (sum float64) {
	for s, n := range a {
		sum += weight(len(s)) * f.Pair(n, b[s])
	}
	return sum
}

// counted lists the weightings with functions of counts.
func counted() map[string]struct {
	kernel substring.Kernel
	weight func(l int) float64
} {
	list := map[string]struct {
		kernel substring.Kernel
		weight func(l int) float64
	}{}
	for i, w := range weightings {
		if w.kernel.Weight == substring.TFIDF {
			continue
		}
		w.kernel.Count = functions[i%len(functions)]
		list[fmt.Sprintf("%+v", w.kernel)] = w
	}
	return list
}

func TestCountsByDefinition(t *testing.T) {
	for name, w := range counted() {
		for _, a := range alphabets {
			kernel := w.kernel
			kernel.Alphabet = a.name
			t.Run(fmt.Sprintf("%s %s", name, a.name), func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					draw := rapid.SliceOfN(rapid.SampledFrom([]byte(a.draw)), 0, 30)
					x, y := draw.Draw(t, "x"), draw.Draw(t, "y")
					for _, pair := range [][2][]byte{{x, y}, {y, x}, {x, x}} {
						want := byCounts(countsOf(a.letters, pair[0]), countsOf(a.letters, pair[1]), kernel.Count, w.weight)
						if got := kernel.Eval(pair[0], pair[1]); !near(got, want) {
							t.Fatalf("k(%q, %q) = %v, by definition %v", pair[0], pair[1], got, want)
						}
					}
					counts := countsOf(a.letters, x)
					if got, want := kernel.SelfEval(x), byCounts(counts, counts, kernel.Count, w.weight); !near(got, want) {
						t.Fatalf("SelfEval(%q) = %v, by definition %v", x, got, want)
					}
				})
			})
		}
	}
}

// TestCountsOfShortStrings compares matrices and scores of all short strings with the definition.
func TestCountsOfShortStrings(t *testing.T) {
	var b stringkernel.CorpusBuilder
	var counts []map[string]int
	var coef []float64
	for n := range 6 {
		for code := range 1 << n {
			x := make([]byte, n)
			for i := range x {
				x[i] = "ab"[code>>i&1]
			}
			b.Add("", x)
			counts, coef = append(counts, countsOf("", x)), append(coef, float64(code%5)-2)
		}
	}
	c := b.Corpus()
	for name, w := range counted() {
		g, err := w.kernel.Gram(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		s, err := stringkernel.Merge(t.Context(), w.kernel, c, coef)
		if err != nil {
			t.Fatal(err)
		}
		row, score := make([]float64, c.Len()), make([]float64, 1)
		for i := range c.Len() {
			g.Row(row, i)
			s.ScoreTo(score, c.Seq(i))
			sum := 0.0
			for j, got := range row {
				want := byCounts(counts[i], counts[j], w.kernel.Count, w.weight)
				if !near(got, want) {
					t.Fatalf("%s: k(%q, %q) = %v, by definition %v", name, c.Seq(i), c.Seq(j), got, want)
				}
				sum += coef[j] * want
			}
			if !near(score[0], sum) {
				t.Fatalf("%s: score of %q %v, by definition %v", name, c.Seq(i), score[0], sum)
			}
		}
	}
}

// Of both strands, counts are added before a function sees them.
func TestCountsOfBothStrands(t *testing.T) {
	for name, w := range counted() {
		kernel := w.kernel
		kernel.Alphabet = stringkernel.DNA
		both := compose.OnBothStrands(kernel, stringkernel.DNA)
		rapid.Check(t, func(t *rapid.T) {
			draw := rapid.SliceOfN(rapid.SampledFrom([]byte("ACGTN")), 0, 20)
			x, y := draw.Draw(t, "x"), draw.Draw(t, "y")
			rc := func(x []byte) []byte { return stringkernel.DNA.ReverseComplementTo(nil, x) }
			a, b := countsOf("ACGT", x, rc(x)), countsOf("ACGT", y, rc(y))
			if got, want := both.Eval(x, y), byCounts(a, b, kernel.Count, w.weight); !near(got, want) {
				t.Fatalf("%s: k(%q, %q) = %v, by definition %v", name, x, y, got, want)
			}
			if got, want := compose.SelfEval(both, x), byCounts(a, a, kernel.Count, w.weight); !near(got, want) {
				t.Fatalf("%s: SelfEval(%q) = %v, by definition %v", name, x, got, want)
			}
		})
	}
}

func TestCountsConform(t *testing.T) {
	for name, w := range counted() {
		for _, a := range alphabets {
			if testing.Short() && a.name != stringkernel.DNA {
				continue
			}
			kernel := w.kernel
			kernel.Alphabet = a.name
			opt := kerneltest.Options{Letters: a.draw[:4], Breaks: a.draw[4:]}
			if a.name == stringkernel.Bytes {
				opt.Breaks = ""
			}
			t.Run(fmt.Sprintf("%s %s", name, a.name), func(t *testing.T) { kerneltest.Run(t, kernel, opt) })
		}
	}
	ends := substring.Kernel{Weight: substring.Constant, Count: stringkernel.CountSqrt, Ends: true, Alphabet: stringkernel.DNA}
	runes := substring.Kernel{Weight: substring.Constant, Count: stringkernel.CountPresence, Unit: substring.RuneUnit}
	for name, k := range map[string]stringkernel.Kernel{
		"ends": ends, "normalised": compose.Normalized{Kernel: ends},
		"strands": compose.Normalized{Kernel: compose.OnBothStrands(substring.Kernel{Weight: substring.Decay, Lambda: 0.5,
			Count: stringkernel.CountLog, Alphabet: stringkernel.DNA}, stringkernel.DNA)},
	} {
		t.Run(name, func(t *testing.T) { kerneltest.Run(t, k, kerneltest.Options{Letters: "ACGT", Breaks: "N"}) })
	}
	t.Run("runes", func(t *testing.T) { kerneltest.Run(t, runes, kerneltest.Options{Letters: "aé→"}) })
}

func TestCountsAreChecked(t *testing.T) {
	for want, k := range map[string]substring.Kernel{
		"cannot be used with weight=tfidf":                  {Weight: substring.TFIDF, Count: stringkernel.CountSqrt},
		`count = "max", want one of: raw, presence, sqrt, `: {Weight: substring.Constant, Count: "max"},
		`count = "chi2", which only words has, want one `:   {Weight: substring.Constant, Count: "chi2"},
	} {
		if err := k.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	ends := substring.Kernel{Weight: substring.Constant, Count: stringkernel.CountSqrt, Ends: true, Alphabet: stringkernel.DNA}
	if err := compose.OnBothStrands(ends, stringkernel.DNA).Check(); err == nil {
		t.Error("no error for marks of both strands")
	}
}
