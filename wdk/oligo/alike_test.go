package oligo_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/similarity"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
	"github.com/seqsvm/seqsvm/wdk/oligo"
)

// alikeByDefinition is the generic string kernel: the sum over lengths and pairs of positions of a Gaussian times the
// product of the weights of letters.
func alikeByDefinition(k oligo.Kernel, x, y []byte) float64 {
	weights, err := similarity.New(k.Subst, k.Beta, k.Alphabet)
	if err != nil {
		panic(err)
	}
	codes, sum := k.Alphabet.Codes(), 0.0
	for n := 1; n <= k.K; n++ {
		if n < k.K && !k.Bounded {
			continue
		}
		for p := 0; p+n <= len(x); p++ {
			for q := 0; q+n <= len(y); q++ {
				product := math.Exp(-float64((p-q)*(p-q)) / (4 * k.Sigma * k.Sigma))
				for i := range n {
					a, b := codes[x[p+i]], codes[y[q+i]]
					if a == stringkernel.Outside || b == stringkernel.Outside {
						product = 0
						break
					}
					product *= weights.At(int(a), int(b))
				}
				sum += product
			}
		}
	}
	return sum
}

// TestAlikeByDefinition compares values of sequences of any lengths with the definition.
func TestAlikeByDefinition(t *testing.T) {
	const letters = "ACDEFGHIKLMNPQRSTVWYX"
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func() []byte {
		return drawn.Text(rng, letters, rng.IntN(14))
	}
	for range 300 {
		x, y := draw(), draw()
		k := oligo.Kernel{K: 1 + rng.IntN(4), Sigma: 3 * (rng.Float64() + 0.01), Subst: []string{"grantham"},
			Beta: 2 * rng.Float64(), Bounded: rng.IntN(2) == 0, Alphabet: stringkernel.Protein}
		if got, want := k.Eval(x, y), alikeByDefinition(k, x, y); math.Abs(got-want) > 1e-12*(1+want) {
			t.Fatalf("%+v: k(%s, %s) = %v, by definition %v", k, x, y, got, want)
		}
	}
}

func TestAlikeConforms(t *testing.T) {
	for _, k := range []oligo.Kernel{
		{K: 3, Sigma: 2, Subst: []string{"blosum62"}, Alphabet: stringkernel.Protein},
		{K: 3, Sigma: 0.5, Subst: []string{"grantham"}, Beta: 0.3, Bounded: true, Alphabet: stringkernel.Protein},
	} {
		kerneltest.Run(t, k, kerneltest.Options{Letters: "ACDEFGHIKLMNPQRSTVWY", Breaks: "X"})
	}
}

func TestAlikeErrors(t *testing.T) {
	for want, k := range map[string]oligo.Kernel{
		"bounded needs subst": {K: 3, Sigma: 1, Bounded: true, Alphabet: stringkernel.Protein},
		"beta needs subst":    {K: 3, Sigma: 1, Beta: 1, Alphabet: stringkernel.Protein},
		"not of letters":      {K: 3, Sigma: 1, Subst: []string{"blosum62"}, Alphabet: stringkernel.DNA},
	} {
		if err := k.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want one with %q", k, err, want)
		}
	}
}
