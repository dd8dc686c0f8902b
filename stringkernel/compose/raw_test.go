package compose_test

import (
	"math"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

func normalized(k stringkernel.Kernel) stringkernel.Kernel { return compose.Normalized(k) }

// rawTestCorpus is a few sequences, one of them without features and one with a letter outside the alphabet.
func rawTestCorpus(t *testing.T) *stringkernel.Corpus {
	t.Helper()
	c := must.Get(stringkernel.NewCorpus([][]byte{
		[]byte("ACGTACGTTG"), []byte("GGGTTACAN"), []byte("A"), []byte("TTTTACGGA"), []byte("CATNCATCAT"),
	}, nil))(t)
	return c
}

// TestRawIsTheDefinition compares raw scores with Σ_i coef_i k(x_i, x)/√k(x_i, x_i), computed from Eval of the kernel
// inside.
func TestRawIsTheDefinition(t *testing.T) {
	c := rawTestCorpus(t)
	coef := []float64{0.5, -1, 3, 0.25, -0.125}
	two := substring.Kernel{Weight: substring.Fixed, K: 2, Alphabet: stringkernel.DNA}
	three := substring.Kernel{Weight: substring.Fixed, K: 3, Alphabet: stringkernel.DNA}
	both := compose.BothStrands(two, stringkernel.DNA)
	for name, k := range map[string]struct {
		kernel stringkernel.Kernel
		// whose mean of normalised values is the kernel; nil if the kernel is not normalised
		terms []stringkernel.Kernel
	}{
		"not normalised": {two, nil},
		"normalised":     {normalized(two), []stringkernel.Kernel{two}},
		"both strands":   {normalized(both), []stringkernel.Kernel{both}},
		"a sum": {compose.Mean([]stringkernel.Kernel{normalized(two), normalized(three)}, nil),
			[]stringkernel.Kernel{two, three}},
		"a sum with both": {compose.Mean([]stringkernel.Kernel{normalized(both), normalized(three)}, nil),
			[]stringkernel.Kernel{both, three}},
		"a sum, not normalised":            {compose.Mean([]stringkernel.Kernel{two, three}, nil), nil},
		"both strands of a normalised one": {compose.BothStrands(normalized(two), stringkernel.DNA), nil},
	} {
		s := must.Get(stringkernel.Merge(t.Context(), k.kernel, c, coef))(t)
		got, raw := make([]float64, 1), compose.Raw(s)
		if raw.Outputs() != 1 {
			t.Errorf("%s: %d outputs", name, raw.Outputs())
		}
		for q := range c.Len() {
			x, want := c.Seq(q), 0.0
			switch {
			case name == "both strands of a normalised one":
				for _, strand := range [][]byte{x, stringkernel.DNA.ReverseComplementTo(nil, x)} {
					want += rawByDefinition(two, c, coef, strand) +
						rawByDefinition(two, reverseComplements(c), coef, strand)
				}
			case k.terms == nil:
				for i, a := range coef {
					want += a * k.kernel.Eval(c.Seq(i), x)
				}
			default:
				for _, term := range k.terms {
					want += rawByDefinition(term, c, coef, x) / float64(len(k.terms))
				}
			}
			if raw.ScoreTo(got, x); math.Abs(got[0]-want) > 1e-12 {
				t.Errorf("%s, record %d: %v, want %v", name, q, got[0], want)
			}
		}
	}
}

func rawByDefinition(k stringkernel.Kernel, c *stringkernel.Corpus, coef []float64, x []byte) float64 {
	sum := 0.0
	for i, a := range coef {
		if norm := k.Eval(c.Seq(i), c.Seq(i)); norm > 0 {
			sum += a * k.Eval(c.Seq(i), x) / math.Sqrt(norm)
		}
	}
	return sum
}

func reverseComplements(c *stringkernel.Corpus) *stringkernel.Corpus {
	var b stringkernel.CorpusBuilder
	for i := range c.Len() {
		b.Add("", stringkernel.DNA.ReverseComplementTo(nil, c.Seq(i)))
	}
	return b.Corpus()
}
