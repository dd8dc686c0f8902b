package spaced

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

func draw(rng *rand.Rand, letters string, most int) string {
	x := drawn.Text(rng, letters, rng.IntN(most+1))
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
		got := compose.Normalized(pairs(k, m)).Eval([]byte(x), []byte(y))
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
