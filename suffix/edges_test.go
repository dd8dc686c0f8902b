package suffix_test

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/suffix"
)

// wantEdgesOf compares with a count of all substrings: each is on one edge, among as many occurrences.
func wantEdgesOf[S suffix.Symbol](t *testing.T, text *suffix.Text[S], maxDepth int) {
	t.Helper()
	if maxDepth == 0 {
		maxDepth = len(text.Symbols)
	}
	want, got := map[string]int32{}, map[string]int32{}
	key := func(symbols []S) string {
		var b bytes.Buffer
		for _, s := range symbols {
			b.WriteRune(rune(s))
		}
		return b.String()
	}
	for p := range text.Symbols {
		for l := 1; l <= maxDepth && p+l <= len(text.Symbols) && text.Symbols[p+l-1] != 0; l++ {
			want[key(text.Symbols[p:p+l])]++
		}
	}
	edges := must(suffix.Edges(ctx, text, maxDepth))
	for e := range edges {
		for l := e.Above + 1; l <= e.Below; l++ {
			s := key(text.Symbols[e.Start:][:l])
			if _, twice := got[s]; twice {
				t.Fatalf("%v, depth %d: %q is on two edges", text.Symbols, maxDepth, s)
			}
			got[s] = e.Count
		}
	}
	if !maps.Equal(got, want) {
		t.Fatalf("%v, depth %d:\ngot  %v\nwant %v", text.Symbols, maxDepth, got, want)
	}
}

func TestEdges(t *testing.T) {
	for n := range 7 {
		eachString(n, 0, 2, func(s []byte) {
			for maxDepth := range 4 {
				wantEdgesOf(t, textOf(s, 3, always), maxDepth)
			}
		})
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		wantEdgesOf(t, randomText(rng, 1+rng.IntN(12), 1+rng.IntN(25), 2+rng.IntN(6)), rng.IntN(6))
	}
	for _, s := range pathological(60) {
		wantEdgesOf(t, textOf(widen(s[:min(len(s), 150)]), 9, always), 0)
	}
	wantEdgesOf(t, textOf(bytes.Repeat([]byte{1}, 400), 2, always), 0) // sorted by induction
}

// A caller may stop before the last edge.
func TestEdgesStop(t *testing.T) {
	edges := must(suffix.Edges(ctx, textOf([]byte{1, 2, 1, 2, 1}, 3, always), 0))
	all := slices.Collect(edges)
	for n := range all {
		var some []suffix.Edge
		for e := range edges {
			if some = append(some, e); len(some) == n+1 {
				break
			}
		}
		if !slices.Equal(some, all[:n+1]) {
			t.Errorf("%d edges: got %v, want %v", n+1, some, all[:n+1])
		}
	}
	if _, err := suffix.Edges(ctx, textOf([]byte{1}, 2, always), -1); err == nil {
		t.Error("depth -1: no error")
	}
}
