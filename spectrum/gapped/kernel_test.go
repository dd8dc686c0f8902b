package gapped_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/oracle"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

func TestCheck(t *testing.T) {
	good := gapped.Kernel{L: 11, K: 7, D: 3, Filter: gapped.Truncated, Alphabet: stringkernel.DNA}
	must.Succeed(t, good.Check())
	for want, change := range map[string]func(*gapped.Kernel){
		"gapped: l = 0, want 1…32":                                   func(k *gapped.Kernel) { k.L = 0 },
		"gapped: l = 33, want 1…32 for alphabet dna":                 func(k *gapped.Kernel) { k.L = 33 },
		"41226 choices of positions is too long, want at most 16384": func(k *gapped.Kernel) { k.L, k.D = 17, 7 },
		"k = 12, want 1…11":                                          func(k *gapped.Kernel) { k.K = 12 },
		"k = 0, want 1…11":                                           func(k *gapped.Kernel) { k.K = 0 },
		"d = 12, want 0…l − k = 4, since k-mers further apart share no gapped k-mer, or 11 for the": func(k *gapped.Kernel) {
			k.D = 12
		},
		"d = -1, want 0…l − k = 4": func(k *gapped.Kernel) { k.D = -1 },
		"d = 5, want 0…l − k = 4, since k-mers further apart share no gapped k-mer, or 11": func(k *gapped.Kernel) { k.D = 5 },
		"gapped: d = 11, want 0…l − k = 4: k-mers further apart share no gapped k-mer": func(k *gapped.Kernel) {
			k.D, k.Filter = 11, gapped.Plain
		},
		`filter = "wide"`:   func(k *gapped.Kernel) { k.Filter = "wide" },
		`center = "50"`:     func(k *gapped.Kernel) { k.Center = "50" },
		`center = "0:5"`:    func(k *gapped.Kernel) { k.Center = "0:5" },
		`center = "5:-1"`:   func(k *gapped.Kernel) { k.Center = "5:-1" },
		`alphabet "runes"`:  func(k *gapped.Kernel) { k.Alphabet = "runes" },
		"l = 33, want 1…32": func(k *gapped.Kernel) { k.Alphabet, k.L = stringkernel.Protein, 33 },
	} {
		k := good
		change(&k)
		if err := k.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q", k, err, want)
		}
	}
}

// TestOtherErrors checks what is refused of mismatches, of letters that resemble each other and of functions of counts.
func TestOtherErrors(t *testing.T) {
	crooked := []string{"A C G T", "A 1 0.5 0 0", "C 0.5 1 0 0", "G 0 0 1 0", "T 0 0 0 1"}
	const dna = stringkernel.DNA
	kerneltest.Parameters(t, []kerneltest.ParameterCase{
		{Kernel: gapped.Mismatch{K: 5, M: 6, Alphabet: dna}, Want: "m = 6, want 0…5"},
		{Kernel: gapped.Mismatch{K: 20, M: 1}, Want: "k = 20"},
		{Kernel: gapped.Kernel{L: 8, K: 5, D: 2, Filter: gapped.Truncated, Subst: table, Alphabet: dna},
			Want: "negative eigenvalues"},
		{Kernel: gapped.Mismatch{K: 8, M: 1, Subst: []string{"blosum62"}, Alphabet: stringkernel.Protein},
			Want: "exceed a table"},
		{Kernel: gapped.Mismatch{K: 3, M: 1, Beta: 1, Alphabet: stringkernel.Protein}, Want: "beta needs subst"},
		{Kernel: gapped.Mismatch{K: 3, M: 1, Subst: crooked, Alphabet: dna}.BothStrands(), Want: "complements"},
		{Kernel: gapped.Mismatch{K: 3, M: 1, Subst: []string{"blosum62"}, Alphabet: dna}, Want: "amino acids"},
		{Kernel: gapped.Kernel{L: 8, K: 5, D: 2, Filter: gapped.Truncated, Subst: []string{"foo"}, Alphabet: dna},
			Want: `"foo", want blosum62`},
		{Kernel: gapped.Kernel{L: 6, K: 4, D: 2, Filter: gapped.Plain, Count: "min", Alphabet: dna},
			Want: `count = "min", which only words has, want one of: raw, presence, `},
		{Kernel: gapped.Kernel{L: 6, K: 4, D: 2, Filter: gapped.Plain, Count: "sqrt", Center: "9:3", Alphabet: dna},
			Want: "center cannot be used with count=sqrt"},
		{Kernel: gapped.Mismatch{K: 4, M: 1, Count: "chi2", Alphabet: dna}, Want: `count = "chi2"`},
	})
}

func TestHostileArrays(t *testing.T) {
	k := gapped.Kernel{L: 3, K: 2, D: 1, Filter: gapped.Plain, Alphabet: stringkernel.DNA}
	for name, arrays := range map[string][]stringkernel.Array{
		"none":            nil,
		"no coefficients": {{Name: "words", Data: []uint8{1}}},
		"wrong type":      {{Name: "words", Data: []int32{1}}, {Name: "coef.0", Data: []float64{1}}},
		"out of range":    {{Name: "words", Data: []uint8{64}}, {Name: "coef.0", Data: []float64{1}}},
		"not ascending":   {{Name: "words", Data: []uint8{5, 0}}, {Name: "coef.0", Data: []float64{1, 1}}},
		"cut off":         {{Name: "words", Data: []uint8{5, 128}}, {Name: "coef.0", Data: []float64{1, 1}}},
		"too many bits": {{Name: "words", Data: []uint8{255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1}},
			{Name: "coef.0", Data: []float64{1}}},
		"lengths":    {{Name: "words", Data: []uint8{5}}, {Name: "coef.0", Data: []float64{1, 1}}},
		"not finite": {{Name: "words", Data: []uint8{5}}, {Name: "coef.0", Data: []float64{math.NaN()}}},
		"misnamed":   {{Name: "words", Data: []uint8{5}}, {Name: "coef.1", Data: []float64{1}}},
	} {
		if _, err := k.Restore(arrays); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := k.BothStrands().(gapped.Kernel).Restore(arrays); err == nil {
			t.Errorf("%s, both strands: no error", name)
		}
	}
}

// TestOneStrandIsStored: of a k-mer and its reverse complement the lesser is stored, and the greater refused.
func TestOneStrandIsStored(t *testing.T) {
	k := gapped.Kernel{L: 3, K: 2, D: 1, Filter: gapped.Plain, Alphabet: stringkernel.DNA}.BothStrands().(gapped.Kernel)
	var b stringkernel.CorpusBuilder
	b.Add("", []byte("TTT")) // 63, whose reverse complement AAA is 0
	b.Add("", []byte("ACG")) // 6; CGT is 27
	s := must.Get(stringkernel.Merge(t.Context(), k, b.Corpus(), []float64{2, 3}))(t)
	arrays := k.Arrays(s)
	if got := fmt.Sprint(arrays); got != "[{words [0 6]} {coef.0 [2 3]}]" {
		t.Errorf("stored %s", got)
	}
	arrays[0].Data = []uint8{63, 0}
	if _, err := k.Restore(arrays); err == nil {
		t.Error("TTT in place of AAA: no error")
	}
}

// TestLSGKM compares with matrices that LS-GKM's gkmmatrix wrote, if the folder with them is given: SEQSVM_LSGKM holds
// pos.fa, neg.fa and tT_lL_kK_dD.txt, the lower triangle of the normalised matrix of both strands.
func TestLSGKM(t *testing.T) {
	folder := oracle.LSGKMFolder(t)
	c := must.Get(stringkernel.NewCorpus(folder.Sequences(t)))(t)
	for _, p := range []struct{ l, k, d int }{{11, 7, 3}, {10, 6, 4}, {6, 4, 2}} {
		for kind, k := range map[int]gapped.Kernel{0: {Filter: gapped.Plain}, 1: {Filter: gapped.Full}, 2: {Filter: gapped.Truncated},
			4: {Filter: gapped.Truncated, Center: "50:50"}} {
			k.L, k.K, k.D, k.Alphabet = p.l, p.k, p.d, stringkernel.DNA
			compareTriangle(t, folder, fmt.Sprintf("t%d_l%d_k%d_d%d.txt", kind, p.l, p.k, p.d), k, c)
		}
	}
}

func compareTriangle(t *testing.T, folder oracle.LSGKM, name string, k gapped.Kernel, c *stringkernel.Corpus) {
	t.Helper()
	g := must.Get(compose.Normalized(k.BothStrands()).Gram(t.Context(), c))(t)
	if worst, values := folder.Worst(t, name, c.Len(), g.Row); worst > 1e-4 || values != 210 {
		t.Errorf("%s: greatest difference %v of %d values, want at most 1e-4 of 210", name, worst, values)
	}
}
