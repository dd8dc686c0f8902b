package seqio_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Words that begin with __label__ are labels, wherever they stand; the rest is the text.
func TestFastText(t *testing.T) {
	text := "\n__label__sport the match\twas  great\n \n__label__a-b\t__label__c d\r\nfoo bar __label__x\nx __label__y z" +
		" a__label__b\nnone\n__label__empty"
	for _, name := range []string{"train.txt", "train", "train.fa"} {
		s := mustRead(t, text, name, seqio.Options{LabelLists: true})
		var got []string
		for i, r := range recordsOf(s) {
			got = append(got, fmt.Sprint(r.id, "=", r.sequence, s.LabelSets[i]))
		}
		want := []string{"2=the match\twas  great[sport]", "4=d[a-b c]", "5=foo bar[x]", "6=x z a__label__b[y]", "7=none[]",
			"8=[empty]"}
		if s.Format != seqio.FastText || s.LabelSource() != "__label__" || !slices.Equal(got, want) {
			t.Errorf("%s: %s %q", name, s.Format, got)
		}
	}
	if s := mustRead(t, "__label__x ACGT\n__label__y GGCC\n", "a.txt", seqio.Options{}); s.DetectAlphabet() != "dna" ||
		!slices.Equal(s.Labels, []string{"x", "y"}) {
		t.Error(s.DetectAlphabet(), s.Labels)
	}
	if s := mustRead(t, "x\n__label__y\n", "a.txt", seqio.Options{}); s.Format != seqio.Lines {
		t.Error(s.Format)
	}
	for text, want := range map[string]string{
		"__label__x __label__y z\n":   "a.txt:1: 2 labels, want one; several are for multi-label learning",
		"__label__x y\n__label__ z\n": "a.txt:2: __label__ without a name, want a label such as __label__x",
	} {
		if _, err := seqio.Read(strings.NewReader(text), "a.txt", seqio.Options{}); err == nil || err.Error() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The words of a text and its labels are those that strings.Fields finds.
func FuzzFastText(f *testing.F) {
	f.Add([]byte("__label__a b\n__label__c __label__d\te __label__f\n"))
	f.Add([]byte("x__label__y __label____label__z\r\n__label__\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := fuzzRead(t, data, seqio.FastText, seqio.Options{LabelLists: true, Case: seqio.CaseKept, Alphabet: "bytes"})
		if s == nil || isCompressed(data) {
			return
		}
		record := 0
		for line := range bytes.Lines(bytes.TrimPrefix(data, []byte(lines.ByteOrderMark))) {
			words := strings.FieldsFunc(string(line), func(r rune) bool { return strings.ContainsRune(" \t\r\n", r) })
			if len(words) == 0 {
				continue
			}
			var labels, rest []string
			for _, word := range words {
				if name, is := strings.CutPrefix(word, "__label__"); is {
					labels = append(labels, name)
				} else {
					rest = append(rest, word)
				}
			}
			got := strings.FieldsFunc(string(s.Corpus.Seq(record)), func(r rune) bool { return r == ' ' || r == '\t' })
			if !slices.Equal(got, rest) || !slices.Equal(s.LabelSets[record], labels) || !utf8.Valid(s.Corpus.Seq(record)) {
				t.Fatalf("%q: %q %q", line, got, s.LabelSets[record])
			}
			record++
		}
		if record != s.Len() {
			t.Fatalf("%d records of %d lines", s.Len(), record)
		}
	})
}
