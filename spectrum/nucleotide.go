package spectrum

import "encoding/binary"

// Eight nucleotides at a time. In ASCII the bits 2 and 1 of A, C, G and T or U are 00, 01, 11 and 10, which a Gray
// decoding turns into the codes 0…3; all other bits follow from these two, so that comparing with the letters rebuilt
// from the codes finds any other byte.
const (
	everyByte = 0x0101010101010101
	allA      = 'A' * everyByte
	// Multiplication by it moves the codes in 4 bytes, the first lowest, to bits 24…31, the first highest: code i goes
	// from bit 8i to bit 30 − 2i, and no other product comes there.
	gatherCodes = 1<<30 | 1<<20 | 1<<10 | 1
)

// scanNucleotides adds to a0…a3 the values of the k-mers of k letters that end at positions p, p+1, …, to the sum of
// the position mod 4, as long as eight letters of the alphabet follow. p is a multiple of 4 and code holds the k−1
// letters before it. fourth is T or U. It returns where it stopped.
func scanNucleotides(top []float64, mask uint64, fourth byte, x []byte, p int, code uint64, a0, a1, a2, a3 float64) (
	int, uint64, float64, float64, float64, float64) {
	flip := uint64(fourth ^ ('A' | 4)) // what makes the fourth letter of A with bit 2
	for ; p+8 <= len(x); p += 8 {
		w := binary.LittleEndian.Uint64(x[p:])
		b1, b2 := w>>1&everyByte, w>>2&everyByte
		if letters := (allA | b1<<1 | b2<<2) ^ (b2&^b1)*flip; letters != w {
			break
		}
		codes := b2<<1 | (b1 ^ b2)
		first, second := (codes&0xffffffff)*gatherCodes>>24&0xff, (codes>>32)*gatherCodes>>24&0xff
		code = code<<16 | first<<8 | second
		a0 += top[code>>14&mask]
		a1 += top[code>>12&mask]
		a2 += top[code>>10&mask]
		a3 += top[code>>8&mask]
		a0 += top[code>>6&mask]
		a1 += top[code>>4&mask]
		a2 += top[code>>2&mask]
		a3 += top[code&mask]
	}
	return p, code, a0, a1, a2, a3
}
