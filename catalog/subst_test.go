package catalog

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestSpectrumOfWeighedLetters compares spectrum with weights of letters with its definition, over all pairs of k-mers.
func TestSpectrumOfWeighedLetters(t *testing.T) {
	transitions := func(beta float64) func(a, b byte) float64 {
		return func(a, b byte) float64 {
			switch {
			case a == b:
				return 1
			case strings.Contains("AGA CTC", string([]byte{a, b})):
				return math.Pow(2, -beta)
			}
			return 0
		}
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for _, c := range []struct {
		parameters string
		k          int
		weight     func(a, b byte) float64
		of         func(count int) float64
	}{
		{"k=3,subst=transitions", 3, transitions(1), func(n int) float64 { return float64(n) }},
		{"k=1,subst=transitions,beta=2", 1, transitions(2), func(n int) float64 { return float64(n) }},
		{"k=4,subst=transitions,beta=0.3,count=sqrt", 4, transitions(0.3), func(n int) float64 { return math.Sqrt(float64(n)) }},
		{"k=2,subst=transitions,count=presence", 2, transitions(1), func(n int) float64 { return 1 }},
	} {
		s := must.Get(Parse("spectrum:" + c.parameters))(t)
		normalised := must.Get(s.Compile(stringkernel.DNA))(t)
		s.Normalize = false
		raw := must.Get(s.Compile(stringkernel.DNA))(t)
		value := func(x, y []byte) (sum float64) {
			for u, n := range countsOf(x, c.k) {
				for v, m := range countsOf(y, c.k) {
					product := c.of(n) * c.of(m)
					for i := range c.k {
						product *= c.weight(u[i], v[i])
					}
					sum += product
				}
			}
			return sum
		}
		for range 20 {
			x, y := randomDNA(rng, 4+rng.IntN(30)), randomDNA(rng, 4+rng.IntN(30))
			want := value(x, y)
			if got := raw.Eval(x, y) / math.Pow(4, float64(c.k)); math.Abs(got-want) > 1e-12*max(1, want) {
				t.Errorf("%s of %s and %s is 4^k·%v, want %v", c.parameters, x, y, got, want)
			}
			want /= math.Sqrt(value(x, x) * value(y, y))
			if got := normalised.Eval(x, y); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s of %s and %s, normalised, is %v, want %v", c.parameters, x, y, got, want)
			}
		}
	}
}

// countsOf counts the k-mers of a sequence.
func countsOf(x []byte, k int) map[string]int {
	counts := map[string]int{}
	for i := range len(x) - k + 1 {
		counts[string(x[i:i+k])]++
	}
	return counts
}

func randomDNA(rng *rand.Rand, length int) []byte {
	return drawn.Text(rng, "ACGT", length)
}

// TestOtherEntries checks that a name which means another kernel with some parameters says so, and no other name.
func TestOtherEntries(t *testing.T) {
	for text, want := range map[string]string{
		"spectrum:subst=foo,alphabet=dna":              `spectrum with subst is mismatch: subst = "foo", want blosum62`,
		"spectrum:k=8,subst=blosum62":                  "spectrum with subst is mismatch: subst: 20^8 k-mers exceed a table",
		"spectrum:beta=2,alphabet=dna":                 "spectrum with beta is mismatch: beta needs subst",
		"spectrum:subst=blosum62,alphabet=dna":         "spectrum with subst is mismatch: subst=blosum62 has weights of amino",
		"spectrum:k=4,tfidf,subst=transitions":         `spectrum with subst is mismatch: unknown parameter "tfidf"`,
		"spectrum:k=4,subst=transitions,k=5":           `parameter "k" is given twice`,
		"spectrum:k=4,subst=transitions,rank=0":        "spectrum with subst is mismatch: rank = 0, want at least 1",
		"spectrum:k=40,subst=transitions,alphabet=dna": "spectrum with subst is mismatch: k = 40, want 1…32",
		"spectrum:k=40,alphabet=dna":                   "spectrum: k = 40, want 1…32",
		"mismatch:k=40,subst=transitions,alphabet=dna": "mismatch: k = 40, want 1…32",
		"spectrum:subst=blosum62,rc":                   `rc: alphabet "protein" has no complement`,
	} {
		s, err := Parse(text)
		if err == nil {
			_, err = s.Compile("")
		}
		if got := strings.TrimPrefix(fmt.Sprint(err), fmt.Sprintf("kernel %q: ", text)); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
