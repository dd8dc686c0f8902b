package bow

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball"
	"golang.org/x/text/unicode/norm"
)

// Tokenizer turns text into terms: the words of [EachWord], brought to one form each, without stop words. The zero
// value makes lower-case words. A Tokenizer is immutable and safe for concurrent use once its fields are set.
//
// A word goes through these steps: NFKC if asked for; lower case, a character at a time (Unicode's simple mapping: Σ is
// σ also at the end of a word, İ is i), and ’ becomes the apostrophe of ASCII; it is dropped if it is a stop word; its
// stem is taken. Words of more than 255 bytes are not stemmed.
type Tokenizer struct {
	KeepCase bool // A and a are two letters
	NFKC     bool // compatibility forms are one: ﬁ is fi, Ａ is A, e with a combining accent is é
	// stop words, compared after the first two steps; "english" stands for the list of EnglishStopWords, not for the
	// word
	Stop []string
	Stem string // a language of StemLanguages; empty: no stemming

	// Leaves says that texts are trees in brackets (package bracket), and that the labels of their leaves, whole, take
	// the place of the words of EachWord. Only what stands behind the first After and before the last Before of a label
	// counts, where these are not empty. What is no tree has no words.
	Leaves        bool
	After, Before string
}

// StemLanguages returns the languages of which words can be stemmed, by the algorithms of Snowball.
func StemLanguages() []string {
	return []string{"english", "french", "hungarian", "norwegian", "russian", "spanish", "swedish"}
}

// English is the name that stands for the embedded list among stop words.
const English = "english"

//go:embed english.txt
var englishText string

// EnglishStopWords returns the embedded list: function words of English (articles, pronouns, prepositions,
// conjunctions, auxiliaries and their contractions), in lower case, sorted.
func EnglishStopWords() []string { return strings.Fields(englishText) }

// Check returns an error if the language of Stem is unknown or is asked for together with KeepCase, which stems do not,
// or if After or Before is given without Leaves.
func (t Tokenizer) Check() error {
	switch {
	case !t.Leaves && t.After+t.Before != "":
		return errors.New("after and before are of the leaves of trees, want leaves with them")
	case t.Stem == "":
		return nil
	case !slices.Contains(StemLanguages(), t.Stem):
		return fmt.Errorf("stem = %q, want one of: %s", t.Stem, strings.Join(StemLanguages(), ", "))
	case t.KeepCase:
		return errors.New("stem and case, want one of them: stems are lower-case")
	}
	return nil
}

// Terms returns the terms of x in order. It assumes that Check passes.
func (t Tokenizer) Terms(x []byte) []string {
	f := newForms(t)
	var terms []string
	f.words.each(x, func(lo, hi int) {
		if term, kept := f.term(x[lo:hi]); kept {
			terms = append(terms, string(term))
		}
	})
	return terms
}

// forms is a Tokenizer with its stop words at hand. It is for one goroutine.
type forms struct {
	Tokenizer
	words  cutter
	stop   map[string]bool // shared, read only
	buffer []byte
}

func newForms(t Tokenizer) *forms { return t.forms(t.stopWords()) }

// forms returns a Tokenizer with stop words that are at hand.
func (t Tokenizer) forms(stop map[string]bool) *forms {
	return &forms{Tokenizer: t, words: t.cutter(), stop: stop}
}

// stopWords returns the set of Stop, folded as words of a text are; nil for an empty one.
func (t Tokenizer) stopWords() map[string]bool {
	if len(t.Stop) == 0 {
		return nil
	}
	set := make(map[string]bool, len(t.Stop))
	f := &forms{Tokenizer: t}
	for _, w := range t.Stop {
		if w != English {
			set[string(f.fold(nil, []byte(w)))] = true
			continue
		}
		for _, e := range EnglishStopWords() {
			set[e] = true
		}
	}
	return set
}

// mostStemmed is the longest word to stem, in bytes: no word of a language is longer, and what is may take a stemmer
// long.
const mostStemmed = 255

// term returns the form of a word that is compared, valid until the next call; kept = false for a stop word.
func (f *forms) term(word []byte) (term []byte, kept bool) {
	f.buffer = f.fold(f.buffer[:0], word)
	if f.stop[string(f.buffer)] {
		return nil, false
	}
	if f.Stem != "" && len(f.buffer) <= mostStemmed && utf8.Valid(f.buffer) {
		if stem, err := snowball.Stem(string(f.buffer), f.Stem, true); err == nil && stem != "" {
			f.buffer = append(f.buffer[:0], stem...)
		}
	}
	return f.buffer, true
}

// fold appends the word in NFKC and lower case, where these are wanted, and with the apostrophe of ASCII.
func (f *forms) fold(dst, word []byte) []byte {
	if isASCII(word) {
		return appendLowerASCII(dst, word, f.KeepCase)
	}
	if f.NFKC {
		word = norm.NFKC.Bytes(word)
	}
	for len(word) > 0 {
		r, size := utf8.DecodeRune(word)
		switch {
		case r == utf8.RuneError:
			dst = append(dst, word[:size]...)
		case r == '’':
			dst = append(dst, '\'')
		case f.KeepCase:
			dst = utf8.AppendRune(dst, r)
		default:
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
		word = word[size:]
	}
	return dst
}

func isASCII(word []byte) bool {
	for _, b := range word {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func appendLowerASCII(dst, word []byte, keepCase bool) []byte {
	if keepCase {
		return append(dst, word...)
	}
	for _, b := range word {
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		dst = append(dst, b)
	}
	return dst
}
