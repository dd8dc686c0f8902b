package bow_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

// Words between delimiters are the fields of package strings.
func TestDelimitersCutFields(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"white", "comma", "slash", ";", "é", "→", "|"}), 1, 4,
			rapid.ID).Draw(t, "delimiters")
		signs := strings.Join(entries, "")
		signs = strings.NewReplacer("white", "", "comma", ",", "slash", "/").Replace(signs)
		text := rapid.StringOf(rapid.RuneFrom([]rune("aB+,/;é→|ß \t\n\x00\u2003"))).Draw(t, "text")
		want := strings.FieldsFunc(text, func(r rune) bool {
			return unicode.IsSpace(r) || r == 0 || strings.ContainsRune(signs, r)
		})
		got := bow.Tokenizer{KeepCase: true, Delimiters: entries}.Terms([]byte(text))
		if !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}

func TestDelimitersInKernels(t *testing.T) {
	x, y := []byte("open(2);C++;\xffread(2)"), []byte("read(2);C++;write(2)")
	k := bow.Kernel{Delimiters: []string{";"}}
	if got := k.Eval(x, y); got != 2 {
		t.Errorf("words: k(x, y) = %v, want 2: of C++ and read(2)", got)
	}
	if got := (bow.Kernel{NGram: "2", Delimiters: []string{"white"}}).Eval(x, x); got != 1 {
		t.Errorf("pairs of words: k(x, x) = %v, want 1, since a byte that is not UTF-8 separates", got)
	}
	entries := bow.Kernel{Delimiters: []string{";"}, Dict: []string{"read(*", "c++"}}
	if got := entries.Eval(x, y); got != 2 {
		t.Errorf("dictionary: k(x, y) = %v, want 2", got)
	}
	s := bow.Sequence{Delimiters: []string{";"}}
	s.Unit, s.Weight = bow.Word, "constant"
	if got := s.Eval(x, y); got != 2 {
		t.Errorf("sequences: k(x, y) = %v, want 2", got)
	}
	for _, c := range []struct {
		k    bow.Kernel
		want string
	}{
		{bow.Kernel{Delimiters: []string{"ab"}}, `entry 1 is "ab", want one character, white or one of: at, colon, comma`},
		{bow.Kernel{Delimiters: []string{";", ""}}, `entry 2 is ""`},
		{bow.Kernel{Delimiters: []string{"\xff"}}, `entry 1 is "\xff"`},
		{bow.Kernel{Delimiters: []string{";"}, Leaves: true}, "cannot be used with leaves"},
		{bow.Kernel{Delimiters: []string{";"}, NFKC: true}, "cannot be used with nfkc"},
	} {
		if err := c.k.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.k.Delimiters, err, c.want)
		}
	}
	if err := (bow.Sequence{Delimiters: []string{";"}}).Check(); err == nil {
		t.Error("delimiters of letters are accepted")
	}
}

// Sequences of words through a function of counts: of "a b a b", a and b and "a b" occur twice.
func TestCountsOfSequences(t *testing.T) {
	x, y := []byte("a b a b"), []byte("b a b c")
	s := bow.Sequence{}
	s.Unit, s.Weight = bow.Word, "constant"
	for count, want := range map[string]float64{
		"":         2*1 + 2*2 + 2*1 + 1*1 + 1*1, // a, b, "a b", "b a", "b a b"
		"presence": 5,
	} {
		s.Count = stringkernel.Count(count)
		if got := s.Eval(x, y); got != want {
			t.Errorf("count=%s: k(x, y) = %v, want %v", count, got, want)
		}
	}
	kerneltest.Run(t, s, kerneltest.Options{Letters: "ab ", Seed: 4})
}
