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

	"github.com/seqsvm/seqsvm/internal/wordbreak"
)

// Tokenizer turns text into terms: the words of [EachWord] in a normal form, without stop words. The zero value makes
// lower-case words. A Tokenizer is immutable and safe for concurrent use once its fields are set.
//
// A word goes through these steps: NFC, or NFKC if set, so that é and e with a combining accent are equal; lower case,
// character by character (Unicode's simple mapping: Σ becomes σ even at the end of a word, İ becomes i), with ’
// replaced by the ASCII apostrophe; removal if it is a stop word; stemming. Words of more than 255 bytes are not
// stemmed.
type Tokenizer struct {
	KeepCase bool // A and a are distinct
	NFKC     bool // compatibility forms are one: ﬁ is fi, Ａ is A
	// stop words, compared after the first two steps; "english" is the list of EnglishStopWords, not the word
	Stop []string
	Stem string // a language of StemLanguages; empty: no stemming

	// Leaves says that texts are trees in brackets (package bracket) whose words are the whole labels of their leaves
	// instead of those of EachWord. Only the part after the first After and before the last Before of a label counts,
	// if these are not empty. A text that is not trees has no words.
	Leaves        bool
	After, Before string

	// Delimiters, if there are any, are what separates words instead of the rules of EachWord: single characters, or
	// comma, colon, slash, plus, minus or at. White space, control characters and bytes that are not UTF-8 separate
	// too, and [White] stands for these alone. All else is part of a word, of punctuation alone too.
	Delimiters []string
}

// StemLanguages returns the languages whose words can be stemmed, by the Snowball algorithms.
func StemLanguages() []string {
	return []string{"english", "french", "hungarian", "norwegian", "russian", "spanish", "swedish"}
}

// English is the entry of Stop that includes the embedded list.
const English = "english"

//go:embed english.txt
var englishText string

// EnglishStopWords returns the embedded list: function words of English (articles, pronouns, prepositions,
// conjunctions, auxiliaries and their contractions), in lower case, sorted.
func EnglishStopWords() []string { return strings.Fields(englishText) }

// Check returns an error if the language of Stem is unknown, if Stem is set together with KeepCase (stems are in lower
// case), if After or Before is set without Leaves, or if Delimiters cannot be read or are set with Leaves or NFKC.
func (t Tokenizer) Check() error {
	if err := t.checkDelimiters(); err != nil {
		return err
	}
	switch {
	case !t.Leaves && t.After+t.Before != "":
		return errors.New("after and before need leaves: they are about the leaves of trees")
	case t.Stem == "":
		return nil
	case !slices.Contains(StemLanguages(), t.Stem):
		return fmt.Errorf("stem = %q, want one of: %s", t.Stem, strings.Join(StemLanguages(), ", "))
	case t.KeepCase:
		return errors.New("stem cannot be used with case: stems are in lower case")
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

// forms is a Tokenizer with its set of stop words. It is for one goroutine.
type forms struct {
	Tokenizer
	words  cutter
	stop   map[string]bool // shared, read only
	buffer []byte
}

func newForms(t Tokenizer) *forms { return t.forms(t.stopWords()) }

// forms returns the forms of a Tokenizer whose set of stop words is stop.
func (t Tokenizer) forms(stop map[string]bool) *forms {
	return &forms{Tokenizer: t, words: t.cutter(), stop: stop}
}

// stopWords returns the set of Stop, folded like the words of a text; nil if empty.
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

// mostStemmed is the length of the longest word to stem, in bytes: no natural word is longer, and a stemmer may be slow
// on longer ones.
const mostStemmed = 255

// term returns the normal form of a word, valid until the next call; kept = false for a stop word.
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

// fold appends the word in NFC or NFKC and in lower case, as configured, and with the ASCII apostrophe.
func (f *forms) fold(dst, word []byte) []byte {
	if !slices.ContainsFunc(word, func(b byte) bool { return b >= utf8.RuneSelf }) {
		return appendLowerASCII(dst, word, f.KeepCase)
	}
	form := norm.NFC
	if f.NFKC {
		form = norm.NFKC
	}
	word = form.Bytes(word)
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

// EachWord calls visit for every word of x, in order: x[lo:hi], 0-based byte offsets. Words are the segments between
// the word boundaries of UAX #29 that hold a letter, a digit or another number, or a pictograph (category So);
// everything else (spaces, punctuation, invalid UTF-8) is skipped. O(len(x)), without allocating.
func EachWord(x []byte, visit func(lo, hi int)) { wordbreak.Each(x, visit) }
