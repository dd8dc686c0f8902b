package windowed

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The mask says what a comparison letter by letter says, for all layouts.
func TestMatchMask(t *testing.T) {
	alphabets := map[stringkernel.Alphabet]string{
		stringkernel.DNA: "ACGTN", stringkernel.RNA: "ACGUT", stringkernel.Protein: "ACDEFGHIKLMNPQRSTVWYX*",
		stringkernel.Bytes: "ab\x00\xff",
	}
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SampledFrom([]stringkernel.Alphabet{stringkernel.DNA, stringkernel.RNA, stringkernel.Protein,
			stringkernel.Bytes, ""}).
			Draw(t, "alphabet")
		letters := []byte(alphabets[a])
		if a == "" {
			letters = []byte("xyz")
		}
		length := rapid.IntRange(0, 300).Draw(t, "length")
		window := rapid.SliceOfN(rapid.SampledFrom(letters), length, length)
		x, y := window.Draw(t, "x"), window.Draw(t, "y")
		c := must.Get(stringkernel.NewCorpus([][]byte{x, y}, nil))(t)
		p := New(a, c, length)
		mask, first := make([]uint64, p.Words), make([]uint64, p.Size())
		p.Encode(first, x)
		p.Match(mask, first, make([]uint64, p.Size()), 1)
		for at := range p.Words * 64 {
			want := at < length && x[at] == y[at] && a.Codes()[x[at]] != stringkernel.Outside
			if mask[at%p.Words]>>(at/p.Words)&1 == 1 != want {
				t.Fatalf("position %d of %q and %q: %v, want %v", at, x, y, !want, want)
			}
		}
	})
}

func TestWindowLength(t *testing.T) {
	c := must.Get(stringkernel.NewCorpus(
		[][]byte{[]byte("ACGT"), []byte("ACGT"), []byte("ACG")},
		[]string{"a", "b", "short one"},
	))(t)
	if n, err := Length(c.Subset([]int{0, 1})); n != 4 || err != nil {
		t.Fatalf("%d, %v, want 4", n, err)
	}
	if n, err := Length(new(stringkernel.Corpus)); n != 0 || err != nil {
		t.Fatalf("no windows: %d, %v, want 0", n, err)
	}
	if _, err := Length(c); err == nil ||
		!strings.Contains(err.Error(), `record "short one" (number 3): 3 letters, but the first record has 4`) {
		t.Fatalf("error %v, want one that names the record and both lengths", err)
	}
}
