package canonical_test

import (
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/seqsvm/seqsvm/internal/canonical"
)

// Places are written by hand: é in one piece or two, marks that change places, a letter that stays before marks, bytes
// that are not UTF-8.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		text, want string
		places     [][2]int // of each code point
	}{
		{"a\u00e9b", "a\u00e9b", [][2]int{{0, 1}, {1, 3}, {3, 4}}},
		{"ae\u0301b", "a\u00e9b", [][2]int{{0, 1}, {1, 4}, {4, 5}}},
		{"e\u0301e\u0301", "\u00e9\u00e9", [][2]int{{0, 3}, {3, 6}}},
		{"q\u0301\u0323x", "q\u0323\u0301x", [][2]int{{0, 1}, {1, 5}, {1, 5}, {5, 6}}},
		{"\xf0\u0374\xf2\u0301", "\xf0\u02b9\xf2\u0301", [][2]int{{0, 1}, {1, 3}, {3, 4}, {4, 6}}},
		{"a\u0fb9", "a\u0f90\u0fb5", [][2]int{{0, 1}, {1, 4}, {1, 4}}},
		{"\u212b\xff", "\u00c5\xff", [][2]int{{0, 3}, {3, 4}}},
		{"", "", nil},
	} {
		var text canonical.Text
		text.Read([]byte(c.text))
		if string(text.Letters) != c.want {
			t.Fatalf("%q: %q, want %q", c.text, text.Letters, c.want)
		}
		at := 0
		for i, want := range c.places {
			_, size := utf8.DecodeRune(text.Letters[at:])
			if from, to := text.Place(at, at+size); from != want[0] || to != want[1] {
				t.Errorf("%q: code point %d is at %d … %d, want %v", c.text, i, from, to, want)
			}
			at += size
		}
	}
}

// FuzzText holds letters to those of package norm; places do not go back, and the last one ends with the text.
func FuzzText(f *testing.F) {
	for _, s := range []string{"a", "e\u0301", "q\u0301\u0323x", "\u1100\u1161\u11a8", "\u0958\u0344", "\xcc\u0301\xff",
		"\u2126 \u037e"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		x := []byte(s)
		var text canonical.Text
		text.Read(x)
		if utf8.Valid(x) && string(text.Letters) != string(norm.NFC.Bytes(x)) {
			t.Fatalf("%q: %q, want %q", s, text.Letters, norm.NFC.Bytes(x))
		}
		last, lastTo := 0, 0
		for at := 0; at < len(text.Letters); {
			_, size := utf8.DecodeRune(text.Letters[at:])
			from, to := text.Place(at, at+size)
			if from < last || to < lastTo || from >= to || to > len(x) {
				t.Fatalf("%q: byte %d is at %d … %d after %d … %d", s, at, from, to, last, lastTo)
			}
			last, lastTo = from, to
			at += size
		}
		if lastTo != len(x) {
			t.Fatalf("%q: places end at %d", s, lastTo)
		}
	})
}
