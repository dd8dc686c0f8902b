package seqio_test

import (
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func corpusOf(t *testing.T, sequences ...string) *stringkernel.Corpus {
	t.Helper()
	var b stringkernel.CorpusBuilder
	for i, s := range sequences {
		b.Add(string(rune('a'+i)), []byte(s))
	}
	return b.Corpus()
}

func TestDetectAlphabet(t *testing.T) {
	for _, c := range []struct {
		want      stringkernel.Alphabet
		sequences []string
	}{
		{"bytes", nil},
		{"bytes", []string{"", ""}},
		{"bytes", []string{"---", "..."}},
		{"dna", []string{"ACGT"}},
		{"dna", []string{"A", "", "AAA"}},
		{"dna", []string{"acgtACGT"}},
		{"dna", []string{"acgtn"}},
		{"dna", []string{"AC-GT..A"}},
		{"dna", []string{strings.Repeat("N", 100) + "ACGT"}},
		{"dna", []string{"ACGTACGTAR"}},         // 9 of 10
		{"dna", []string{"ACGTACGTU"}},          // more T than U
		{"dna", []string{"ACGTACGTRY"}},         // 8 of 10, all four bases
		{"protein", []string{"ACGACGACRY"}},     // 8 of 10, no T
		{"dna", []string{"ACGTRYSWKM"[:8]}},     // half
		{"protein", []string{"ACGTRYSWK"}},      // less than half
		{"protein", []string{"ACGTRYL", "ACG"}}, // leucine
		// 515F and 806R, 16S rRNA of bacteria; the first as RNA; in lower case
		{"dna", []string{"GTGYCAGCMGCCGCGGTAA", "GGACTACNVGGGTWTCTAAT"}},
		{"rna", []string{"GUGYCAGCMGCCGCGGUAA"}},
		{"dna", []string{"gtgycagcmgccgcggtaa", "gghttyggncaytggggnac"}},
		// degenerate primers of protein families, codon by codon: 2 bases in 3
		{"dna", []string{"GGNYTNGAYCARWSNGCN", "TTYTGGCAYGAYATHCCN"}},
		// proteins of few residues: silk, a linker, FUS, D S Y G H K, RGG repeats
		{"protein", []string{"GAGAGSGAGAGSGAGAGY"}},
		{"protein", []string{"GGGGSGGGGSGGGGS"}},
		{"protein", []string{"SYSGYSSTDTSGYGSSYSGGYGSSGSYGYGS"}},
		{"protein", []string{"DSYGHKDSYGHKGGSSYYGG", "HGHGHGDKDKSSYYHHGGAATT"}},
		{"protein", []string{"GRGGYRGRGGYDRGGYRGRGGDRGG"}},
		{"protein", []string{"NNNN"}}, // asparagine, nothing known of it as DNA
		{"rna", []string{"ACGU"}},
		{"rna", []string{"ACGUNNNACGTU"}},
		{"protein", []string{"MKVLA"}},
		{"protein", []string{"MKVLA*", "XBZJUO"}},
		{"protein", []string{"MK-VL.A"}},
		{"protein", []string{"MKVLAacd"}},
		{"bytes", []string{"mkvla"}},
		{"bytes", []string{"Alice", "Bob"}},
		{"bytes", []string{"MKVLA 1"}},
		{"bytes", []string{"ACGT*"[:4], "A\x00"}},
		{"bytes", []string{"***"}},
		{"protein", []string{"ACGT*"}},
	} {
		if got := seqio.DetectAlphabet(corpusOf(t, c.sequences...)); got != c.want {
			t.Errorf("%q: %s, want %s", c.sequences, got, c.want)
		}
	}
}

func TestShareOutside(t *testing.T) {
	for _, c := range []struct {
		alphabet  stringkernel.Alphabet
		sequences []string
		want      float64
	}{
		{stringkernel.DNA, nil, 0},
		{stringkernel.DNA, []string{"", "NNNN", "--.*x"}, 0},
		{stringkernel.DNA, []string{"ACGT", "acgtn"}, 0},
		{stringkernel.DNA, []string{"ACGU", "ACgu", "NNNNNNNN"}, 0.25},
		{stringkernel.RNA, []string{"ACGT", "ACGU"}, 0.125},
		{stringkernel.DNA, []string{"RYRY"}, 1},
		{stringkernel.Protein, []string{"MKWVTFIS", "BZJO"}, 4. / 12},
		{stringkernel.Bytes, []string{"any\x00thing \xff"}, 0},
	} {
		if got := seqio.ShareOutside(corpusOf(t, c.sequences...), c.alphabet); got != c.want {
			t.Errorf("%q: %v outside %s, want %v", c.sequences, got, c.alphabet, c.want)
		}
	}
}
