package seqio

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Words that begin with __label__ are labels, wherever they stand; the rest is the text.
func TestFastText(t *testing.T) {
	text := "\n__label__sport the match\twas  great\n \n__label__a-b\t__label__c d\r\nfoo bar __label__x\nx __label__y z" +
		" a__label__b\nnone\n__label__empty"
	for _, name := range []string{"train.txt", "train", "train.fa"} {
		s := mustRead(t, text, name, Options{LabelLists: true})
		var got []string
		for i, r := range recordsOf(s) {
			got = append(got, fmt.Sprint(r.id, "=", r.sequence, s.LabelSets[i]))
		}
		want := []string{"2=the match\twas  great[sport]", "4=d[a-b c]", "5=foo bar[x]", "6=x z a__label__b[y]", "7=none[]",
			"8=[empty]"}
		if s.Format != FastText || s.LabelSource() != "__label__" || !slices.Equal(got, want) {
			t.Errorf("%s: %s %q", name, s.Format, got)
		}
	}
	if s := mustRead(t, "__label__x ACGT\n__label__y GGCC\n", "a.txt", Options{}); s.DetectAlphabet() != "dna" ||
		!slices.Equal(s.Labels, []string{"x", "y"}) {
		t.Error(s.DetectAlphabet(), s.Labels)
	}
	if s := mustRead(t, "x\n__label__y\n", "a.txt", Options{}); s.Format != Lines {
		t.Error(s.Format)
	}
	for text, want := range map[string]string{
		"__label__x __label__y z\n":   "a.txt:1: 2 labels, want one; several are for multi-label learning",
		"__label__x y\n__label__ z\n": "a.txt:2: __label__ without a name, want a label such as __label__x",
	} {
		if _, err := Read(strings.NewReader(text), "a.txt", Options{}); err == nil || err.Error() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}
