package wdk

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// packing is how a scorer packs letters into 32-bit words, the first letter in the highest bits: the letters of an
// alphabet or, for bytes, those that occur in the support vectors.
type packing struct {
	digit [256]int16 // of a byte, Outside for letters that match nothing
	bits  int        // of a letter
	whole [33]uint8  // by number of bits: how many letters they hold, the last one rounded up
}

// withBits sets the number of bits of a letter.
func (p packing) withBits(bits int) packing {
	p.bits = bits
	for n := range p.whole {
		p.whole[n] = uint8(n / bits)
	}
	return p
}

func newPacking(a stringkernel.Alphabet, sv *stringkernel.Corpus) packing {
	if a != stringkernel.Bytes && a != "" {
		return packing{digit: *a.Codes()}.withBits(a.Bits())
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
	return p.withBits(max(1, bits.Len16(uint16(max(0, count-1)))))
}

// letters is the number of letters in 32 bits: 16 of dna, 6 of protein, 4 or more bytes.
func (p *packing) letters() int { return int(p.whole[32]) }

// branchBits is the number of a letter's first bits that select a child of a trie node.
func (p *packing) branchBits() int { return min(p.bits, 4) }

// letter returns letter n of a packed word, from 0.
func (p *packing) letter(word uint32, n int) uint32 {
	return word << (p.bits * n & 31) >> (32 - p.bits)
}

// code returns the first n letters of a packed word as a number.
func (p *packing) code(word uint32, n int) int { return int(uint64(word) >> (32 - p.bits*n)) }

// text is a sequence as packed letters.
type text struct {
	packing *packing
	packed  []byte // with 8 bytes of padding at the end
	length  int
	runs    []int32 // per letter: how many there are before the next one outside the alphabet; nil if all belong to it
	mask    uint32  // of the bits of a word that are letters
}

// reset makes the text empty.
func (t *text) reset(p *packing) {
	*t = text{packing: p, packed: append(t.packed[:0], make([]byte, 8)...), mask: ^(1<<(32-p.bits*p.letters()) - 1)}
}

// wholeBytes returns the smallest number of letters ≥ n that fills whole bytes in any packing.
func wholeBytes(n int) int { return (n + 7) &^ 7 }

// append adds letters from the next whole byte on, see wholeBytes.
func (t *text) append(x []byte) {
	if outside := t.pack(x); outside || t.runs != nil {
		t.addRuns(t.length-len(x), x)
	}
}

// pack is append without runs. It reports whether there are letters outside the alphabet; they are packed as any other.
func (t *text) pack(x []byte) (outside bool) {
	p := t.packing
	t.length = wholeBytes(t.length)
	size := (p.bits*(t.length+len(x))+7)/8 + 8
	t.packed = append(t.packed, make([]byte, max(0, size-len(t.packed)))...)
	at := uint(t.length * p.bits)
	for _, b := range x {
		d := p.digit[b]
		if d < 0 {
			d, outside = 0, true
		}
		v := uint16(d) << (16 - uint(p.bits) - at&7)
		t.packed[at>>3] |= byte(v >> 8)
		t.packed[at>>3+1] |= byte(v)
		at += uint(p.bits)
	}
	t.length += len(x)
	return outside
}

// addRuns records the letters of x outside the alphabet; x begins at letter before.
func (t *text) addRuns(before int, x []byte) {
	for i := len(t.runs); i < before; i++ {
		t.runs = append(t.runs, int32(min(t.length, 1<<30))) // cut by the end of the window
	}
	t.runs = append(t.runs, make([]int32, len(x))...)
	run := int32(0)
	for i := len(x) - 1; i >= 0; i-- {
		if run++; t.packing.digit[x[i]] < 0 {
			run = 0
		}
		t.runs[before+i] = run
	}
}

// word returns the letters from letter i on, packed; those past the end are arbitrary.
func (t *text) word(i int) uint32 { return wordAt(t.packed, i*t.packing.bits) & t.mask }

// wordAt returns 32 bits of packed letters.
func wordAt(packed []byte, bit int) uint32 { return uint32(longWordAt(packed, bit) >> 32) }

// longBits are those that are read at once: the next ones may be of another byte.
const longBits = 57

// longWordAt returns longBits bits of packed letters, highest first.
func longWordAt(packed []byte, bit int) uint64 {
	return binary.BigEndian.Uint64(packed[uint(bit)>>3:]) << (uint(bit) & 7)
}

// run returns the number of letters from letter i on before the next one outside, at most most.
func (t *text) run(i, most int) int {
	if t.runs == nil {
		return most
	}
	return min(most, int(t.runs[i]))
}

// packedWindows is the support vectors of a scorer as packed letters.
type packedWindows struct {
	text
	n, stride int // of windows; letters from one window to the next
}

// newPackedWindows packs windows of a length.
func newPackedWindows(p *packing, c *stringkernel.Corpus, length int) *packedWindows {
	t := &packedWindows{n: c.Len(), stride: wholeBytes(length)}
	t.reset(p)
	t.packed = slices.Grow(t.packed, (c.Len()*t.stride*p.bits+7)/8+8)
	for i := range c.Len() {
		t.pack(c.Seq(i))
	}
	return t
}

// at returns the number of the letter at a place.
func (t *packedWindows) at(p place) int { return int(p.sequence)*t.stride + int(p.start) }

// head returns 57 bits of the letters from a place on.
func (t *packedWindows) head(p place) uint64 {
	return longWordAt(t.packed, t.at(p)*t.packing.bits)
}
