package bow_test

import "testing"

import "github.com/seqsvm/seqsvm/bow"

// FuzzTerms: every word has a term, however terms are made.
func FuzzTerms(f *testing.F) {
	for _, text := range []string{"a b", "naïve cafe\u0301", "日本語", "\xff\xc3", "👍🏽 ½"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, x []byte) {
		words := 0
		bow.EachWord(x, func(lo, hi int) { words++ })
		for _, language := range append(bow.StemLanguages(), "") {
			if terms := (bow.Tokenizer{Stem: language, NFKC: true}).Terms(x); len(terms) != words {
				t.Fatalf("%q: %d terms of %d words", x, len(terms), words)
			}
		}
	})
}
