package spaced

import (
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

var (
	_ compose.Norms         = Kernel{}
	_ compose.Norms         = Subsequence{}
	_ stringkernel.Restorer = Kernel{}
	_ stringkernel.Restorer = Subsequence{}
)

func draw(rng *rand.Rand, letters string, most int) string {
	x := make([]byte, rng.IntN(most+1))
	for i := range x {
		x[i] = letters[rng.IntN(len(letters))]
	}
	return string(x)
}

// maskedByDefinition compares the letters under a mask at all pairs of places.
func maskedByDefinition(x, y, mask, alphabet string) (sum float64) {
	for p := 0; p+len(mask) <= len(x); p++ {
		for q := 0; q+len(mask) <= len(y); q++ {
			same := 1.0
			for o := range mask {
				if mask[o] == '1' && (x[p+o] != y[q+o] || strings.IndexByte(alphabet, x[p+o]) < 0) {
					same = 0
				}
			}
			sum += same
		}
	}
	return sum
}

func TestMasksByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		x, y := draw(rng, "ACGTN", 20), draw(rng, "ACGTN", 20)
		k := Kernel{Masks: []string{"1101", "1", "10011", "111"}, Alphabet: stringkernel.DNA}
		if rng.IntN(2) == 0 {
			k.Masks, k.Pair, k.Gap = nil, 1+rng.IntN(2), rng.IntN(5)
		}
		want := 0.0
		for _, mask := range k.words() {
			want += maskedByDefinition(x, y, mask, "ACGT")
		}
		if got := k.Eval([]byte(x), []byte(y)); got != want {
			t.Fatalf("%+v: k(%s, %s) = %v, by definition %v", k, x, y, got, want)
		}
	}
}

// gappyPairs counts, as kebabs' gappyPairKernel(k, m), pairs of words of k letters with at most m letters between them,
// under the names that it gives them.
func gappyPairs(x string, k, m int) map[string]float64 {
	counts := map[string]float64{}
	for p := range x {
		for gap := 0; gap <= m && p+2*k+gap <= len(x); gap++ {
			first, second := x[p:p+k], x[p+k+gap:p+2*k+gap]
			if strings.Contains(first+second, "N") {
				continue
			}
			counts[first+strings.Repeat(".", gap)+second]++
		}
	}
	return counts
}

// TestGappyPairsOfKebabs compares names with those that the vignette of kebabs lists for CAGAT (commit 2fcfc70, section
// "Gappy Pair Kernel"), and counts and values with its definition of the kernel, normalised too.
func TestGappyPairsOfKebabs(t *testing.T) {
	pairs := func(k, m int) Kernel { return Kernel{Pair: k, Gap: m, Alphabet: stringkernel.DNA} }
	features := func(k stringkernel.Kernel, x string) map[string]float64 {
		found := map[string]float64{}
		stringkernel.EnumeratorOf(k).EachFeature([]byte(x), func(name string, value float64) { found[name] = value })
		return found
	}
	vignette := strings.Fields("CA C.G C..A AG A.A A..T GA G.T AT")
	if found := slices.Sorted(maps.Keys(features(pairs(1, 2), "CAGAT"))); !slices.Equal(found, slices.Sorted(
		slices.Values(vignette))) {
		t.Errorf("features %v, of kebabs %v", found, vignette)
	}
	rng := rand.New(rand.NewPCG(9, 8))
	for range 200 {
		x, y, k, m := draw(rng, "ACGTN", 24), draw(rng, "ACGTN", 24), 1+rng.IntN(3), 1+rng.IntN(5)
		if found, want := features(pairs(k, m), x), gappyPairs(x, k, m); !maps.Equal(found, want) {
			t.Fatalf("k = %d, m = %d: features of %s %v, of kebabs %v", k, m, x, found, want)
		}
		want := inner(x, y, k, m)
		if got := pairs(k, m).Eval([]byte(x), []byte(y)); got != want {
			t.Fatalf("k = %d, m = %d: k(%s, %s) = %v, of kebabs %v", k, m, x, y, got, want)
		}
		if want > 0 {
			want /= math.Sqrt(inner(x, x, k, m) * inner(y, y, k, m))
		}
		got := compose.Normalized{Kernel: pairs(k, m)}.Eval([]byte(x), []byte(y))
		if math.Abs(got-want) > 1e-12 {
			t.Fatalf("k = %d, m = %d, normalised: k(%s, %s) = %v, of kebabs %v", k, m, x, y, got, want)
		}
	}
}

// inner is kebabs' value without normalisation.
func inner(x, y string, k, m int) (sum float64) {
	of := gappyPairs(y, k, m)
	for name, count := range gappyPairs(x, k, m) {
		sum += count * of[name]
	}
	return sum
}

// A mask of ones alone is the spectrum kernel.
func TestOnesAreSpectrum(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for range 100 {
		x, y := []byte(draw(rng, "ACGTN", 30)), []byte(draw(rng, "ACGTN", 30))
		got := Kernel{Masks: []string{"111"}, Alphabet: stringkernel.DNA}.Eval(x, y)
		if want := (spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA}).Eval(x, y); got != want {
			t.Fatalf("k(%s, %s) = %v, of the spectrum %v", x, y, got, want)
		}
	}
}

// subsequences returns Σ λ^span by word of k letters, over all choices of places within a span, 0 for any.
func subsequences(x, alphabet string, k, span int, lambda float64) map[string]float64 {
	sums := map[string]float64{}
	var choose func(word string, first, next int)
	choose = func(word string, first, next int) {
		if len(word) == k {
			if n := next - first; span == 0 || n <= span {
				sums[word] += math.Pow(lambda, float64(n))
			}
			return
		}
		for p := next; p < len(x); p++ {
			if strings.IndexByte(alphabet, x[p]) >= 0 {
				from := first
				if word == "" {
					from = p
				}
				choose(word+x[p:p+1], from, p+1)
			}
		}
	}
	choose("", 0, 0)
	return sums
}

func TestSubsequencesByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for range 300 {
		x, y := draw(rng, "ACGTN", 12), draw(rng, "ACGTN", 12)
		k := Subsequence{K: 1 + rng.IntN(4), Lambda: 1 - rng.Float64()/2, Alphabet: stringkernel.DNA}
		if rng.IntN(2) == 0 {
			k.Span = k.K + rng.IntN(5)
		}
		want, other := 0.0, subsequences(y, "ACGT", k.K, k.Span, k.Lambda)
		for word, value := range subsequences(x, "ACGT", k.K, k.Span, k.Lambda) {
			want += value * other[word]
		}
		if got := k.Eval([]byte(x), []byte(y)); math.Abs(got-want) > 1e-12*(1+want) {
			t.Fatalf("%+v: k(%s, %s) = %v, by definition %v", k, x, y, got, want)
		}
		wide := k
		wide.Span = 0
		k.Span = max(len(x), len(y), k.K)
		if a, b := k.Eval([]byte(x), []byte(y)), wide.Eval([]byte(x), []byte(y)); math.Abs(a-b) > 1e-12*(1+b) {
			t.Fatalf("%+v: k(%s, %s) = %v, by the recurrence %v", k, x, y, a, b)
		}
	}
}

// TestSubsequencesOfAnotherProgram compares values with those of a dynamic program of others.
func TestSubsequencesOfAnotherProgram(t *testing.T) {
	root := os.Getenv("SEQSVM_DATA")
	if root == "" {
		t.Skip("SEQSVM_DATA is not set")
	}
	read := func(name string) []string {
		file, err := os.Open(filepath.Join(root, "oracle-strings-a", "ssk-collector", name))
		if err != nil {
			t.Skip(err)
		}
		defer file.Close()
		text, err := gzip.NewReader(file)
		if err != nil {
			t.Fatal(err)
		}
		all, err := io.ReadAll(text)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimRight(string(all), "\n"), "\n")
	}
	for _, set := range []string{"dna", "text"} {
		records := read(set + ".strings.txt.gz")
		for _, line := range read(set + ".tsv.gz")[1:] {
			var k Subsequence
			var i, j int
			var raw, normalized float64
			if _, err := fmt.Sscan(line, &k.K, &k.Lambda, &i, &j, &raw, &normalized); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			got := k.Eval([]byte(records[i-1]), []byte(records[j-1]))
			if math.Abs(got-raw) > 1e-9*raw {
				t.Errorf("%s: %s: %v", set, line, got)
			}
		}
	}
}

func TestConforms(t *testing.T) {
	for name, k := range map[string]stringkernel.Kernel{
		"masks":    Kernel{Masks: []string{"1101", "11", "100001"}, Alphabet: stringkernel.DNA},
		"pairs":    Kernel{Pair: 1, Gap: 6, Alphabet: stringkernel.DNA},
		"span":     Subsequence{K: 3, Span: 6, Lambda: 0.7, Alphabet: stringkernel.DNA},
		"any span": Subsequence{K: 2, Lambda: 0.5, Alphabet: stringkernel.DNA},
		"one":      Subsequence{K: 1, Span: 1, Lambda: 1, Alphabet: stringkernel.DNA},
		"both": compose.BothStrands{Kernel: Kernel{Pair: 2, Gap: 3, Alphabet: stringkernel.DNA},
			Alphabet: stringkernel.DNA},
		"normalize": compose.Normalized{Kernel: Kernel{Pair: 2, Gap: 3, Alphabet: stringkernel.DNA}},
	} {
		t.Run(name, func(t *testing.T) { kerneltest.Run(t, k, kerneltest.Options{Letters: "ACGT", Breaks: "N"}) })
	}
}

func TestErrors(t *testing.T) {
	many := strings.Repeat("1", 33)
	for want, k := range map[string]stringkernel.Kernel{
		"0 masks":                  Kernel{},
		"begins and ends with 1":   Kernel{Masks: []string{"0110"}},
		"given twice":              Kernel{Masks: []string{"11", "11"}},
		"want at most 64":          Kernel{Masks: []string{"1" + strings.Repeat("0", 63) + "1"}},
		"chooses 33 letters":       Kernel{Masks: []string{many}, Alphabet: stringkernel.DNA},
		"want one of them":         Kernel{Masks: []string{"11"}, Pair: 1},
		"gap needs pair":           Kernel{Masks: []string{"11"}, Gap: 2},
		"gap = 63, want 0…62":      Kernel{Pair: 1, Gap: 63},
		"pair = 33":                Kernel{Pair: 33},
		"lambda = 0":               Subsequence{K: 2},
		"span = 2":                 Subsequence{K: 3, Span: 2, Lambda: 1},
		"take a shorter span":      Subsequence{K: 8, Span: 40, Lambda: 1},
		"k = 0":                    Subsequence{Lambda: 1},
		"alphabet \"greek\" is un": Kernel{Pair: 1, Alphabet: "greek"},
	} {
		if err := k.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want one with %q", k, err, want)
		}
	}
}

// TestTexts names features.
func TestTexts(t *testing.T) {
	found := map[string]float64{}
	Kernel{Masks: []string{"101", "11"}, Alphabet: stringkernel.DNA}.EachFeature([]byte("ACGNA"),
		func(name string, value float64) { found[name] = value })
	if len(found) != 4 || found["A.G"] != 1 || found["AC"] != 1 || found["CG"] != 1 || found["G.A"] != 1 {
		t.Errorf("features %v, want A.G, AC, CG and G.A", found)
	}
}
