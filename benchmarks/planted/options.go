package planted

import (
	"cmp"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/iupac"
)

// Options describe a set. Zero values of the fields below Length are useful: one
// exact copy per positive sequence of a random motif of DefaultWidth bases, on one
// strand, in a uniform background, with no label noise.
type Options struct {
	N           int     // records, ≥ 1; N·Length is below 2³¹
	Length      int     // bases per record, ≥ 1
	Motif       string  // IUPAC letters in either case, U for T; "" draws one of DefaultWidth bases
	Mutations   int     // bases substituted in every copy, 0 … width of the motif
	Copies      int     // copies per positive record; 0 means 1
	BothStrands bool    // plant each copy on a random strand
	Order       int     // of the background's Markov chain, 0 … MaxOrder
	GC          int     // weight of G and C in per cent, 1 … 99; 0 means 50
	Flip        float64 // share of labels inverted in each class, 0 … 1
	Seed        uint64  // of the random numbers
}

const (
	// DefaultWidth is the width of a motif that Generate draws itself.
	DefaultWidth = 12
	// MaxOrder is the highest order of the background; it needs 4^(order+1) weights.
	MaxOrder = 8
)

// Check reports the first option that is out of range, naming what was expected.
func (o Options) Check() error {
	o, width := o.filled()
	switch {
	case o.N < 1:
		return fmt.Errorf("planted: %d records, want ≥ 1", o.N)
	case o.Length < 1:
		return fmt.Errorf("planted: length %d, want ≥ 1", o.Length)
	case o.Length > math.MaxInt32/o.N:
		return fmt.Errorf("planted: %d records of %d bases, want a total ≤ %d", o.N, o.Length, math.MaxInt32)
	case o.Copies < 0:
		return fmt.Errorf("planted: %d copies, want ≥ 0", o.Copies)
	case o.Copies > o.Length/width:
		return fmt.Errorf("planted: %d copies of a motif of %[2]d in length %[3]d, want %[2]d × copies ≤ length",
			o.Copies, width, o.Length)
	case o.Mutations < 0 || o.Mutations > width:
		return fmt.Errorf("planted: %d mutations, want 0 … %d, the motif's width", o.Mutations, width)
	case o.Order < 0 || o.Order > MaxOrder:
		return fmt.Errorf("planted: order %d, want 0 … %d", o.Order, MaxOrder)
	case o.GC < 0 || o.GC > 99:
		return fmt.Errorf("planted: GC %d, want 1 … 99, or 0 for 50", o.GC)
	case !(o.Flip >= 0 && o.Flip <= 1): // also refuses NaN
		return fmt.Errorf("planted: flipped share %v, want 0 … 1", o.Flip)
	}
	return checkMotif(o.Motif)
}

// checkMotif wants IUPAC letters.
func checkMotif(motif string) error {
	for i, letter := range []byte(motif) {
		if letter >= 'a' && letter <= 'z' { // not by strings.ToUpper, which makes an S of a long ſ
			letter -= 'a' - 'A'
		}
		if iupac.Bases(letter) == "" {
			return fmt.Errorf("planted: motif %q: byte %d: want an IUPAC letter of ACGTURYSWKMBDHVN", motif, i+1)
		}
	}
	return nil
}

// filled returns the options with their defaults, and the width of the motif.
func (o Options) filled() (Options, int) {
	o.Copies, o.GC = cmp.Or(o.Copies, 1), cmp.Or(o.GC, 50)
	return o, cmp.Or(len(o.Motif), DefaultWidth)
}
