package simd

import (
	"encoding/binary"
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
