package windows

import (
	"fmt"
	"strings"

	"github.com/seqsvm/seqsvm/internal/iupac"
)

// Motif is a consensus in IUPAC nucleotide codes, such as GT, or GY for GT and GC. The empty motif is anywhere.
type Motif string

// baseBits are the bits of the letters of a genome; letters but A, C, G and T match nothing.
var baseBits = [256]byte{'A': 1, 'C': 2, 'G': 4, 'T': 8}

// Check returns an error unless every letter is an upper-case IUPAC code.
func (m Motif) Check() error {
	for _, b := range []byte(m) {
		if iupac.Bases(b) == "" {
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
		var bits byte
		for _, b := range []byte(iupac.Bases(m[i])) {
			bits |= baseBits[b]
		}
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
