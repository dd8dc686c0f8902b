package trees

import (
	"slices"
	"testing"

	"github.com/clipperhouse/uax29/v2/words"
	"pgregory.net/rapid"
)

// TestWords: the words are those of package uax29.
func TestWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.StringMatching(`[a-c1-3 _:.',;\-"\r\n\x{301}é\x{200d}世ア]{0,12}`), rapid.String()).Draw(t, "text")
		var got, want []string
		for p := []byte(text); len(p) > 0; {
			n, isWord := nextSegment(p)
			if isWord {
				got = append(got, string(p[:n]))
			}
			p = p[n:]
		}
		for s := words.FromString(text); s.Next(); {
			if holdsWord([]byte(s.Value())) {
				want = append(want, s.Value())
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", text, got, want)
		}
	})
}
