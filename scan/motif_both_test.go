package scan_test

import (
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/scan"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// What has both of two motifs is what has their common motif, of all words over the alphabet and a letter outside it.
func TestBothMotifs(t *testing.T) {
	for _, c := range []struct {
		a, b, want string
		shift      int
	}{
		{"AG", "RG", "AG", 0}, {"RG", "AG", "AG", 0}, {"G", "RG", "RG", -1}, {"AG", "NNY", "AGY", 0}, {"RB", "W", "RT", 1},
		{"AG", "C", "CNAG", -2}, {"AG", "AG", "AG", 0}, {"N", "N", "N", 0},
	} {
		a := must.Get(scan.ParseMotif(c.a, stringkernel.DNA))(t)
		b := must.Get(scan.ParseMotif(c.b, stringkernel.DNA))(t)
		both, begin := a.Both(b, c.shift, stringkernel.DNA)
		if both.String() != c.want {
			t.Errorf("%s and %s, %d letters later: %s, want %s", c.a, c.b, c.shift, both, c.want)
		}
		for word := range words(both.Len()) {
			want := a.Matches([]byte(word[-begin:])) && b.Matches([]byte(word[c.shift-begin:]))
			if both.Matches([]byte(word)) != want {
				t.Fatalf("%s and %s, %d letters later: %s matches %v", c.a, c.b, c.shift, word, !want)
			}
		}
	}
}

// words yields all words of a length.
func words(length int) func(yield func(string) bool) {
	const letters = "ACGTx"
	return func(yield func(string) bool) {
		total := 1
		for range length {
			total *= len(letters)
		}
		for n := range total {
			var word strings.Builder
			for range length {
				word.WriteByte(letters[n%len(letters)])
				n /= len(letters)
			}
			if !yield(word.String()) {
				return
			}
		}
	}
}
