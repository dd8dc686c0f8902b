package spectrum

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Repeats are those of a map of all k-mers, whatever they are counted in: records shorter and longer than tables, few
// and many letters, runs and breaks.
func TestRepeats(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 9))
	c := new(counter)
	for _, of := range []struct {
		alphabet stringkernel.Alphabet
		letters  string
		longest  int
	}{
		{stringkernel.DNA, "ACGTACGTN", 12}, {stringkernel.DNA, "ACGT", 20}, {stringkernel.DNA, "AAAAAAAC", 12},
		{stringkernel.Protein, "ACDEFGHIKLMNPQRSTVWYX", 5}, {stringkernel.Bytes, "ab\xff", 8},
	} {
		for _, n := range []int{0, 1, 7, 30, 300, 4000} {
			for range 20 {
				k := Kernel{K: 1 + r.IntN(of.longest), Bounded: r.IntN(2) == 0, Alphabet: of.alphabet}
				x := draw(r, of.letters, n, false)
				checkRepeats(t, c, k, x)
			}
		}
	}
}

func checkRepeats(t *testing.T, c *counter, k Kernel, x []byte) {
	t.Helper()
	coder := newCoder(k.Alphabet, k.K)
	c.findRepeats(t.Context(), &coder, k.shortest(), x)
	if want := k.occurrences(x); c.occurrences != want {
		t.Fatalf("%+v of %q: %d k-mers, want %d", k, x, c.occurrences, want)
	}
	want := make(map[string]int)
	for s, n := range definition(k, x) {
		if n > 1 {
			want[s] = n
		}
	}
	length := 0
	for _, r := range c.repeats {
		of := newCoder(k.Alphabet, int(r.length))
		if s := of.String(r.code); want[s] != int(r.count) || int(r.length) < length {
			t.Fatalf("%+v of %q: %s %d times after k-mers of %d letters, want %d", k, x, s, r.count, length, want[s])
		}
		delete(want, of.String(r.code))
		length = int(r.length)
	}
	if len(want) > 0 {
		t.Fatal(fmt.Sprintf("%+v of %q: no repeats", k, x), want)
	}
}
