package bow_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// characters combine with each other, or are others in NFC.
var characters = []rune("aeEqiIozAKßıſ01.,'’_- =<>;·`\n\u00e9\u00c5\u1ea1\u0390\u2260\u0300\u0301\u0308\u0323\u0327\u0338" +
	"\u0344\u034f\u200d\u00ad\u212b\u2126\u037e\u0387\u1fef\u2000\u0374\u1100\u1161\u11a8\uac00\uac01\u0915\u093c\u0958" +
	"\u05e9\u05c1\u05bc\ufb2c\u30ab\u3099\u30ac\u732b\U0002f800\u09c7\u09be\u09cb\U0001f44d\U0001f3fd\u0e01\u0e4d\u0430\u0439")

// FuzzCanonical: canonically equivalent texts have the same terms, and the same substrings of code points.
func FuzzCanonical(f *testing.F) {
	f.Add([]byte{1, 35, 2, 35, 12, 1, 40}, "caf\u00e9")
	f.Add([]byte{3, 35, 38, 22, 40}, "q\xff\u0301")
	f.Fuzz(func(t *testing.T, picks []byte, text string) {
		for _, p := range picks {
			text += string(characters[int(p)%len(characters)])
		}
		if r := []rune(text); len(r) > 15 { // package norm divides runs of more than 30 marks
			text = string(r[:15])
		}
		text = strings.ToValidUTF8(text, "\xff ") // package norm takes what follows other bytes for a part of them
		composed, decomposed := norm.NFC.Bytes([]byte(text)), norm.NFD.Bytes([]byte(text))
		for _, tokenizer := range []bow.Tokenizer{{}, {KeepCase: true}, {NFKC: true}, {Stem: "french"},
			{Delimiters: []string{bow.White}}, {Delimiters: []string{"=", "minus"}}} {
			want := tokenizer.Terms(composed)
			for _, x := range [][]byte{[]byte(text), decomposed} {
				if got := tokenizer.Terms(x); !slices.Equal(got, want) {
					t.Fatalf("%+v: terms of %+q are %+q, of %+q %+q", tokenizer, x, got, composed, want)
				}
			}
		}
		kernel := substring.Kernel{Weight: substring.Bounded, K: 3, Unit: substring.RuneUnit}
		if a, b := kernel.Eval(composed, composed), kernel.Eval(decomposed, []byte(text)); a != b {
			t.Fatalf("%+q: %v in NFC, %v in other forms", text, a, b)
		}
	})
}
