package gapped

import (
	"math/bits"

	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// maxTable bounds the k-mers of a table, 8 bytes each.
const maxTable = 100_000_000

// coder has the k-mers of a sequence as packed codes (Alphabet.Bits per letter, the first letter highest), in which
// distances are counted, and as numbers below σ^l, the places in a table. On an alphabet of 4 letters the two are the
// same.
type coder struct {
	kmers     kmer.Coder
	sigma     int
	length    int
	bits      int    // of a letter
	gathering [3]int // shifts that gather the bits of a letter in the lowest, each of all that the ones before gathered
	lowest    uint64 // the lowest bit of each letter
	all       uint64 // all bits of a k-mer
	size      int    // σ^l; 0 if there is no table for all k-mers
}

func newCoder(a stringkernel.Alphabet, length int) coder {
	c := coder{kmers: kmer.New(a, length), sigma: a.Size(), length: length, bits: a.Bits(), size: 1}
	for i, gathered := 0, 1; i < len(c.gathering); i++ {
		c.gathering[i] = min(gathered, c.bits-gathered)
		gathered += c.gathering[i]
	}
	for i := range length {
		c.lowest |= 1 << (c.bits * i)
		if c.size *= c.sigma; c.size > maxTable {
			c.size = 0
		}
	}
	c.all = c.kmers.Mask
	return c
}

// place returns the place in a table of a packed k-mer.
func (c *coder) place(packed uint64) (place int) {
	if c.sigma == 1<<c.bits {
		return int(packed)
	}
	letter := uint64(1)<<c.bits - 1
	for shift := c.bits * (c.length - 1); shift >= 0; shift -= c.bits {
		place = place*c.sigma + int(packed>>shift&letter)
	}
	return place
}

// packed returns the packed code of the k-mer at a place of a table.
func (c *coder) packed(place int) (code uint64) {
	if c.sigma == 1<<c.bits {
		return uint64(place)
	}
	for shift := 0; shift < c.bits*c.length; shift += c.bits {
		code |= uint64(place%c.sigma) << shift
		place /= c.sigma
	}
	return code
}

// distance returns the Hamming distance of two packed k-mers.
func (c *coder) distance(u, v uint64) int { return bits.OnesCount64(c.gathered(u^v) & c.lowest) }

// gathered returns d with the or of the bits of each letter in its lowest bit. Other bits are arbitrary.
func (c *coder) gathered(d uint64) uint64 {
	d |= d >> (c.gathering[0] & 63)
	d |= d >> (c.gathering[1] & 63)
	return d | d>>(c.gathering[2]&63)
}

// reverseComplement returns the packed code of the reverse complement of a k-mer of nucleotides: letters in reverse
// order, each the complement.
func (c *coder) reverseComplement(packed uint64) uint64 {
	return kmer.ReverseComplement(packed, c.length)
}

// spread returns the bits of the letters at positions.
func (c *coder) spread(positions uint64) uint64 {
	letter, letters := uint64(1)<<c.bits-1, uint64(0)
	for p := positions; p != 0; p &= p - 1 {
		letters |= letter << (c.bits * bits.TrailingZeros64(p))
	}
	return letters
}

// spreadOver adds equal shares of a value to the letters of a k-mer that are chosen, all of them if none is. Letters
// are marked by their lowest bits.
func (c *coder) spreadOver(dst []float64, letters uint64, value float64) {
	letters &= c.lowest
	if letters == 0 {
		letters = c.lowest
	}
	value /= float64(bits.OnesCount64(letters))
	for ; letters != 0; letters &= letters - 1 {
		dst[c.length-1-bits.TrailingZeros64(letters)/c.bits] += value
	}
}

// mirrored returns the letters of a mask in reverse order. Nucleotides only.
func (c *coder) mirrored(letters uint64) uint64 { return c.reverseComplement(^letters) }

// agreeing marks the letters in which two k-mers with that difference agree.
func (c *coder) agreeing(difference uint64) uint64 { return ^c.gathered(difference) & c.lowest }
