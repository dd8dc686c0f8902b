package wordbreak

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// span is the bytes lo … hi−1.
type span struct{ lo, hi int }

// bySegments is Each without the fast path.
func bySegments(x []byte) (spans []span) {
	for at := 0; at < len(x); {
		end, isWord := unicodeSegment(x, at)
		if isWord {
			spans = append(spans, span{at, end})
		}
		at = end
	}
	return spans
}

func wordsOf(x []byte) (spans []span) {
	Each(x, func(lo, hi int) { spans = append(spans, span{lo, hi}) })
	return spans
}

func TestWordsInSeveralScripts(t *testing.T) {
	for _, c := range []struct{ script, text, want string }{
		{"Latin", "The quick (“brown”) fox can’t jump 32.3 feet, right?",
			"The quick brown fox can’t jump 32.3 feet right"},
		{"accents", "naïve cafe\u0301 Straße", "naïve cafe\u0301 Straße"},
		{"numbers", "3.14 1,000.50 1;2 10-12 5% x86_64 mp3 .5 7. 1/2 ½",
			"3.14 1,000.50 1;2 10 12 5 x86_64 mp3 5 7 1 2 ½"},
		{"hyphens", "well-known non\u2010breaking e-mail --x", "well known non breaking e mail x"},
		{"hashtags", "#tag @name #two_words a@b.com", "tag name two_words a b.com"},
		{"apostrophes", "don't 'tis dogs' rock'n'roll o'1", "don't tis dogs rock'n'roll o 1"},
		{"points", "U.S. e.g. a.1 1.a a..b www.example.org", "U.S e.g a 1 1 a a b www.example.org"},
		{"underscores", "_ __ _a a_ a__b _1", "_a a_ a__b _1"},
		{"Cyrillic", "Съешь же ещё этих мягких булок, да выпей чаю.", "Съешь же ещё этих мягких булок да выпей чаю"},
		{"Greek", "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία·", "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία"},
		{"Arabic", "كل البشر، يولدون أحراراً ١٢٫٥", "كل البشر يولدون أحراراً ١٢٫٥"},
		{"Hebrew", "כל בני האדם צה\"ל ד' נולדו", "כל בני האדם צה\"ל ד' נולדו"},
		{"Han and Hiragana", "日本語です。", "日 本 語 で す"},
		{"Katakana", "コンピュータ・ゲーム", "コンピュータ ゲーム"},
		{"Hangul", "모든 인간은", "모든 인간은"},
		{"Thai", "ที่ดี", "ที่ ดี"},
		{"Devanagari", "सभी मनुष्यों को", "सभी मनुष्यों को"},
		{"emoji", "ok 👍🏽! 👩‍👩‍👧 🇩🇪🇫🇷 ❤️ 1️⃣", "ok 👍🏽 👩‍👩‍👧 🇩🇪 🇫🇷 ❤️ 1️⃣"},
		{"NUL and invalid UTF-8", "a\x00b \xffc\xfe d\xc3 e\ufffdf", "a b c d e f"},
		{"a byte of a longer character before the end", "a  \xf60", "a 0"},
		{"such a byte behind a letter", "x a\xf6b", "x a b"},
		{"a character cut off by the end", "x y\xe3\x81", "x y"},
		{"two bytes of three before the end", "я\xe3\x81y", "я y"},
		{"nothing", " \t\r\n.,;!?", ""},
		{"", "", ""},
	} {
		x := []byte(c.text)
		var got []string
		for _, s := range wordsOf(x) {
			got = append(got, string(x[s.lo:s.hi]))
		}
		if want := strings.Fields(c.want); strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%s: %q, want %q", c.script, got, want)
		}
	}
}

// Letters of every class that the boundaries of words know.
var pieces = []string{"a", "B", "7", "_", ".", ",", ":", ";", "'", "\"", " ", "\r", "\n", "-", "#", "\x00", "é",
	"\u0301", "\u200d", "\u00ad", "א", "ب", "ア", "日",
	"ท", "👍", "🏽", "🇩", "·", "’", "\u2024", "\uff0e", "\u202f", "\xff", "\xc3", "\u180e", "½", "٣"}

func TestFastPathEqualsUnicode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, "pieces"), ""))
		if got, want := wordsOf(x), bySegments(x); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: words at %v, by UAX #29 alone %v", x, got, want)
		}
	})
}

// Every text of up to six of the characters that ASCII has classes for.
func TestFastPathOnAllShortTexts(t *testing.T) {
	letters := "a7_.,:' \xc3"
	text := make([]byte, 6)
	for n, total := 0, 531441; n < total; n++ { // 9⁶
		for i, rest := 0, n; i < len(text); i, rest = i+1, rest/len(letters) {
			text[i] = letters[rest%len(letters)]
		}
		if got, want := wordsOf(text), bySegments(text); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: words at %v, by UAX #29 alone %v", text, got, want)
		}
	}
}

func FuzzEach(f *testing.F) {
	for _, p := range pieces {
		f.Add([]byte("a" + p + "b " + p))
	}
	f.Add([]byte("  \xf60"))
	f.Fuzz(func(t *testing.T, x []byte) {
		got := wordsOf(x)
		if want := bySegments(x); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: words at %v, by UAX #29 alone %v", x, got, want)
		}
	})
}
