package seqio_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// The words of a text and its labels are those that strings.Fields finds.
func FuzzFastText(f *testing.F) {
	f.Add([]byte("__label__a b\n__label__c __label__d\te __label__f\n"))
	f.Add([]byte("x__label__y __label____label__z\r\n__label__\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := seqio.FuzzRead(t, data, seqio.FastText, seqio.Options{LabelLists: true, Case: seqio.CaseKept, Alphabet: "bytes"})
		if s == nil || seqio.IsCompressed(data) {
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
