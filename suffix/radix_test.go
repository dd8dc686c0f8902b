package suffix_test

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/suffix"
)

// wantRadix compares a tree with suffixes that are sorted by comparing them, and with their common prefixes.
func wantRadix(t *testing.T, symbols []byte, sigma, maxDepth int) {
	t.Helper()
	want := slices.DeleteFunc(naiveArray(symbols), func(p int32) bool { return symbols[p] == 0 })
	tree := must(suffix.NewTree(ctx, textOf(symbols[:len(symbols)-1], sigma, always), maxDepth))
	if !slices.Equal(tree.SA, want) {
		t.Fatalf("%.100v, sigma %d:\ngot  %.200v\nwant %.200v", symbols, sigma, tree.SA, want)
	}
	lcp := make([]int32, len(want))
	for v := range tree.Len() { // deeper nodes come after those above them
		for r := tree.Lo[v] + 1; r < tree.Hi[v]; r++ {
			lcp[r] = tree.Depth[v]
		}
	}
	if want := naiveLCP(symbols, want, maxDepth); !slices.Equal(lcp, want) {
		t.Fatalf("%.100v, sigma %d: common prefixes:\ngot  %.200v\nwant %.200v", symbols, sigma, lcp, want)
	}
}

// Repeats longer than a word, breaks, runs of few symbols, on any number of processors.
func TestRadixOfLongTexts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, procs := range []int{1, 3} {
		func() {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			for _, sigma := range []int{2, 3, 5, 21, 32, 100, 255} {
				text := make([]byte, 10_000)
				for i := range text {
					text[i] = byte(1 + rng.IntN(sigma-1))
					if i%500 == 499 || rng.IntN(1000) == 0 {
						text[i] = 0
					}
				}
				for range 8 {
					at, from := rng.IntN(9_000), rng.IntN(9_000)
					copy(text[at:at+rng.IntN(200)], text[from:])
					clear(text[rng.IntN(9_000):][:rng.IntN(30)])
				}
				wantRadix(t, append(text, 0), sigma, 0)
				wantRadix(t, append(text, 0), sigma, 9)
			}
		}()
	}
	for _, s := range pathological(300) {
		wantRadix(t, append(s, 0), int(slices.Max(s))+1, 0)
	}
}

// periodic repeats a 1 before a number of breaks, and ends with a 1 before one break.
func periodic(breaks, times int) []byte {
	return append(bytes.Repeat(append([]byte{1}, make([]byte, breaks)...), times), 1, 0)
}

// Suffixes that end where others go on with breaks.
func TestRadixOfBreaks(t *testing.T) {
	for breaks := range 70 {
		for times := range 6 {
			wantRadix(t, periodic(breaks, times), 5, 0)
			wantRadix(t, append(periodic(breaks, times), periodic(70-breaks, times)...), 2, 3)
		}
	}
}
