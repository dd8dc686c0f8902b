package discrepancy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/classify/discrepancy"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// two returns n records of ACGT, and m in which some letters are A.
func two(rng *rand.Rand, n, m int, more float64) *stringkernel.Corpus {
	var b stringkernel.CorpusBuilder
	for i := range n + m {
		x := make([]byte, 30)
		for j := range x {
			if x[j] = "ACGT"[rng.IntN(4)]; i >= n && rng.Float64() < more {
				x[j] = 'A'
			}
		}
		b.Add(fmt.Sprint(i), x)
	}
	return b.Corpus()
}

var kernel = compose.Normalized(spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA})

// TestEstimate compares with the double sums of the definition.
func TestEstimate(t *testing.T) {
	c := two(rand.New(rand.NewPCG(1, 1)), 7, 5, 0.2)
	k := func(i, j int) float64 { return kernel.Eval(c.Seq(i), c.Seq(j)) }
	want := 0.0
	for i := range 12 {
		for j := range 12 {
			switch {
			case i == j:
			case i < 7 && j < 7:
				want += k(i, j) / (7 * 6)
			case i >= 7 && j >= 7:
				want += k(i, j) / (5 * 4)
			default:
				want -= k(i, j) / (7 * 5)
			}
		}
	}
	g := must.Get(kernel.Gram(t.Context(), c))(t)
	r := must.Get(discrepancy.Test{Permutations: 20, Seed: 1}.Run(t.Context(), g, 7))(t)
	if math.Abs(r.MMD2-want) > 1e-12 {
		t.Errorf("%v, want %v", r.MMD2, want)
	}
}

// TestLevel: sets drawn alike are told apart in one of twenty tests at the 5 % level, others nearly always.
func TestLevel(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	same, other := 0, 0
	const tests = 200
	for seed := range uint64(tests) {
		for _, more := range []float64{0, 0.2} {
			g := must.Get(kernel.Gram(t.Context(), two(rng, 20, 30, more)))(t)
			r := must.Get(discrepancy.Test{Permutations: 99, Seed: seed}.Run(t.Context(), g, 20))(t)
			switch {
			case r.P > 0.05:
			case more == 0:
				same++
			default:
				other++
			}
		}
	}
	if same < tests/50 || same > tests/10 || other < tests*9/10 {
		t.Errorf("of %d pairs of sets, %d drawn alike and %d others are told apart", tests, same, other)
	}
}

func TestErrors(t *testing.T) {
	g := must.Get(kernel.Gram(t.Context(), two(rand.New(rand.NewPCG(1, 1)), 3, 1, 0)))(t)
	if _, err := (discrepancy.Test{Permutations: 1}).Run(t.Context(), g, 3); err == nil {
		t.Error("a set of one record")
	}
	if _, err := (discrepancy.Test{}).Run(t.Context(), g, 2); err == nil {
		t.Error("no permutation")
	}
}
