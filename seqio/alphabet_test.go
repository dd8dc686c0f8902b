package seqio_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/biogo/biogo/alphabet"
	"github.com/biogo/biogo/feat"
	"github.com/biogo/biogo/seq"
	"github.com/biogo/biogo/seq/linear"

	"github.com/seqsvm/seqsvm/internal/must"
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

func TestToBiogo(t *testing.T) {
	s := mustRead(t, ">x a b\nACGTN\n>y\nRYTT\n", "a.fa", seqio.Options{})
	theirs := must.Get(seqio.ToBiogo(s, "dna"))(t)
	if len(theirs) != 2 || theirs[0].Name() != "x" || theirs[0].Description() != "a b" ||
		theirs[0].Seq.String() != "ACGTN" {
		t.Fatalf("%v", theirs)
	}
	theirs[1].RevComp()
	if got := theirs[1].Seq.String(); got != "AARY" || string(s.Corpus.Seq(1)) != "RYTT" {
		t.Errorf("reverse complement %q, want AARY; ours is %q", got, s.Corpus.Seq(1))
	}
	back, err := seqio.FromSequences([]seq.Sequence{theirs[0]}, "biogo", seqio.Options{})
	if err != nil || back.Len() != 1 || back.Lines != nil || back.Label(0) != "a" ||
		string(back.Corpus.Seq(0)) != "ACGTN" {
		t.Error(back, err)
	}
	if err := back.Errorf(0, "bad"); err.Error() != `biogo: record "x": bad` {
		t.Error(err)
	}
	for _, c := range []struct {
		text  string
		alpha stringkernel.Alphabet
		want  string
	}{
		{">x\nACGT\n>y\nACE\n", "dna", `a.fa:3: record "y": letter 'E' at position 3 is not in biogo's dna alphabet`},
		{">x\nACGT\n", "bytes", `a.fa: alphabet "bytes" has no counterpart in biogo, want dna, rna or protein`},
		{">x\nACGT\n", "rna", `a.fa:1: record "x": letter 'T' at position 4 is not in biogo's rna alphabet`},
	} {
		if _, err := seqio.ToBiogo(mustRead(t, c.text, "a.fa", seqio.Options{}), c.alpha); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	for text, molecule := range map[string]feat.Moltype{"ACGU": feat.RNA, "MKUO*.": feat.Protein} {
		theirs, err := seqio.ToBiogo(mustRead(t, ">x\n"+text+"\n", "a.fa", seqio.Options{}), "")
		if err != nil || theirs[0].Alpha.Moltype() != molecule {
			t.Error(text, err)
		}
	}
}

func TestFromSequencesErrors(t *testing.T) {
	make := func(id, letters string) seq.Sequence {
		return linear.NewSeq(id, alphabet.BytesToLetters([]byte(letters)), alphabet.DNA)
	}
	for _, c := range []struct {
		sequences []seq.Sequence
		want      string
	}{
		{nil, "b: no records"},
		{[]seq.Sequence{nil}, "b: record 1 is nil"},
		{[]seq.Sequence{make("x", "A"), make("x", "C")}, `b: record "x": duplicate id of records 1 and 2`},
		{[]seq.Sequence{make("", "A")}, "b: header without an id"},
		{[]seq.Sequence{make("a b", "A")}, `b: white space in the id "a b"`},
		{[]seq.Sequence{make("x", "A1")},
			`b: record "x": digit '1' in the sequence, column 2; want letters, '*', '-' or '.'`},
		{[]seq.Sequence{make("x", "A ")}, `b: record "x": white space inside the sequence, column 2`},
	} {
		if _, err := seqio.FromSequences(c.sequences, "b", seqio.Options{}); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	quality := linear.NewQSeq("q", []alphabet.QLetter{{L: 'a', Q: 30}, {L: 'C', Q: 2}}, alphabet.DNA, alphabet.Sanger)
	quality.Offset = 5
	s, err := seqio.FromSequences([]seq.Sequence{quality}, "b", seqio.Options{Ambiguous: seqio.AmbiguousError})
	if err != nil || !slices.Equal(recordsOf(s), []record{{id: "q", sequence: "AC"}}) {
		t.Error(s, err)
	}
	_, err = seqio.FromSequences([]seq.Sequence{make("x", "ACN")}, "b", seqio.Options{Ambiguous: seqio.AmbiguousError, Alphabet: "dna"})
	if want := `b: record "x": letter 'N' is not DNA`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
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
