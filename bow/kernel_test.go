package bow_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func TestCheckNamesWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		k    bow.Kernel
		want string
	}{
		{bow.Kernel{NGram: "0"}, `words: ngram = "0", want n or m-n with 1 ≤ m ≤ n ≤ 8`},
		{bow.Kernel{NGram: "2-1"}, `words: ngram = "2-1", want n or m-n with 1 ≤ m ≤ n ≤ 8`},
		{bow.Kernel{NGram: "1-9"}, `words: ngram = "1-9", want n or m-n with 1 ≤ m ≤ n ≤ 8`},
		{bow.Kernel{NGram: "two"}, `words: ngram = "two", want n or m-n with 1 ≤ m ≤ n ≤ 8`},
		{bow.Kernel{Skip: 1}, "words: skip = 1 with ngram = 1, want n-grams of 2 words or more"},
		{bow.Kernel{NGram: "2", Skip: 5}, "words: skip = 5, want 0…4"},
		{bow.Kernel{NGram: "2", Skip: 1, Letters: true}, "words: letters cannot be used with skip or dict"},
		{bow.Kernel{Dict: []string{"a"}, Letters: true}, "words: letters cannot be used with skip or dict"},
		{bow.Kernel{Binary: true, Sublinear: true}, "words: binary cannot be used with sublinear"},
		{bow.Kernel{Count: "sqrt", Binary: true}, "words: count cannot be used with binary"},
		{bow.Kernel{Count: "max"}, `words: count = "max", want one of: raw, presence, sqrt, log, sublinear, min, chi2`},
		{bow.Kernel{Count: "min", TFIDF: true}, "words: count = min cannot be used with tfidf or l1: it is of whole numbers"},
		{bow.Kernel{Count: "chi2", L1: true}, "words: count = chi2 cannot be used with tfidf or l1: it is of whole numbers"},
		{bow.Kernel{Count: "chi2", Laplace: true}, "words: count cannot be used with laplace"},
		{bow.Kernel{Count: "min", LogEntropy: true}, "words: count cannot be used with logentropy"},
		{bow.Kernel{LogEntropy: true, Laplace: true}, "words: logentropy cannot be used with laplace"},
		{bow.Kernel{TFIDF: true, Laplace: true}, "words: laplace cannot be used with tfidf"},
		{bow.Kernel{TFIDF: true, Open: true},
			"words: open cannot be used with tfidf, logentropy, laplace, l1, mindf, maxdf or dict"},
		{bow.Kernel{MinDF: -1}, "words: mindf = -1, want a number of documents or a share of them"},
		{bow.Kernel{MaxDF: math.NaN()}, "words: maxdf = NaN, want a number of documents or a share of them"},
		{bow.Kernel{Stem: "klingon"},
			`words: stem = "klingon", want one of: english, french, hungarian, norwegian, russian, spanish, swedish`},
		{bow.Kernel{Stem: "english", Case: true}, "words: stem cannot be used with case: stems are in lower case"},
		{bow.Kernel{Dict: []string{"heart", "*"}},
			`words: dict: entry 2, "*", has no word; write words, the last of which may be a prefix*`},
		{bow.Kernel{Dict: []string{"C++", "Java", "java", "C#"}},
			`words: dict: entries 1, "C++", and 4, "C#", have the same words, "c"; leave one out, or keep signs with ` +
				`delimiters=white`},
		{bow.Kernel{Dict: []string{"e-mail*", "e mail*"}}, `words: dict: entries 1, "e-mail*", and 2, "e mail*", have the same ` +
			`words, "e mail"; leave one out, or keep signs with delimiters=white`},
		{bow.Kernel{Dict: []string{"the"}, Stop: []string{bow.English}},
			`words: dict: entry 1, "the", has no word; write words, the last of which may be a prefix*`},
	} {
		if err := c.k.Check(); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.k, err, c.want)
		}
		if _, err := c.k.Fit(t.Context(), new(stringkernel.Corpus)); err == nil {
			t.Errorf("%+v: Fit gives no error", c.k)
		}
		if _, err := c.k.Restore(nil); err == nil {
			t.Errorf("%+v: Restore gives no error", c.k)
		}
	}
	for _, k := range everyKernel {
		if err := k.Check(); err != nil {
			t.Errorf("%+v: %v", k, err)
		}
	}
}

func TestTokenizer(t *testing.T) {
	for _, c := range []struct {
		tokenizer  bow.Tokenizer
		text, want string
	}{
		{bow.Tokenizer{}, "The CAT’s Straße ΣΟΦΟΣ ПРИВЕТ İ", "the cat's straße σοφοσ привет i"},
		{bow.Tokenizer{KeepCase: true}, "The CAT’s ΣΟΦΟΣ", "The CAT's ΣΟΦΟΣ"},
		{bow.Tokenizer{NFKC: true}, "ﬁne Ｗｉｄｅ e\u0301te\u0301 ²", "fine wide \u00e9t\u00e9 2"},
		{bow.Tokenizer{}, "ﬁne E\u0301te\u0301 \u212b", "ﬁne \u00e9t\u00e9 \u00e5"},
		{bow.Tokenizer{Stop: []string{"e\u0301te\u0301"}}, "\u00e9t\u00e9 e\u0301te\u0301 cafe\u0301", "caf\u00e9"},
		{bow.Tokenizer{Delimiters: []string{"=", "e\u0301"}}, "a=\u0338b c=d\u00e9e", "a\u2260b c d e"},
		{bow.Tokenizer{Stop: []string{bow.English}}, "The cat and I don’t sit ON the mat, english", "cat sit mat english"},
		{bow.Tokenizer{Stop: []string{"Cat", "été"}}, "the CAT, l'Été et été", "the l'été et"},
		{bow.Tokenizer{Stem: bow.English}, "generalizations relational running 1990s", "general relat run 1990s"},
		{bow.Tokenizer{Stem: "french"}, "continuellement majestueuse", "continuel majestu"},
		{bow.Tokenizer{Stem: "russian"}, "вавилонская важнейшие", "вавилонск важн"},
		{bow.Tokenizer{Stem: bow.English}, strings.Repeat("running", 40), strings.Repeat("running", 40)},
		{bow.Tokenizer{Stem: bow.English}, "a \x00 ' b\xff", "a b"},
	} {
		if err := c.tokenizer.Check(); err != nil {
			t.Error(err)
		}
		if got := strings.Join(c.tokenizer.Terms([]byte(c.text)), " "); got != c.want {
			t.Errorf("%+v of %q: %q, want %q", c.tokenizer, c.text, got, c.want)
		}
	}
}

func TestStopWordsAreSortedLowerCaseWords(t *testing.T) {
	list := bow.EnglishStopWords()
	if len(list) < 200 {
		t.Fatalf("%d stop words", len(list))
	}
	for i, w := range list {
		if i > 0 && w <= list[i-1] {
			t.Errorf("%q behind %q", w, list[i-1])
		}
		if terms := (bow.Tokenizer{}).Terms([]byte(w)); len(terms) != 1 || terms[0] != w {
			t.Errorf("%q is %q as terms", w, terms)
		}
	}
}

// Each byte of a word has the same part of what the word adds, and what lies between words has none.
func TestExplanation(t *testing.T) {
	f := must.Get(bow.Kernel{NGram: "1-2"}.Fit(t.Context(), corpusOf([]string{"good film", "bad film"})))(t)
	scorer := must.Get(stringkernel.Merge(t.Context(), f, corpusOf([]string{"good film", "bad film"}), []float64{1, -1}))(t)
	parts := make([]float64, 18)
	stringkernel.ExplainerOf(scorer).ExplainTo(parts, 0, []byte("A good film; bad!!"))
	// good: 1, good film: 1 over 8 bytes, film: 0, bad: −1, film bad: not in the vocabulary
	want := []float64{
		0, 0, 0.375, 0.375, 0.375, 0.375, 0, 0.125, 0.125, 0.125, 0.125, 0, 0, -1. / 3, -1. / 3, -1. / 3, 0, 0,
	}
	if !reflect.DeepEqual(parts, want) {
		t.Errorf("%v, want %v", parts, want)
	}
}

// What a compiled model stores has no two words in the order of a text.
func TestArraysHoldNoText(t *testing.T) {
	c := corpusOf([]string{"zulu alpha mike", "mike zulu zulu alpha"})
	f := must.Get(bow.Kernel{NGram: "1-2", TFIDF: true}.Fit(t.Context(), c))(t)
	scorer := must.Get(stringkernel.Merge(t.Context(), f, c, []float64{1, -1}))(t)
	arrays := bow.Kernel{}.Arrays(scorer)
	if arrays == nil {
		t.Fatal("no arrays")
	}
	for _, a := range arrays {
		if text, is := a.Data.([]uint8); is && string(text) != "zulualphamike" {
			t.Errorf("array %q is %q, want each term once", a.Name, text)
		}
	}
}

// The leaves of a tree are words, without what surrounds them, in the order of the tree.
func TestLeavesAreWords(t *testing.T) {
	tree := []byte(`(S (POS##WRB LEX##How::w) (POS##VB LEX##do\(es\)::v) (POS##X LEX##::x) it)`)
	tokens := bow.Kernel{Leaves: true, After: "##", Before: "::"}.Tokenizer()
	if got, want := tokens.Terms(tree), []string{"how", `do\(es\)`, "it"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := tokens.Terms([]byte("how does it")); got != nil {
		t.Errorf("%q of a text that is not a tree", got)
	}
	k, plain := bow.Kernel{NGram: "1-2", Leaves: true, After: "##", Before: "::"}, bow.Kernel{NGram: "1-2"}
	x, y := []byte("(a A##how::w (b A##is::v) A##it::p)"), []byte("(r LEX##how::w LEX##is::v (c ##not::))")
	if got, want := k.Eval(x, y), plain.Eval([]byte("how is it"), []byte("how is not")); got != want || want != 3 {
		t.Errorf("k(x, y) = %v, of words %v, want 3", got, want)
	}
	if err := stringkernel.TraitsOf(k).CheckRecord([]byte("how")); err == nil ||
		!strings.Contains(err.Error(), "byte 1") {
		t.Errorf("CheckRecord: %v", err)
	}
	if stringkernel.TraitsOf(plain).CheckRecord != nil {
		t.Error("a kernel on the words of texts refuses records")
	}
	if err := (bow.Kernel{After: "##"}).Check(); err == nil || !strings.Contains(err.Error(), "need leaves") {
		t.Errorf("Check: %v", err)
	}
}
