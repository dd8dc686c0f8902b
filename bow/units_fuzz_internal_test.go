package bow

import (
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/internal/intern"
)

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
