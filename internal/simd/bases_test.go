package simd

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// alphabets are the nucleotides by the fourth, in order of their codes.
var alphabets = map[byte]string{'T': "ACGT", 'U': "ACGU"}

// TestBases compares packed letters with their codes: every byte at every place.
func TestBases(t *testing.T) {
	for fourth, letters := range alphabets {
		for place := range BasesAtOnce {
			for b := range 256 {
				x := make([]byte, BasesAtOnce)
				for i := range x {
					x[i] = letters[(b+3*i)%4]
				}
				x[place] = byte(b)
				want, inside := uint64(0), true
				for _, b := range x {
					code := strings.IndexByte(letters, b)
					want, inside = want<<2|uint64(code), inside && code >= 0
				}
				got, wrong := Bases(binary.LittleEndian.Uint64(x), fourth)
				if inside != (wrong == 0) || inside && got != want {
					t.Fatalf("%q: %x, wrong %x, want %x, inside %v", x, got, wrong, want, inside)
				}
			}
		}
	}
}

// TestPackBases compares whole texts with their letters one by one: every byte at places that take turns, and texts of
// nucleotides alone.
func TestPackBases(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for fourth, letters := range alphabets {
		for round := range 4000 {
			x := make([]byte, r.IntN(150))
			for i := range x {
				x[i] = letters[r.IntN(4)]
			}
			if len(x) > 0 && round%8 > 0 {
				x[r.IntN(len(x))] = byte(round)
			}
			inside := slices.IndexFunc(x, func(b byte) bool { return strings.IndexByte(letters, b) < 0 })
			if inside < 0 {
				inside = len(x)
			}
			want := inside
			if inside < len(x) {
				want -= inside % BasesAtOnce
			}
			dst := make([]byte, (len(x)+7)/8*2+1)
			dst[len(dst)-1] = 7
			if n := PackBases(dst, x, fourth); n != want || dst[len(dst)-1] != 7 {
				t.Fatalf("%q: %d packed, want %d; after them %d", x, n, want, dst[len(dst)-1])
			}
			if n := CountBases(x, fourth); n != want {
				t.Fatalf("%q: %d counted, want %d", x, n, want)
			}
			for i := range (want + BasesAtOnce - 1) / BasesAtOnce * BasesAtOnce {
				code := 0
				if i < want {
					code = strings.IndexByte(letters, x[i])
				}
				if got := int(dst[i/4] >> (6 - 2*(i%4)) & 3); got != code {
					t.Fatalf("%q: letter %d is %d, want %d", x, i, got, code)
				}
			}
		}
	}
}
