package suffix

import (
	"bytes"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// wantRadix compares with suffixes that were sorted by comparing them.
func wantRadix(t *testing.T, text []byte, sigma, maxDepth int) {
	t.Helper()
	sa := naiveArray(text)
	sa = slices.DeleteFunc(sa, func(p int32) bool { return text[p] == 0 })
	limit, _ := depthLimit(maxDepth)
	got, lcp := radixSort(ctx, text, sigma, limit, math.MaxInt32)
	if !slices.Equal(got, sa) {
		t.Fatalf("%.100v, sigma %d:\ngot  %.200v\nwant %.200v", text, sigma, got, sa)
	}
	if want := naiveLCP(text, sa, maxDepth); !slices.Equal(lcp, want) {
		t.Fatalf("%.100v, sigma %d: common prefixes:\ngot  %.200v\nwant %.200v", text, sigma, lcp, want)
	}
}

func TestRadixExhaustive(t *testing.T) {
	for n := range 7 {
		eachString(n, 0, 2, func(s []byte) { wantRadix(t, append(s, 0), 3, n%3) })
	}
	for n := range 11 {
		eachString(n, 0, 1, func(s []byte) { wantRadix(t, append(s, 0), 2+n%4, 0) })
	}
}

// Repeats longer than a word, breaks, runs of few symbols, on any number of processors.
func TestRadixOfLongTexts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, procs := range []int{1, 3} {
		func() {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			for _, sigma := range []int{2, 3, 5, 21, 32, 100, 255} {
				text := make([]byte, 20_000)
				for i := range text {
					text[i] = byte(1 + rng.IntN(sigma-1))
					if i%500 == 499 || rng.IntN(1000) == 0 {
						text[i] = 0
					}
				}
				for range 8 {
					at, from := rng.IntN(19_000), rng.IntN(19_000)
					copy(text[at:at+rng.IntN(200)], text[from:])
					clear(text[rng.IntN(19_000):][:rng.IntN(30)])
				}
				wantRadix(t, append(text, 0), sigma, 0)
				wantRadix(t, append(text, 0), sigma, 9)
			}
		}()
	}
	lengths := []int{300, radixLeast}
	if testing.Short() {
		lengths = lengths[:1]
	}
	for _, length := range lengths {
		for name, s := range pathological(length) {
			t.Logf("%s, %d letters", name, len(s))
			wantRadix(t, append(s, 0), int(slices.Max(s))+1, 0)
		}
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

// Many long repeats are left to induced sorting, also those that a shorter suffix begins with: they are not compared
// letter by letter.
func TestRadixGivesUp(t *testing.T) {
	for _, breaks := range []int{0, 1, 30, 100} {
		if sa, _ := radixSort(ctx, periodic(breaks, 1_000_000/(1+breaks)), 5, math.MaxInt32, radixWords); sa != nil {
			t.Errorf("%d breaks after each letter: sorted by words", breaks)
		}
	}
	text := dnaText(40_000)
	text = append(append(text, text...), 0)
	if sa, _ := radixSort(ctx, text, 5, math.MaxInt32, 1); sa != nil {
		t.Error("the text twice was sorted by words")
	}
	if sa, _ := radixSort(ctx, append(text[:40_000:40_000], 0), 5, math.MaxInt32, 1); sa == nil {
		t.Error("the text was not sorted by words")
	}
}
