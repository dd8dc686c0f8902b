package kmer

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestBases compares packed letters with the codes of the alphabet: every byte at every place.
func TestBases(t *testing.T) {
	for _, a := range []stringkernel.Alphabet{stringkernel.DNA, stringkernel.RNA} {
		codes, letters := a.Codes(), a.Letters()
		for place := range BasesAtOnce {
			for b := range 256 {
				x := make([]byte, BasesAtOnce)
				for i := range x {
					x[i] = letters[(b+3*i)%4]
				}
				x[place] = byte(b)
				want, inside := uint64(0), true
				for _, b := range x {
					want, inside = want<<2|uint64(codes[b]), inside && codes[b] != stringkernel.Outside
				}
				got, wrong := Bases(binary.LittleEndian.Uint64(x), letters[3])
				if inside != (wrong == 0) || inside && got != want {
					t.Fatalf("%s %q: %x, wrong %x, want %x, inside %v", a, x, got, wrong, want, inside)
				}
			}
		}
	}
}

// TestPackBases compares whole texts with their letters one by one.
func TestPackBases(t *testing.T) {
	r, codes := rand.New(rand.NewPCG(1, 2)), stringkernel.DNA.Codes()
	for range 1000 {
		x := make([]byte, r.IntN(60))
		for i := range x {
			if x[i] = "ACGT"[r.IntN(4)]; r.IntN(200) == 0 {
				x[i] = "Nacgtu-"[r.IntN(7)]
			}
		}
		inside := 0
		for inside < len(x) && codes[x[inside]] != stringkernel.Outside {
			inside++
		}
		want, dst := inside/BasesAtOnce*BasesAtOnce, make([]byte, len(x)/4+1)
		if n := PackBases(dst, x, 'T'); n != want {
			t.Fatalf("%q: %d packed, want %d", x, n, want)
		}
		if n := CountBases(x, 'T'); n != want {
			t.Fatalf("%q: %d counted, want %d", x, n, want)
		}
		for i, b := range x[:want] {
			if got := dst[i/4] >> (6 - 2*(i%4)) & 3; int16(got) != codes[b] {
				t.Fatalf("%q: letter %d is %d, want %d", x, i, got, codes[b])
			}
		}
	}
}
