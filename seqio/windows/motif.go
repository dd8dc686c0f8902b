package windows

import (
	"fmt"
	"strings"
)

// Motif is a consensus in IUPAC nucleotide codes, such as GT, or GY for GT and GC. The empty motif is anywhere.
type Motif string

// codeBases are the bases that a code stands for, as bits of A, C, G and T.
var codeBases = map[byte]byte{
	'A': 1, 'C': 2, 'G': 4, 'T': 8, 'U': 8,
	'R': 1 | 4, 'Y': 2 | 8, 'S': 2 | 4, 'W': 1 | 8, 'K': 4 | 8, 'M': 1 | 2,
	'B': 2 | 4 | 8, 'D': 1 | 4 | 8, 'H': 1 | 2 | 8, 'V': 1 | 2 | 4, 'N': 15,
}

// baseBits are the bits of the letters of a genome; letters but A, C, G and T match nothing.
var baseBits = [256]byte{'A': 1, 'C': 2, 'G': 4, 'T': 8}

// Check returns an error unless every letter is an upper-case IUPAC code.
func (m Motif) Check() error {
	for _, b := range []byte(m) {
		if codeBases[b] == 0 {
			return fmt.Errorf("consensus %q, want IUPAC codes of bases, such as GT or GY", string(m))
		}
	}
	return nil
}

// ParseMotif reads a motif in either case.
func ParseMotif(text string) (Motif, error) {
	m := Motif(strings.ToUpper(text))
	return m, m.Check()
}

// masks returns the bits of each place, and those of the reverse complement.
func (m Motif) masks() (forward, reverse []byte) {
	n := len(m)
	forward, reverse = make([]byte, n), make([]byte, n)
	for i := range n {
		bits := codeBases[m[i]]
		forward[i] = bits
		reverse[n-1-i] = bits&1<<3 | bits&2<<1 | bits&4>>1 | bits&8>>3
	}
	return forward, reverse
}

// matches reports whether letters, which are as many as the masks or more, begin with the motif.
func matches(masks, letters []byte) bool {
	for i, bits := range masks {
		if baseBits[letters[i]]&bits == 0 {
			return false
		}
	}
	return true
}
