package seqio

import (
	"slices"
	"testing"

	"github.com/biogo/biogo/alphabet"
	"github.com/biogo/biogo/seq"
	"github.com/biogo/biogo/seq/linear"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// The tables hold the letters the kernels count, in both cases, and nothing else, as do biogo's alphabets; that of
// proteins has gap, stop and ambiguous letters too.
func TestMembersAreTheKernelsLetters(t *testing.T) {
	biogoOf := map[stringkernel.Alphabet]alphabet.Alphabet{stringkernel.DNA: alphabet.DNA,
		stringkernel.RNA: alphabet.RNA, stringkernel.Protein: alphabet.Protein}
	for _, a := range []stringkernel.Alphabet{stringkernel.DNA, stringkernel.RNA, stringkernel.Protein,
		stringkernel.Bytes} {
		inside, codes := members(a), a.Codes()
		for b := range 256 {
			want := codes[b] != stringkernel.Outside
			if b >= 'a' && b <= 'z' {
				want = codes[b-'a'+'A'] != stringkernel.Outside
			}
			if inside[b] != want {
				t.Errorf("%s: byte %#x is inside: %t, want %t", a, b, inside[b], want)
			}
			switch theirs := biogoOf[a]; {
			case theirs != nil && inside[b] && !theirs.IsValid(alphabet.Letter(b)):
				t.Errorf("%s: byte %#x is inside, and not in biogo's alphabet", a, b)
			case theirs != nil && a != stringkernel.Protein && !inside[b] && theirs.IsValid(alphabet.Letter(b)):
				t.Errorf("%s: byte %#x is in biogo's alphabet, and not inside", a, b)
			}
		}
	}
}

func TestToBiogo(t *testing.T) {
	s := mustRead(t, ">x a b\nACGTN\n>y\nRYTT\n", "a.fa", Options{})
	theirs, err := ToBiogo(s, "dna")
	if err != nil {
		t.Fatal(err)
	}
	if len(theirs) != 2 || theirs[0].Name() != "x" || theirs[0].Description() != "a b" ||
		theirs[0].Seq.String() != "ACGTN" {
		t.Fatalf("%v", theirs)
	}
	theirs[1].RevComp()
	if got := theirs[1].Seq.String(); got != "AARY" || string(s.Corpus.Seq(1)) != "RYTT" {
		t.Errorf("reverse complement %q, want AARY; ours is %q", got, s.Corpus.Seq(1))
	}
	back, err := FromSequences([]seq.Sequence{theirs[0]}, "biogo", Options{})
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
		if _, err := ToBiogo(mustRead(t, c.text, "a.fa", Options{}), c.alpha); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	for text, alpha := range map[string]alphabet.Alphabet{"ACGU": alphabet.RNAredundant, "MKUO*.": fullProtein} {
		theirs, err := ToBiogo(mustRead(t, ">x\n"+text+"\n", "a.fa", Options{}), "")
		if err != nil || theirs[0].Alpha != alpha {
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
		if _, err := FromSequences(c.sequences, "b", Options{}); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	quality := linear.NewQSeq("q", []alphabet.QLetter{{L: 'a', Q: 30}, {L: 'C', Q: 2}}, alphabet.DNA, alphabet.Sanger)
	quality.Offset = 5
	s, err := FromSequences([]seq.Sequence{quality}, "b", Options{Ambiguous: AmbiguousError})
	if err != nil || !slices.Equal(recordsOf(s), []record{{id: "q", sequence: "AC"}}) {
		t.Error(s, err)
	}
	_, err = FromSequences([]seq.Sequence{make("x", "ACN")}, "b", Options{Ambiguous: AmbiguousError, Alphabet: "dna"})
	if want := `b: record "x": letter 'N' is not DNA`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
