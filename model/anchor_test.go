package model

import (
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

func TestAnchorOf(t *testing.T) {
	windows := func(n int, pattern string) *stringkernel.Corpus {
		var b stringkernel.CorpusBuilder
		for i := range n {
			other := "ACGT"[i%4 : i%4+1]
			b.Add("", []byte(strings.ReplaceAll(pattern, "?", other)))
		}
		return b.Corpus()
	}
	mixed := stringkernel.CorpusBuilder{}
	for i := range 30 {
		mixed.Add("", []byte("AG"+strings.Repeat("C", i%2)))
	}
	for _, c := range []struct {
		what     string
		corpus   *stringkernel.Corpus
		alphabet stringkernel.Alphabet
		want     Anchor
	}{
		{"AG", windows(20, "???AG??"), stringkernel.DNA, Anchor{"AG", 3}},
		{"with a gap", windows(20, "?GT?????AG?"), stringkernel.DNA, Anchor{"GTNNNNNAG", 1}},
		{"amino acids", windows(40, "???S?P?"), stringkernel.Protein, Anchor{"SXP", 3}},
		{"too few", windows(19, "???AG??"), stringkernel.DNA, Anchor{}},
		{"none", windows(20, "?????"), stringkernel.DNA, Anchor{}},
		{"N is no letter", windows(20, "???NN??"), stringkernel.DNA, Anchor{}},
		{"variants of one sequence", windows(20, "ACG?ACG"), stringkernel.DNA, Anchor{}},
		{"bytes", windows(20, "???AG??"), stringkernel.Bytes, Anchor{}},
		{"lengths that differ", mixed.Corpus(), stringkernel.DNA, Anchor{}},
	} {
		if got := AnchorOf(c.corpus, c.alphabet); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.what, got, c.want)
		}
	}
}
