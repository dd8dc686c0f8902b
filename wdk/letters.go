package wdk

import (
	"math/bits"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// packing is how a scorer packs letters into words of 32 bits, the first letter highest: the letters of an alphabet, or of all bytes those that occur in the
// support vectors.
type packing struct {
	digit [256]int16 // of a byte, Outside for letters that match nothing
	bits  int        // of a letter
}

func newPacking(a stringkernel.Alphabet, sv *stringkernel.Corpus) packing {
	if a != stringkernel.Bytes && a != "" {
		return packing{*a.Codes(), a.Bits()}
	}
	var p packing
	for b := range p.digit {
		p.digit[b] = stringkernel.Outside
	}
	count := int16(0)
	for i := range sv.Len() {
		for _, b := range sv.Seq(i) {
			if p.digit[b] == stringkernel.Outside {
				p.digit[b] = count
				count++
			}
		}
	}
	p.bits = max(1, bits.Len16(uint16(max(0, count-1))))
	return p
}

// letters is the number of letters in 32 bits: 16 of dna, 6 of protein, 4 or more bytes.
func (p *packing) letters() int { return 32 / p.bits }

// push puts a letter before a packed word. The bits behind the last letter that has room stay 0.
func (p *packing) push(word uint32, digit int16) uint32 {
	room := uint(p.bits * p.letters())
	return (word>>p.bits | uint32(digit)<<(32-p.bits)) &^ (1<<(32-room) - 1)
}

// code returns the first n letters of a packed word as a number.
func (p *packing) code(word uint32, n int) int { return int(uint64(word) >> (32 - p.bits*n)) }

// pack returns the letters of x, as many as have room, all of which belong to the alphabet.
func (p *packing) pack(x []byte) uint32 {
	word := uint32(0)
	for i := min(len(x), p.letters()) - 1; i >= 0; i-- {
		word = p.push(word, p.digit[x[i]])
	}
	return word
}
