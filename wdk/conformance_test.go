package wdk_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
	"github.com/seqsvm/seqsvm/wdk"
)

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		k       wdk.Kernel
		length  int
		letters string
		breaks  string
	}{
		{wdk.Kernel{D: 1, Alphabet: stringkernel.DNA}, 30, "ACGT", "N"},
		{wdk.Kernel{D: 3, Alphabet: stringkernel.DNA}, 30, "ACGT", "N"},
		{wdk.Kernel{D: 20, Alphabet: stringkernel.DNA}, 141, "AC", "N"},
		{wdk.Kernel{D: 50, Alphabet: stringkernel.RNA}, 12, "AU", "T"},
		{wdk.Kernel{D: 6, Shift: 3, Alphabet: stringkernel.DNA}, 25, "ACGT", "N"},
		{wdk.Kernel{D: 5, Shift: 40, Shogun: true, Alphabet: stringkernel.DNA}, 25, "AC", "N"},
		{wdk.Kernel{D: 5, Shift: 9, Ramp: 0.5, Anchor: 12, Alphabet: stringkernel.DNA}, 25, "AC", "N"},
		{wdk.Kernel{D: 4, Shift: 1, Weights: []float64{1, 2, 0, 4, 0.5, 1, 1, 1, 1, 2}, Alphabet: stringkernel.DNA}, 10,
			"AC", "N"},
		{wdk.Kernel{D: 3, Alphabet: stringkernel.Protein}, 20, "ACDEFGHIKLMNPQRSTVWY", "BJOUXZ*"},
		{wdk.Kernel{D: 3, Shift: 2, Subst: []string{"blosum62"}, Beta: 0.5, Alphabet: stringkernel.Protein}, 9,
			"ACDEFGHIKLMNPQRSTVWY", "X"},
		{wdk.Kernel{D: 4, Shift: 3, Ramp: 0.5, Anchor: 4, Weights: []float64{1, 2, 1.5, 0.5, 1, 1, 3}, Beta: 0.5,
			Subst: []string{"blosum62"}, Alphabet: stringkernel.Protein}, 7, "ACDEFGHIKLMNPQRSTVWY", "X"},
		{wdk.Kernel{D: 2, Subst: []string{"transitions"}, Alphabet: stringkernel.DNA}, 20, "ACGT", "N"},
		{wdk.Kernel{D: 4, Alphabet: stringkernel.Bytes}, 20, "ab c\x00\xff", ""},
		{wdk.Kernel{D: 30, Shift: 2}, 20, "ab\xff", ""},
	} {
		t.Run(fmt.Sprintf("%s/d=%d/shift=%d", c.k.Alphabet, c.k.D, c.k.Shift), func(t *testing.T) {
			opt := kerneltest.Options{Letters: c.letters, Breaks: c.breaks, Length: c.length}
			if c.k.Subst == nil || c.k.Beta > 0 { // the definition has these letters
				opt.Value = func(x, y []byte) float64 { return byDefinition(c.k, x, y) }
			}
			kerneltest.Run(t, c.k, opt)
		})
	}
}

// TestIndexes runs the suite on windows that make the kernel choose each of its indexes. They are mostly alike, so that
// words are long, and some have a letter that breaks.
func TestIndexes(t *testing.T) {
	const dna, protein = stringkernel.DNA, stringkernel.Protein
	for _, c := range []struct {
		index   string
		k       wdk.Kernel
		letters string
		n       int
		length  int
	}{
		{"tables", wdk.Kernel{D: 4, Alphabet: dna}, "ACGT", 400, 12},
		{"tables, shifted", wdk.Kernel{D: 3, Shift: 2, Alphabet: dna}, "ACGT", 400, 12},
		{"trees", wdk.Kernel{D: 20, Alphabet: dna}, "ACGT", 60, 30},
		{"trees, shifted", wdk.Kernel{D: 20, Shift: 2, Alphabet: dna}, "ACGT", 40, 25},
		{"trees of long words", wdk.Kernel{D: 66, Alphabet: dna}, "AC", 20, 70},
		{"trees of proteins", wdk.Kernel{D: 7, Alphabet: protein}, "ACDEFGHIKLMNPQRSTVWY", 40, 20},
		{"trees of bytes", wdk.Kernel{D: 26}, "abcdefghijklmnopqrstuvwxyz\x00\xff", 40, 24},
	} {
		r := rand.New(rand.NewPCG(uint64(c.n), uint64(c.length)))
		seqs := make([][]byte, c.n)
		for i := range seqs {
			seqs[i] = make([]byte, c.length)
			for p := range seqs[i] {
				if seqs[i][p] = c.letters[r.IntN(len(c.letters))]; i > 0 && r.IntN(8) > 0 {
					seqs[i][p] = seqs[r.IntN(min(i, 3))][p]
				}
			}
			if i%5 == 4 && c.k.Alphabet != "" {
				seqs[i][r.IntN(c.length)] = 'X'
			}
		}
		windows := must.Get(stringkernel.NewCorpus(seqs, nil))(t)
		t.Run(c.index, func(t *testing.T) {
			kerneltest.Run(t, c.k, kerneltest.Options{
				Letters: c.letters, Length: c.length, Records: windows, Uncounted: true,
				Value: func(x, y []byte) float64 { return byDefinition(c.k, x, y) },
			})
		})
	}
}

// Wrappers keep what the kernel can do.
func TestConformanceWrapped(t *testing.T) {
	k := wdk.Kernel{D: 7, Alphabet: stringkernel.DNA}
	for name, wrapped := range map[string]stringkernel.Kernel{
		"rc": compose.Normalized(compose.BothStrands(k, stringkernel.DNA)),
		"sum": compose.Mean([]stringkernel.Kernel{k,
			substring.Kernel{Weight: substring.Constant, Alphabet: stringkernel.DNA}}, nil),
	} {
		t.Run(name, func(t *testing.T) {
			kerneltest.Run(t, wrapped, kerneltest.Options{Letters: "ACGT", Breaks: "N", Length: 25})
		})
	}
}

func TestWindowLengthOfWrappers(t *testing.T) {
	k := wdk.Kernel{D: 7, Alphabet: stringkernel.DNA}
	sv := randomWindows(3, 25, 0)
	for _, c := range []struct {
		k    stringkernel.Kernel
		want int
	}{
		{k, 25},
		{compose.Normalized(compose.BothStrands(k, stringkernel.DNA)), 25},
		{compose.Mean([]stringkernel.Kernel{substring.Kernel{Weight: substring.Constant}, k}, nil), 25},
		{substring.Kernel{Weight: substring.Constant}, 0},
	} {
		s := must.Get(stringkernel.Merge(t.Context(), c.k, sv, []float64{1, 2, 3}))(t)
		if got := stringkernel.WindowLength(s); got != c.want {
			t.Errorf("%T: window length %d, want %d", c.k, got, c.want)
		}
	}
}
