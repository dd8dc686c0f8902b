package gapped

import (
	"math/bits"

	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// coder lists the k-mers of a sequence, each as a packed code (Alphabet.Bits per letter, the first letter highest), in
// which distances are counted, and as a number below σ^l, the place in a table. On an alphabet of 4 letters the two are
// the same.
type coder struct {
	code   *[256]int16
	sigma  int
	length int
	fold   int    // bits per letter
	folds  [3]int // shifts that gather the bits of a letter in the lowest, each of all that the ones before gathered
	mask   uint64 // the lowest bit of each letter
	all    uint64 // all bits of a k-mer
	top    uint32 // σ^(l−1); 0 if k-mers have no places in a table
	kmers  kmer.Coder
}

func newCoder(a stringkernel.Alphabet, length int) coder {
	c := coder{code: a.Codes(), sigma: a.Size(), length: length, fold: a.Bits(), top: 1,
		kmers: kmer.New(a, length)}
	for i, gathered := 0, 1; i < len(c.folds); i++ {
		c.folds[i] = min(gathered, c.fold-gathered)
		gathered += c.folds[i]
	}
	for i := range length {
		c.mask |= 1 << (c.fold * i)
		if i > 0 {
			if c.top > maxTable/uint32(c.sigma) {
				c.top = 0
			}
			c.top *= uint32(c.sigma)
		}
	}
	c.all = c.kmers.Mask
	return c
}

// each calls visit for every k-mer of x, in order, with its 0-based position. Letters outside the alphabet break
// k-mers.
func (c *coder) each(x []byte, visit func(i int, packed uint64, place uint32)) {
	packed, place, run := uint64(0), uint32(0), 0
	for i, b := range x {
		d := c.code[b]
		if d < 0 {
			run, place = 0, 0
			continue
		}
		packed = (packed<<c.fold | uint64(d)) & c.all
		if c.sigma == 4 {
			place = uint32(packed)
		} else if c.top > 0 {
			place = place%c.top*uint32(c.sigma) + uint32(d)
		}
		if run++; run >= c.length {
			visit(i-c.length+1, packed, place)
		}
	}
}

// place returns the place in a table of a packed k-mer, 0 if k-mers have none.
func (c *coder) place(packed uint64) (place uint32) {
	if c.sigma == 4 || c.top == 0 {
		return uint32(packed) * min(c.top, 1)
	}
	letter := uint64(1)<<c.fold - 1
	for shift := c.fold * (c.length - 1); shift >= 0; shift -= c.fold {
		place = place*uint32(c.sigma) + uint32(packed>>shift&letter)
	}
	return place
}

// distance returns the Hamming distance of two packed k-mers.
func (c *coder) distance(u, v uint64) int { return bits.OnesCount64(c.folded(u^v) & c.mask) }

// folded gathers the bits of each letter in its lowest bit. Other bits are arbitrary.
func (c *coder) folded(d uint64) uint64 {
	d |= d >> (c.folds[0] & 63)
	d |= d >> (c.folds[1] & 63)
	return d | d>>(c.folds[2]&63)
}

// reverseComplement returns the packed code of the reverse complement of a k-mer of nucleotides: letters in reverse
// order, each the complement.
func (c *coder) reverseComplement(packed uint64) uint64 {
	return kmer.ReverseComplement(packed, c.length)
}
