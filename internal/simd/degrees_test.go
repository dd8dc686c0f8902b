package simd

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAddDegrees counts matches by each set of loops, and letter by letter. Letters are few and windows alike, so that
// matches are long; a letter may match nothing.
func TestAddDegrees(t *testing.T) {
	defer func(before func(dst []float64, x, windows, masks []uint64, words, planes, d int, by float64)) {
		addDegrees = before
	}(addDegrees)
	r := rand.New(rand.NewPCG(27, 11))
	for _, length := range []int{1, 63, 64, 65, 141, 192, 193, 256, 257, 400} {
		for _, n := range []int{0, 1, 7, 8, 9, 24} {
			for _, depth := range []int{1, 2, 5} {
				for _, outside := range []int{0, 1} {
					d := 1 + r.IntN(12)
					if r.IntN(3) == 0 {
						d += []int{length, 1 << 30}[r.IntN(2)] // sums of more than 32 bits, too
					}
					x, windows := similarWindows(r, n, length, depth, outside > 0)
					words := (length + 63) / 64
					masks := make([]uint64, (WindowsAtOnce+1)*words)
					planes := planesOf(x, words, depth, depth+1)
					blocks := blocksOf(windows, words, depth, depth+outside)
					by, before := r.NormFloat64(), make([]float64, n)
					for j := range before {
						before[j] = r.NormFloat64()
					}
					want := slices.Clone(before)
					for j, y := range windows {
						want[j] += float64(by * float64(degreesByLetter(x, y, d)))
					}
					for name, loop := range degreesSets {
						addDegrees = loop
						got := slices.Clone(before)
						AddDegrees(got, planes, blocks, masks, words, d, by)
						checkEqual(t, fmt.Sprintf("%s: %d windows of %d letters of %d bits, outside %v, d = %d", name, n,
							length, depth, outside, d), got, want)
					}
				}
			}
		}
	}
}

// similarWindows draws a window and n more, most letters of which are its own; −1 matches nothing.
func similarWindows(r *rand.Rand, n, length, depth int, outside bool) (x []int, windows [][]int) {
	letter := func() int {
		if r.IntN(20) == 0 {
			return -1
		}
		return r.IntN(1 << depth)
	}
	for range length {
		x = append(x, letter())
	}
	for range n {
		y, same := make([]int, length), r.IntN(10)
		for p := range y {
			if y[p] = x[p]; r.IntN(10) > same {
				y[p] = letter()
			}
			if y[p] < 0 && !outside {
				y[p] = r.IntN(1 << depth)
			}
		}
		windows = append(windows, y)
	}
	return x, windows
}

// degreesByLetter adds up the weights of matches by the letter that they begin with.
func degreesByLetter(x, y []int, d int) (sum int) {
	for p := range x {
		for k := 0; k < d && p+k < len(x) && x[p+k] == y[p+k] && x[p+k] >= 0; k++ {
			sum += d - k
		}
	}
	return sum
}

// planesOf returns the first planes of a window.
func planesOf(x []int, words, depth, planes int) []uint64 {
	bits := make([]uint64, (depth+1)*words)
	for p := range 64 * words {
		w, bit := p%words, uint64(1)<<(p/words)
		if p >= len(x) || x[p] < 0 {
			bits[depth*words+w] |= bit
			continue
		}
		for plane := range depth {
			bits[plane*words+w] |= bit * uint64(x[p]>>plane&1)
		}
	}
	return bits[:planes*words]
}

// blocksOf returns the planes of windows, eight at a time.
func blocksOf(windows [][]int, words, depth, planes int) []uint64 {
	size := words * planes
	blocks := make([]uint64, (len(windows)+WindowsAtOnce-1)/WindowsAtOnce*WindowsAtOnce*size)
	for j, y := range windows {
		for at, bits := range planesOf(y, words, depth, planes) {
			blocks[(j/WindowsAtOnce*size+at)*WindowsAtOnce+j%WindowsAtOnce] = bits
		}
	}
	return blocks
}
