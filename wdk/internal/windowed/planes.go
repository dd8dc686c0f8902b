package windowed

import (
	"encoding/binary"
	"fmt"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Planes is the layout of windows of one length L as bits: for each of the b bits of a letter's code a plane of W =
// ⌈L/64⌉ words, followed by a plane of the positions that match nothing: letters outside the alphabet, and the bits
// that belong to no position.
//
// Position p is bit p div W of word p mod W. The positions after those of a word are then the same bits of the next
// word: "and the next position too" is words[w] &= words[w+1], without a shift for all words but the last.
type Planes struct {
	Length int        // L
	Words  int        // W
	Depth  int        // b: 2 for dna and rna, 5 for protein, 8 for bytes
	values *[256]byte // of letters: their codes, or 1<<b
}

// Layout returns the layout of windows of a length. It has at least one word, so that windows of length 0 are not a
// special case.
func Layout(a stringkernel.Alphabet, length int) Planes {
	p := Planes{Length: length, Words: max(1, (length+63)/64), Depth: a.Bits(), values: new([256]byte)}
	for letter, code := range a.Codes() {
		if code == stringkernel.Outside {
			code = 1 << p.Depth
		}
		p.values[letter] = byte(code)
	}
	return p
}

// Size is the number of words of one window.
func (p *Planes) Size() int { return (p.Depth + 1) * p.Words }

// Encode writes the planes of a window: position p holds x[p], and matches nothing if there is no such letter.
func (p *Planes) Encode(dst []uint64, x []byte) {
	const (
		firsts = 0x0101010101010101 // the lowest bit of each of eight bytes
		gather = 0x0102040810204080 // brings them together in the highest byte
	)
	x = x[:min(len(x), p.Length)]
	for w := range p.Words {
		var word [64]byte // what the word's positions hold
		n := 0
		for at := w; at < len(x); at += p.Words {
			word[n] = p.values[x[at]]
			n++
		}
		dst[p.Depth*p.Words+w] = 0
		for plane := range min(p.Depth+1, 8) { // no byte is outside an alphabet of 256 letters
			bits := uint64(0)
			for eight := 0; eight < n; eight += 8 {
				at := binary.LittleEndian.Uint64(word[eight:])
				bits |= at >> plane & firsts * gather >> 56 << eight
			}
			dst[plane*p.Words+w] = bits
		}
		dst[p.Depth*p.Words+w] |= ^uint64(0) << n
	}
}

// Move writes the planes of a window moved left by shift: position p holds what position p + shift of x held, and
// matches nothing if there is no such position.
func (p *Planes) Move(dst, x []uint64, shift int) {
	for w := range p.Words {
		from := w + shift
		at, bits := from%p.Words, from/p.Words // of word w, from word at
		if at < 0 {
			at, bits = at+p.Words, bits-1
		}
		none := p.Depth * p.Words
		for plane := 0; plane < none; plane += p.Words {
			dst[plane+w] = moveBits(x[plane+at], bits)
		}
		dst[none+w] = ^moveBits(^x[none+at], bits) | ^uint64(0)<<((p.Length-w+p.Words-1)/p.Words)
	}
}

// moveBits moves bits down, or up if n is negative.
func moveBits(bits uint64, n int) uint64 {
	if n < 0 {
		return bits << -n
	}
	return bits >> n
}

// Match writes into mask, W words, the positions at which two windows agree.
func (p *Planes) Match(mask, x, y []uint64) {
	words := p.Words
	mask = mask[:words]
	if p.Depth == 2 {
		low, high, no := x[:words], x[words:2*words], x[2*words:3*words]
		low2, high2, no2 := y[:words], y[words:2*words], y[2*words:3*words]
		for w := range mask {
			mask[w] = ^((low[w] ^ low2[w]) | (high[w] ^ high2[w]) | no[w] | no2[w])
		}
		return
	}
	for w := range mask {
		differ := x[p.Depth*words+w] | y[p.Depth*words+w]
		for at := w; at < p.Depth*words; at += words {
			differ |= x[at] ^ y[at]
		}
		mask[w] = ^differ
	}
}

// Length returns the length of the windows of a corpus, 0 if there are none. If the lengths differ, the error is a
// [stringkernel.RecordError] of the first record whose length differs from that of record 0.
func Length(c *stringkernel.Corpus) (int, error) {
	if c.Len() == 0 {
		return 0, nil
	}
	length := len(c.Seq(0))
	for i := range c.Len() {
		if n := len(c.Seq(i)); n != length {
			err := fmt.Errorf("%d letters, but the first record has %d: windows must have the same length", n, length)
			return 0, &stringkernel.RecordError{Record: i, Name: c.Name(i), Err: err}
		}
	}
	return length, nil
}
