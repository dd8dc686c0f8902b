package gapped

import (
	"encoding/binary"
	"math/bits"

	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/simd"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// coder lists the k-mers of a sequence, each as a packed code (Alphabet.Bits per letter, the first letter highest), in
// which distances are counted, and as a number below σ^l, the place in a table. On an alphabet of 4 letters the two are
// the same.
type coder struct {
	code   *[256]int16
	sigma  int
	fourth byte // kmer.Fourth
	length int
	fold   int    // bits per letter
	folds  [3]int // shifts that gather the bits of a letter in the lowest, each of all that the ones before gathered
	mask   uint64 // the lowest bit of each letter
	all    uint64 // all bits of a k-mer
	top    uint32 // σ^(l−1); 0 if k-mers have no places in a table
	kmers  kmer.Coder
	half   uint32 // if not 0, list turns k-mers whose places have this bit
}

func newCoder(a stringkernel.Alphabet, length int) coder {
	c := coder{code: a.Codes(), sigma: a.Size(), fourth: kmer.Fourth(a), length: length, fold: a.Bits(), top: 1,
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

// lookUp writes the entry of a table for each k-mer of x into dst, one per place, 0 where a letter breaks. K-mers are
// found first and then looked up in a loop so short that the reads of many are in flight together.
func (c *coder) lookUp(dst, table []float64, x []byte) {
	var places [placesAtOnce]uint32
	for lo := 0; lo < len(dst); lo += placesAtOnce {
		hi := min(lo+placesAtOnce, len(dst))
		part, piece := places[:hi-lo], x[lo:hi+c.length-1]
		whole := c.list(part, piece)
		read(dst[lo:hi], table, part)
		if !whole {
			c.clearBroken(dst[lo:hi], piece)
		}
	}
}

// list writes the place in a table of each k-mer of x or of its reverse complement, if these have one entry, arbitrary
// ones where a letter breaks, and reports whether none does.
func (c *coder) list(places []uint32, x []byte) (whole bool) {
	if c.sigma != 4 {
		clear(places)
		found := 0
		c.each(x, func(i int, _ uint64, place uint32) {
			places[i] = place
			found++
		})
		return found == len(places)
	}
	mer, all, before, i := uint64(0), uint32(c.all), c.length-1, 0
	for ; c.fourth != 0 && i+simd.BasesAtOnce <= len(x); i += simd.BasesAtOnce {
		codes, wrong := simd.Bases(binary.LittleEndian.Uint64(x[i:]), c.fourth)
		if wrong != 0 {
			break
		}
		mer = mer<<16 | codes
		if i < before {
			for j := before; j < i+8; j++ {
				places[j-before] = uint32(mer>>(2*(i+7-j)&63)) & all
			}
			continue
		}
		out := places[i-before:][:8]
		out[0], out[1], out[2], out[3] = uint32(mer>>14)&all, uint32(mer>>12)&all, uint32(mer>>10)&all, uint32(mer>>8)&all
		out[4], out[5], out[6], out[7] = uint32(mer>>6)&all, uint32(mer>>4)&all, uint32(mer>>2)&all, uint32(mer)&all
	}
	breaks := int16(0)
	for ; i < len(x); i++ {
		d := c.code[x[i]]
		breaks |= d
		if mer = mer<<2 | uint64(d&3); i >= before {
			places[i-before] = uint32(mer) & all
		}
	}
	if c.half != 0 {
		c.turn(places)
	}
	return breaks >= 0
}

// turnedLength is the length of k-mers for which reading half of a table pays, 16 MB of 32: with a shorter one all of
// it is in the second or third cache, with a longer one neither half is.
const turnedLength = 11

// middleBit returns a bit of the middle letter of an odd number of nucleotides, which the complement does not have.
func middleBit(length int) uint32 { return 1 << length }

// turn replaces the places of successive k-mers that have the bit c.half by those of their reverse complements, which
// have not.
func (c *coder) turn(places []uint32) {
	if len(places) == 0 {
		return
	}
	half, first := c.half, 2*(c.length-1)&31
	turned := uint32(c.reverseComplement(uint64(places[0]))) << 2
	for i, place := range places {
		turned = turned>>2 | (^place&3)<<first
		if place&half != 0 {
			place = turned
		}
		places[i] = place
	}
}

// clearBroken sets to 0 what belongs to places that a letter breaks.
func (c *coder) clearBroken(dst []float64, x []byte) {
	run := 0
	for i, b := range x {
		if run++; c.code[b] < 0 {
			run = 0
		}
		if at := i - c.length + 1; at >= 0 && run < c.length {
			dst[at] = 0
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
