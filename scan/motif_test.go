package scan_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/scan"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestMotif: the codes of every letter, by an independent table, and what is outside.
func TestMotif(t *testing.T) {
	for code, accepted := range map[string]string{
		"A": "A", "c": "C", "G": "G", "T": "T", "u": "T", "R": "AG", "Y": "CT", "S": "GC", "W": "AT", "K": "GT",
		"M": "AC",
		"B": "CGT", "D": "AGT", "H": "ACT", "V": "ACG", "N": "ACGTNRacgt-",
	} {
		m := must.Get(scan.ParseMotif(code, stringkernel.DNA))(t)
		for _, b := range []byte("ACGTNRacgt-") {
			if got, want := m.Matches([]byte{b}), strings.IndexByte(accepted, b) >= 0; got != want {
				t.Errorf("%s at %c: %v, want %v", code, b, got, want)
			}
		}
	}
	for _, c := range []struct {
		alphabet   stringkernel.Alphabet
		motif, seq string
		want       bool
	}{
		{stringkernel.RNA, "GT", "GU", true}, {stringkernel.RNA, "KN", "UA", true},
		{stringkernel.RNA, "GU", "GT", false},
		{stringkernel.Protein, "mXb", "MLD", true}, {stringkernel.Protein, "B", "E", false},
		{stringkernel.Protein, "Z", "Q", true}, {stringkernel.Protein, "J", "I", true},
		{stringkernel.Bytes, "aN", "aN", true}, {stringkernel.Bytes, "aN", "ab", false},
		{stringkernel.Bytes, "aN", "AN", false},
	} {
		m := must.Get(scan.ParseMotif(c.motif, c.alphabet))(t)
		if m.Matches([]byte(c.seq)) != c.want {
			t.Errorf("%s: %s at %s: %v", c.alphabet, c.motif, c.seq, !c.want)
		}
	}
	for alphabet, wrong := range map[stringkernel.Alphabet][]string{stringkernel.DNA: {"", "AX", "A ", "é"},
		stringkernel.RNA: {"E", "-"}, stringkernel.Protein: {"O", "*"}} {
		for _, text := range wrong {
			if m, err := scan.ParseMotif(text, alphabet); err == nil {
				t.Errorf("%s: no error for %q: %v", alphabet, text, m)
			}
		}
	}
}

// TestMirror: a motif matches a sequence where its reverse complement matches the reverse complement.
func TestMirror(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, alphabet := range []stringkernel.Alphabet{stringkernel.DNA, stringkernel.RNA} {
		for range 300 {
			text := string(drawn.Text(r, "ACGTRYSWKMBDHVN", 1+r.IntN(4)))
			m := must.Get(scan.ParseMotif(text, alphabet))(t)
			x := drawn.Text(r, map[stringkernel.Alphabet]string{stringkernel.DNA: "ACGTN",
				stringkernel.RNA: "ACGUN"}[alphabet], m.Len())
			if mirror := m.ReverseComplement(alphabet); m.Matches(x) != mirror.Matches(alphabet.ReverseComplementTo(nil, x)) {
				t.Fatalf("%s: %v at %s: %v; %v on the other strand", alphabet, m, x, m.Matches(x), mirror)
			}
		}
	}
}

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
