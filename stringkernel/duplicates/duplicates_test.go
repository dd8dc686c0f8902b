package duplicates_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/duplicates"
)

// wordSet is W(x) by definition.
func wordSet(x []byte, a stringkernel.Alphabet) map[string]bool {
	words := map[string]bool{}
	k := duplicates.WordLength(a)
	for i := 0; i+k <= len(x); i++ {
		word := x[i : i+k]
		if slices.ContainsFunc(word, func(b byte) bool { return a.Codes()[b] == stringkernel.Outside }) {
			continue
		}
		if a.Complementary() {
			if reverse := a.ReverseComplementTo(nil, word); string(reverse) < string(word) {
				word = reverse
			}
		}
		words[string(word)] = true
	}
	return words
}

// similarity is s(x, y) by definition; 0 without words.
func similarity(x, y []byte, a stringkernel.Alphabet) float64 {
	if string(x) == string(y) {
		return 1
	}
	v, w := wordSet(x, a), wordSet(y, a)
	common := 0
	for word := range v {
		if w[word] {
			common++
		}
	}
	if common == 0 {
		return 0
	}
	return float64(common) / float64(min(len(v), len(w)))
}

// bruteGroups compares all pairs, and returns the first member of each record's component.
func bruteGroups(c *stringkernel.Corpus, f duplicates.Finder) []int {
	of := make([]int, c.Len())
	for i := range of {
		of[i] = i
	}
	for changed := true; changed; {
		changed = false
		for i := range of {
			for j := range i {
				if of[i] != of[j] && similarity(c.Seq(i), c.Seq(j), f.Alphabet) >= f.Similarity {
					of[i], of[j] = min(of[i], of[j]), min(of[i], of[j])
					changed = true
				}
			}
		}
	}
	return of
}

// mutate returns a changed copy: letters replaced, a part of it, the other strand.
func mutate(rng *rand.Rand, x []byte, letters string, a stringkernel.Alphabet) []byte {
	y := slices.Clone(x)
	for range rng.IntN(4) {
		if len(y) > 0 {
			y[rng.IntN(len(y))] = letters[rng.IntN(len(letters))]
		}
	}
	if rng.IntN(3) == 0 {
		y = y[rng.IntN(len(y)/3+1):]
	}
	if rng.IntN(4) == 0 {
		y = append(y, x...)
	}
	if a.Complementary() && rng.IntN(2) == 0 {
		y = a.ReverseComplementTo(nil, y)
	}
	return y
}

// planted is a corpus of random records, many of which are mutated copies of earlier ones.
func planted(seed uint64, n, length int, letters string, a stringkernel.Alphabet) *stringkernel.Corpus {
	rng := rand.New(rand.NewPCG(seed, 1))
	seqs := make([][]byte, n)
	for i := range seqs {
		if i > 0 && rng.IntN(2) == 0 {
			seqs[i] = mutate(rng, seqs[rng.IntN(i)], letters, a)
			continue
		}
		seqs[i] = make([]byte, rng.IntN(length))
		for j := range seqs[i] {
			seqs[i][j] = letters[rng.IntN(len(letters))]
		}
	}
	c, err := stringkernel.NewCorpus(seqs, nil)
	if err != nil {
		panic(err)
	}
	return c
}

// With at most 64 records nothing is left out: the groups are those of all pairs compared by definition, and the pairs
// connect them.
func TestFindIsBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]struct {
			a       stringkernel.Alphabet
			letters string
		}{
			{stringkernel.DNA, "ACGT"}, {stringkernel.DNA, "AC"}, {stringkernel.DNA, "AAAAAAAAAT"},
			{stringkernel.DNA, "ACGTACGTACGTACGTN"}, {stringkernel.RNA, "ACGU"},
			{stringkernel.Protein, "ACDEFGHIKLMNPQRSTVWYX"}, {stringkernel.Protein, "AK"},
			{stringkernel.Bytes, "abcdefghij "}, {"", "ab"},
		}).Draw(t, "kind")
		f := duplicates.Finder{Alphabet: kind.a,
			Similarity: rapid.SampledFrom([]float64{0.8, 0.8, 0.5, 1, 0.95, 0.1}).Draw(t, "similarity")}
		c := planted(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 40).Draw(t, "n"),
			rapid.SampledFrom([]int{20, 60, 200}).Draw(t, "length"), kind.letters, kind.a)
		g := must.Get(f.Find(t.Context(), c))(t)
		if want := bruteGroups(c, f); !slices.Equal(g.Of, want) {
			t.Fatalf("groups %v, want %v", g.Of, want)
		}
		checkPairs(t, c, f, g)
	})
}

// checkPairs checks that every pair is what it says, and that pairs connect the groups.
func checkPairs(t interface{ Fatalf(string, ...any) }, c *stringkernel.Corpus, f duplicates.Finder,
	g *duplicates.Groups) {
	of := make([]int, c.Len())
	groups := len(of)
	for i := range of {
		of[i] = i
	}
	for k, p := range g.Pairs {
		if s := similarity(c.Seq(p.I), c.Seq(p.J), f.Alphabet); s != p.Similarity || s < f.Similarity || p.I >= p.J {
			t.Fatalf("pair %+v has similarity %v", p, s)
		}
		if k > 0 && (p.I < g.Pairs[k-1].I || p.I == g.Pairs[k-1].I && p.J <= g.Pairs[k-1].J) {
			t.Fatalf("pair %+v behind %+v", p, g.Pairs[k-1])
		}
		a, b := min(of[p.I], of[p.J]), max(of[p.I], of[p.J])
		if a == b {
			t.Fatalf("pair %+v joins what is joined already", p)
		}
		for i := range of {
			if of[i] == b {
				of[i] = a
			}
		}
		groups--
	}
	if !slices.Equal(of, g.Of) {
		t.Fatalf("%d pairs make groups %v, not %v", len(g.Pairs), of, g.Of)
	}
}

// corpusOf makes n records.
func corpusOf(t testing.TB, n int, record func(i int) []byte) *stringkernel.Corpus {
	t.Helper()
	var b stringkernel.CorpusBuilder
	for i := range n {
		b.Add(fmt.Sprint(i), record(i))
	}
	return b.Corpus()
}

// randomLetters is a record of n random letters.
func randomLetters(rng *rand.Rand, n int, letters string) []byte {
	return drawn.Text(rng, letters, n)
}

// Families far larger than what is looked up are still found whole: equal records, copies each with a change of
// its own, pieces of one long record, and windows that overlap.
func TestFindLargeFamilies(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	ancestor := randomLetters(rng, 20_000, "ACGT")
	for _, c := range []struct {
		name   string
		n      int
		record func(i int) []byte
	}{
		{"equal", 20_000, func(int) []byte { return ancestor[:300] }},
		{"changed", 5_000, func(i int) []byte {
			x := slices.Clone(ancestor[:300])
			x[rng.IntN(300)] = "ACGT"[rng.IntN(4)]
			return x
		}},
		{"pieces of a long one", 2_000, func(i int) []byte {
			if i == 1234 {
				return ancestor
			}
			at := 9 * i
			return ancestor[at : at+150]
		}},
		{"windows", 1_900, func(i int) []byte { return ancestor[10*i : 10*i+150] }},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := duplicates.Finder{Alphabet: stringkernel.DNA, Similarity: 0.8}
			g := must.Get(f.Find(t.Context(), corpusOf(t, c.n, c.record)))(t)
			if apart := slices.IndexFunc(g.Of, func(first int) bool { return first != 0 }); apart >= 0 {
				t.Errorf("record %d is not in the group of all", apart)
			}
			if len(g.Pairs) != c.n-1 {
				t.Errorf("%d pairs, want %d", len(g.Pairs), c.n-1)
			}
		})
	}
}

// Records of equal letters are found though another has the same hash by FNV-1a and they have no words by which they
// could be found otherwise.
func TestFindEqualRecordsOfOneHash(t *testing.T) {
	seqs := [][]byte{[]byte("8yn0iYCKYHlIj4-BwPqk"), []byte("GReLUrM4wMqfg9yzV3KQ"), []byte("GReLUrM4wMqfg9yzV3KQ"),
		[]byte("8yn0iYCKYHlIj4-BwPqk")}
	c := must.Get(stringkernel.NewCorpus(seqs, nil))(t)
	g, err := duplicates.Finder{Alphabet: stringkernel.DNA, Similarity: 0.8}.Find(t.Context(), c)
	if err != nil || !slices.Equal(g.Of, []int{0, 1, 1, 0}) {
		t.Errorf("%+v, %v, want groups of records 0 and 3, 1 and 2", g, err)
	}
}

// Thousands of records that share a repeat and little else are no duplicates, and planted copies among them are found.
func TestFindAmongRepeats(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	repeat := randomLetters(rng, 100, "ACGT")
	c := corpusOf(t, 6_000, func(i int) []byte {
		if i%6 == 5 {
			return nil
		}
		return slices.Concat(randomLetters(rng, 60, "ACGT"), repeat, randomLetters(rng, 60, "ACGT"))
	})
	c = corpusOf(t, c.Len(), func(i int) []byte {
		if i%6 == 5 {
			return c.Seq(i - 1)[3:]
		}
		return c.Seq(i)
	})
	g := must.Get(duplicates.Finder{Alphabet: stringkernel.DNA, Similarity: 0.8}.Find(t.Context(), c))(t)
	for i, first := range g.Of {
		want := i
		if i%6 == 5 {
			want = i - 1
		}
		if first != want {
			t.Fatalf("record %d is in the group of %d, want %d", i, first, want)
		}
	}
}

// The number of processors changes nothing.
func TestFindThreads(t *testing.T) {
	c := planted(5, 3000, 200, "ACGT", stringkernel.DNA)
	f := duplicates.Finder{Alphabet: stringkernel.DNA, Similarity: 0.6}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	want := must.Get(f.Find(t.Context(), c))(t)
	runtime.GOMAXPROCS(1)
	got, err := f.Find(t.Context(), c)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("other groups with one processor, %v", err)
	}
}

func TestFindEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (duplicates.Finder{Alphabet: stringkernel.DNA, Similarity: 0.8}).Find(ctx,
		planted(1, 100, 100, "ACGT", stringkernel.DNA)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want the context's error", err)
	}
	for want, f := range map[string]duplicates.Finder{
		"similarity = 0, want above 0":      {},
		"similarity = 1.5":                  {Similarity: 1.5},
		`alphabet "xna" is unknown`:         {Alphabet: "xna", Similarity: 0.5},
		"similarity = -1, want above 0 and": {Similarity: -1},
	} {
		if _, err := f.Find(t.Context(), new(stringkernel.Corpus)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestDividedBy(t *testing.T) {
	// Groups {0, 2, 5}, {1, 3} and {4}.
	groups := duplicates.Groups{
		Of:    []int{0, 1, 0, 1, 4, 0},
		Pairs: []duplicates.Pair{{0, 2, 0.9}, {1, 3, 1}, {2, 5, 0.8}},
	}
	for _, c := range []struct {
		fold []int
		want duplicates.Division
	}{
		{[]int{0, 1, 0, 1, 1, 0}, duplicates.Division{}},
		{[]int{0, 1, 0, 1, 1, 1}, duplicates.Division{1, 3, duplicates.Pair{2, 5, 0.8}}},
		{[]int{0, 1, 1, 0, 1, 1}, duplicates.Division{2, 5, duplicates.Pair{0, 2, 0.9}}},
	} {
		if got := groups.DividedBy(c.fold); got != c.want {
			t.Errorf("folds %v: %+v, want %+v", c.fold, got, c.want)
		}
	}
}
