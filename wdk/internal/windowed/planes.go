package windowed

import (
	"fmt"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Planes holds windows of one length L as bits: for each of the b bits of a letter's code a plane of W = ⌈L/64⌉ words,
// followed by a plane of the positions that match nothing: letters outside the alphabet, and the bits that belong to no
// position.
//
// Position p is bit p div W of word p mod W. The positions after those of a word are then the same bits of the next
// word: "and the next position too" is words[w] &= words[w+1], without a shift for all words but the last.
type Planes struct {
	Codes  *[256]int16
	Length int      // L
	Words  int      // W
	Depth  int      // b: 2 for dna and rna, 5 for protein, 8 for bytes
	Bits   []uint64 // sequence after sequence, (b+1)·W words each
}

// Layout returns the layout of windows of a length, without any window. It has at least one word, so that windows of
// length 0 are not a special case.
func Layout(a stringkernel.Alphabet, length int) Planes {
	return Planes{Codes: a.Codes(), Length: length, Words: max(1, (length+63)/64), Depth: a.Bits()}
}

// New encodes a corpus of windows of one length, (b+1)·W·8 bytes each: 72 bytes of DNA for up to 192 bases.
func New(a stringkernel.Alphabet, c *stringkernel.Corpus, length int) *Planes {
	p := Layout(a, length)
	size := p.Size()
	p.Bits = make([]uint64, c.Len()*size)
	parallel.Each(c.Len(), func(i int) { p.Encode(p.Bits[i*size:(i+1)*size], c.Seq(i), 0) })
	return &p
}

// Size is the number of words of one window.
func (p *Planes) Size() int { return (p.Depth + 1) * p.Words }

// At returns the planes of window i.
func (p *Planes) At(i int) []uint64 {
	size := p.Size()
	return p.Bits[i*size : (i+1)*size : (i+1)*size]
}

// Encode writes the planes of a window of any length, moved left by shift: position p holds x[p+shift], and matches
// nothing if there is no such letter.
func (p *Planes) Encode(dst []uint64, x []byte, shift int) {
	clear(dst)
	w, bit := 0, uint64(1)
	for at := range p.Words * 64 {
		code := int16(stringkernel.Outside)
		if from := at + shift; at < p.Length && from >= 0 && from < len(x) {
			code = p.Codes[x[from]]
		}
		if code == stringkernel.Outside {
			dst[p.Depth*p.Words+w] |= bit
		} else {
			for plane := range p.Depth {
				dst[plane*p.Words+w] |= bit * uint64(code>>plane&1)
			}
		}
		if w++; w == p.Words {
			w, bit = 0, bit<<1
		}
	}
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
