package bow

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"github.com/seqsvm/seqsvm/internal/intern"
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
		for _, tokenizer := range []Tokenizer{{}, {KeepCase: true}, {NFKC: true}, {Stem: "french"},
			{Delimiters: []string{White}}, {Delimiters: []string{"=", "minus"}}} {
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

// FuzzUnits holds the reader of words to [Tokenizer.Terms]: numbers in the order of first terms, places inside the
// text, one after the other.
func FuzzUnits(f *testing.F) {
	for i, x := range []string{"", "a b A", "The cat’s ﬁsh, été 3.14", "\xff a\x00b", "猫が好き"} {
		f.Add([]byte(x), i%2 == 0, i%3 == 0, i > 2)
	}
	f.Fuzz(func(t *testing.T, x []byte, keepCase, nfkc, stop bool) {
		tokenizer := Tokenizer{KeepCase: keepCase, NFKC: nfkc}
		if stop {
			tokenizer.Stop = []string{English, "a"}
		}
		forms := newForms(tokenizer)
		r := &unitReader{reader: reader{forms: forms, terms: new(intern.Terms), open: true}}
		numbers, places := r.Read(x), r.Places()
		var want []int32
		known := map[string]int32{}
		for _, term := range tokenizer.Terms(x) {
			if known[term] == 0 {
				known[term] = int32(len(known)) + 1
			}
			want = append(want, known[term])
		}
		if !slices.Equal(numbers, want) || r.Len() != len(known) || len(places) != len(want) {
			t.Fatalf("%q: numbers %v of %d terms, want %v of %d", x, numbers, r.Len(), want, len(known))
		}
		end := 0
		for i, p := range places {
			if p.Lo < end || p.Hi <= p.Lo || p.Hi > len(x) {
				t.Fatalf("%q: word %d at %v, the one before ends at %d", x, i, p, end)
			}
			end = p.Hi
		}
		if again := r.Closed().Read(x); !slices.Equal(again, numbers) {
			t.Fatalf("%q: %v, read again %v", x, numbers, again)
		}
	})
}
