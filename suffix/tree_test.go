package suffix_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/suffix"
)

func always(int) bool { return true }

// wantAll fails unless the tree, the index and the matches of some queries are those of the text by definition.
func wantAll[S suffix.Symbol](t *testing.T, text *suffix.Text[S], maxDepth int, queries ...[]S) {
	t.Helper()
	wantTree(t, text, maxDepth)
	ix, at := wantIndex(t, text, maxDepth), occurrences(text.Symbols, maxDepth)
	for i, q := range queries {
		wantMatches(t, ix, at, q, 1+(len(q)+7*i)%11)
	}
}

func TestTreeExhaustive(t *testing.T) {
	query := []byte{1, 2, 1, 1, 2, 2, 1, 2, 0, 1, 1, 1, 2, 3, 2, 2, 2, 1, 1, 2, 1, 2, 1}
	for n := range 7 {
		eachString(n, 0, 2, func(s []byte) {
			for maxDepth := range 4 {
				wantAll(t, textOf(s, 3, always), maxDepth, query, s)
			}
			wantTree(t, textOf(s, 3, func(i int) bool { return i%2 == 0 }), 0)
		})
	}
	for n := 7; n <= 10; n++ {
		eachString(n, 1, 2, func(s []byte) { wantAll(t, textOf(s, 3, always), n%5) })
	}
}

func TestTreePathological(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for name, s := range pathological(60) {
		t.Run(name, func(t *testing.T) {
			s = s[:min(len(s), 150)]
			for _, maxDepth := range []int{0, 5, 1000} {
				query := mutatedPieces(rng, s, 200, 5)
				wantAll(t, textOf(s, 5, always), maxDepth, s, query)
				wantAll(t, textOf(widen(s), 100, always), maxDepth, widen(query))
			}
		})
	}
}

// randomText has documents of random lengths, copies with changes, empty ones and breaks.
func randomText(rng *rand.Rand, docs, length, sigma int) *suffix.Text[byte] {
	var all [][]byte
	for d := range docs {
		doc := make([]byte, rng.IntN(length))
		for i := range doc {
			doc[i] = byte(1 + rng.IntN(sigma-1))
		}
		if d > 0 && rng.IntN(2) == 0 {
			doc = slices.Clone(all[rng.IntN(d)])
			if len(doc) > 0 {
				doc[rng.IntN(len(doc))] = byte(rng.IntN(sigma))
			}
		}
		all = append(all, doc)
	}
	text, err := newText(all, sigma)
	if err != nil {
		panic(err)
	}
	return text
}

func TestTreeNoDocuments(t *testing.T) {
	text := must(newText[byte](nil, 3))
	if tree := wantTree(t, text, 0); tree.Len() != 1 || tree.Ranks() != 0 {
		t.Errorf("%d nodes, %d ranks, want 1 and 0", tree.Len(), tree.Ranks())
	}
	empty := must(newText(make([][]byte, 5), 1))
	if tree := wantTree(t, empty, 0); tree.Len() != 1 || tree.NumDocs != 5 {
		t.Errorf("%d nodes of %d documents, want 1 of 5", tree.Len(), tree.NumDocs)
	}
}

func TestTextErrors(t *testing.T) {
	for _, c := range []struct {
		text suffix.Text[int32]
		want string
	}{
		{suffix.Text[int32]{}, "sigma = 0"},
		{suffix.Text[int32]{Symbols: []int32{1}, Sigma: 2}, "last document ends at -1, want 0"},
		{suffix.Text[int32]{Symbols: []int32{1, 0}, Ends: []int32{0}, Sigma: 2}, "ends with symbol 1"},
		{suffix.Text[int32]{Symbols: []int32{0, 1, 0}, Ends: []int32{0}, Sigma: 2}, "last document ends at 0, want 2"},
		{suffix.Text[int32]{Symbols: []int32{0, 0}, Ends: []int32{1, 1}, Sigma: 2}, "document 1 ends at 1, want 2 … 1"},
		{suffix.Text[int32]{Symbols: []int32{0, 0}, Ends: []int32{-1, 1}, Sigma: 2}, "document 0 ends at -1"},
		{suffix.Text[int32]{Symbols: []int32{0, 0}, Ends: []int32{0, 2}, Sigma: 2}, "document 1 ends at 2"},
		{suffix.Text[int32]{Symbols: []int32{7, 0}, Ends: []int32{1}, Sigma: 2}, "symbol 7 at position 0"},
		{suffix.Text[int32]{Symbols: []int32{-1, 0}, Ends: []int32{1}, Sigma: 2}, "symbol -1 at position 0"},
	} {
		for _, err := range []error{c.text.Check(), second(suffix.NewTree(ctx, &c.text, 0)),
			second(suffix.NewIndex(ctx, &c.text, 0))} {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v: error %v, want one with %q", c.text, err, c.want)
			}
		}
	}
	if _, err := newText([][]byte{{1}, {1, 9}}, 5); err == nil || !strings.Contains(err.Error(), "document 1") {
		t.Errorf("error %v, want one naming document 1", err)
	}
	if _, err := newText[byte](nil, 0); err == nil {
		t.Error("no error for sigma = 0")
	}
	text := must(newText([][]byte{{1, 2}, {}, {2}}, 3))
	if _, err := suffix.NewTree(ctx, text, -1); err == nil {
		t.Error("no error for maxDepth = -1")
	}
	if want := []byte{1, 2, 0, 0, 2, 0}; !slices.Equal(text.Symbols, want) || text.NumDocs() != 3 {
		t.Errorf("text %v of %d documents, want %v of 3", text.Symbols, text.NumDocs(), want)
	}
}
