package gapped

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

// weighted returns Σ_u Σ_v h(d(u, v)) ∏ B(u_i, v_i) over the k-mers of two sequences.
func weighted(x, y, alphabet string, h []float64, b func(u, v byte) float64) (sum float64) {
	l := len(h) - 1
	for i := 0; i+l <= len(x); i++ {
		for j := 0; j+l <= len(y); j++ {
			u, v := x[i:i+l], y[j:j+l]
			if strings.Trim(u, alphabet) != "" || strings.Trim(v, alphabet) != "" {
				continue
			}
			weight := h[hamming(u, v)]
			for p := range l {
				weight *= b(u[p], v[p])
			}
			sum += weight
		}
	}
	return sum
}

// table is a matrix of the letters of DNA, as a file has it, and as a function. The other strand has the same.
var table = []string{"A C G T", "A 1 0.1 0.5 0.2", "C 0.1 1 0.3 0.5", "G 0.5 0.3 1 0.1", "T 0.2 0.5 0.1 1"}

func tableWeight(u, v byte) float64 {
	column := strings.IndexByte(table[0], v) / 2
	for _, line := range table[1:] {
		if line[0] == u {
			var weight float64
			fmt.Sscan(strings.Fields(line)[1+column], &weight)
			return weight
		}
	}
	return 0
}

// TestAlikeByDefinition compares values and products with sums over pairs of k-mers.
func TestAlikeByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	type form struct {
		kernel stringkernel.Kernel
		h      func(m int) float64
		length int
	}
	var forms []form
	for k := 1; k <= 4; k++ {
		for m := range k + 1 {
			forms = append(forms, form{Mismatch{K: k, M: m, Subst: table, Alphabet: stringkernel.DNA},
				func(d int) float64 { // k-mers within m of two at distance d
					u, v, common := strings.Repeat("A", k), strings.Repeat("C", d)+strings.Repeat("A", k-d), 0.0
					for _, w := range allKmers(k, "ACGT") {
						if hamming(u, w) <= m && hamming(v, w) <= m {
							common++
						}
					}
					return common
				}, k})
		}
		for s := 1; s <= k; s++ {
			forms = append(forms, form{
				Kernel{L: k, K: s, D: k - s, Filter: Plain, Subst: table, Alphabet: stringkernel.DNA},
				func(d int) float64 {
					if k-d < s {
						return 0
					}
					return choices(k-d, s)
				}, k})
		}
	}
	for _, f := range forms {
		h := make([]float64, f.length+1)
		for d := range h {
			h[d] = f.h(d)
		}
		var b stringkernel.CorpusBuilder
		texts := make([]string, 6)
		for i := range texts {
			texts[i] = random(rng, rng.IntN(20), "ACGTACGTN")
			b.Add("", []byte(texts[i]))
		}
		k, err := stringkernel.Compile(f.kernel)
		if err != nil {
			t.Fatalf("%+v: %v", f.kernel, err)
		}
		g, err := k.Gram(t.Context(), b.Corpus())
		if err != nil {
			t.Fatal(err)
		}
		v, got, want := make([]float64, len(texts)), make([]float64, len(texts)), make([]float64, len(texts))
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		for i, x := range texts {
			for j, y := range texts {
				value := weighted(x, y, "ACGT", h, tableWeight)
				if got := f.kernel.Eval([]byte(x), []byte(y)); !near(got, value) {
					t.Fatalf("%+v: k(%s, %s) = %v, by pairs %v", f.kernel, x, y, got, value)
				}
				want[i] += v[j] * value
			}
		}
		g.MulVecTo(got, v)
		for i := range got {
			if !near(got[i], want[i]) {
				t.Fatalf("%+v: entry %d of a product %v, by pairs %v", f.kernel, i, got[i], want[i])
			}
		}
	}
}

// TestAlikeStrands compares both strands with both strands of each sequence.
func TestAlikeStrands(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	one := Mismatch{K: 4, M: 1, Subst: table, Alphabet: stringkernel.DNA}
	for range 20 {
		x, y := []byte(random(rng, rng.IntN(20), "ACGTN")), []byte(random(rng, rng.IntN(20), "ACGT"))
		u, v := stringkernel.DNA.ReverseComplementTo(nil, x), stringkernel.DNA.ReverseComplementTo(nil, y)
		want := one.Eval(x, y) + one.Eval(x, v) + one.Eval(u, y) + one.Eval(u, v)
		if got := one.BothStrands().Eval(x, y); !near(got, want) {
			t.Fatalf("k(%s, %s) = %v, by strands %v", x, y, got, want)
		}
	}
	kerneltest.Run(t, compose.Normalized{Kernel: one.BothStrands()}, kerneltest.Options{Letters: "ACGT", Breaks: "N"})
}

// TestAlikeConformance runs the suite.
func TestAlikeConformance(t *testing.T) {
	const acids = "ACDEFGHIKLMNPQRSTVWY"
	for name, k := range map[string]stringkernel.Kernel{
		"spectrum": Mismatch{K: 3, M: 3, Subst: []string{"blosum62"}, Alphabet: stringkernel.Protein},
		"mismatch": Mismatch{K: 3, M: 1, Subst: []string{"grantham"}, Beta: 2, Alphabet: stringkernel.Protein},
		"gapped": Kernel{L: 3, K: 2, D: 1, Filter: Plain, Subst: []string{"blosum62"}, Beta: 0.5,
			Alphabet: stringkernel.Protein},
		"centre": Kernel{L: 3, K: 2, D: 1, Filter: Plain, Center: "4:3", Subst: []string{"grantham"},
			Alphabet: stringkernel.Protein},
	} {
		t.Run(name, func(t *testing.T) {
			kerneltest.Run(t, k, kerneltest.Options{Letters: acids, Breaks: "X"})
		})
	}
	for name, k := range map[string]stringkernel.Kernel{
		"transitions": Mismatch{K: 5, M: 5, Subst: []string{"transitions"}, Alphabet: stringkernel.DNA},
		"file":        Kernel{L: 4, K: 2, D: 2, Filter: Plain, Subst: table, Alphabet: stringkernel.DNA},
		"clipped":     Kernel{L: 5, K: 3, D: 1, Filter: Truncated, Clip: true, Subst: table, Alphabet: stringkernel.DNA},
	} {
		t.Run(name, func(t *testing.T) {
			kerneltest.Run(t, k, kerneltest.Options{Letters: "ACGT", Breaks: "N"})
		})
	}
}

// TestAlikeErrors checks what is refused.
func TestAlikeErrors(t *testing.T) {
	crooked := []string{"A C G T", "A 1 0.5 0 0", "C 0.5 1 0 0", "G 0 0 1 0", "T 0 0 0 1"}
	for want, k := range map[string]stringkernel.Kernel{
		"negative eigenvalues": Kernel{L: 8, K: 5, D: 2, Filter: Truncated, Subst: table, Alphabet: stringkernel.DNA},
		"exceed a table":       Mismatch{K: 8, M: 1, Subst: []string{"blosum62"}, Alphabet: stringkernel.Protein},
		"beta needs subst":     Mismatch{K: 3, M: 1, Beta: 1, Alphabet: stringkernel.Protein},
		"complements":          Mismatch{K: 3, M: 1, Subst: crooked, Alphabet: stringkernel.DNA}.BothStrands(),
		"amino acids":          Mismatch{K: 3, M: 1, Subst: []string{"blosum62"}, Alphabet: stringkernel.DNA},
		`"foo", want blosum62`: Kernel{L: 8, K: 5, D: 2, Filter: Truncated, Subst: []string{"foo"}, Alphabet: stringkernel.DNA},
	} {
		if err := k.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want one with %q", k, err, want)
		}
	}
}

// BenchmarkAlike multiplies the matrix of 2,000 proteins of 160 letters.
func BenchmarkAlike(b *testing.B) {
	const acids = "ACDEFGHIKLMNPQRSTVWY"
	rng := rand.New(rand.NewPCG(1, 1))
	var corpus stringkernel.CorpusBuilder
	for range 2000 {
		corpus.Add("", []byte(random(rng, 160, acids)))
	}
	c := corpus.Corpus()
	for name, k := range map[string]stringkernel.Kernel{
		"k=4 without":     Kernel{L: 4, K: 3, D: 1, Filter: Plain, Alphabet: stringkernel.Protein},
		"k=4 all":         Mismatch{K: 4, M: 4, Subst: []string{"blosum62"}, Alphabet: stringkernel.Protein},
		"k=4 one differs": Kernel{L: 4, K: 3, D: 1, Filter: Plain, Subst: []string{"blosum62"}, Alphabet: stringkernel.Protein},
		"k=5 without":     Kernel{L: 5, K: 3, D: 2, Filter: Plain, Alphabet: stringkernel.Protein},
		"k=5 all":         Mismatch{K: 5, M: 5, Subst: []string{"blosum62"}, Alphabet: stringkernel.Protein},
	} {
		b.Run(name, func(b *testing.B) {
			g, err := k.Gram(b.Context(), c)
			if err != nil {
				b.Fatal(err)
			}
			v, dst := make([]float64, c.Len()), make([]float64, c.Len())
			for i := range v {
				v[i] = 1
			}
			for b.Loop() {
				g.MulVecTo(dst, v)
			}
		})
	}
}
