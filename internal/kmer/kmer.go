// Package kmer packs k-mers, words of k letters of an alphabet, into 64 bits and lists those of sequences.
package kmer

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"iter"
	"math/bits"
	"slices"

	"github.com/seqsvm/seqsvm/internal/simd"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Coder packs k-mers into the low Bits·K bits of a uint64, first letter highest, so that numeric order is alphabetical
// order and the prefix of l letters of a code c is c >> Bits·(K−l).
type Coder struct {
	Letter *[256]int16 // code of a byte, negative outside the alphabet
	Bits   uint        // per letter
	K      int
	Mask   uint64 // the low Bits·K bits
	size   int    // of the alphabet
	fourth byte   // [Fourth]
}

// MaxK returns the length of the longest k-mers that fit into 64 bits: 32 letters of dna or rna, 12 of protein,
// 8 bytes.
func MaxK(a stringkernel.Alphabet) int { return 64 / a.Bits() }

// Check returns an error unless the alphabet is known and k, which has a name, is in 1…MaxK.
func Check(name string, a stringkernel.Alphabet, k int) error {
	if err := a.Check(); err != nil {
		return err
	}
	if k < 1 || k > MaxK(a) {
		return fmt.Errorf("%s = %d, want 1…%d for alphabet %s", name, k, MaxK(a), cmp.Or(a, stringkernel.Bytes))
	}
	return nil
}

// New returns the coder of the k-mers of an alphabet. It assumes that [Check] passes.
func New(a stringkernel.Alphabet, k int) Coder {
	bits := uint(a.Bits())
	return Coder{Letter: a.Codes(), Bits: bits, K: k, Mask: LowBits(bits * uint(k)), size: a.Size(), fourth: Fourth(a)}
}

// LowBits returns the mask of the n low bits, 1 ≤ n ≤ 64.
func LowBits(n uint) uint64 { return ^uint64(0) >> (64 - n) }

// All yields the k-mers of x in order: the 0-based position of the first letter, and the code. A letter outside the
// alphabet breaks k-mers. O(len(x)).
//
// The compiler inlines All and the loop over it. The code rolls: letters from before a break need no clearing, since
// a code is yielded only after K new letters have pushed them out of the mask.
func (c *Coder) All(x []byte) iter.Seq2[int, uint64] {
	return func(yield func(int, uint64) bool) {
		code, run := uint64(0), 0
		for p, b := range x {
			d := c.Letter[b]
			if d < 0 {
				run = 0
				continue
			}
			code = code<<(c.Bits&63) | uint64(d)
			if run++; run >= c.K && !yield(p-c.K+1, code&c.Mask) {
				return
			}
		}
	}
}

// Append appends the codes that All yields to dst, faster. O(len(x)).
func (c *Coder) Append(dst []uint64, x []byte) []uint64 {
	dst = slices.Grow(dst, len(x))
	for x = c.run(x); len(x) > 0; x = c.run(x) {
		code := uint64(0)
		for _, b := range x[:c.K-1] {
			code = code<<(c.Bits&63) | uint64(c.Letter[b])
		}
		x = x[c.K-1:]
		n := c.roll(dst[len(dst):][:len(x)], x, code)
		dst, x = dst[:len(dst)+n], x[n:]
	}
	return dst
}

// roll writes the codes of the k-mers that end at the letters of x, up to one outside the alphabet, to out, of the same
// length, and returns their number. code is that of the letters before x.
func (c *Coder) roll(out []uint64, x []byte, code uint64) int {
	letters, bits, mask, n := c.Letter, c.Bits&63, c.Mask, 0
	for c.fourth != 0 && c.K <= mostByEights && n+simd.BasesAtOnce <= len(x) {
		bases, wrong := simd.Bases(binary.LittleEndian.Uint64(x[n:]), c.fourth)
		if wrong != 0 {
			break
		}
		code = code<<16 | bases
		codes := out[n:][:8]
		codes[0], codes[1], codes[2], codes[3] = code>>14&mask, code>>12&mask, code>>10&mask, code>>8&mask
		codes[4], codes[5], codes[6], codes[7] = code>>6&mask, code>>4&mask, code>>2&mask, code&mask
		n += simd.BasesAtOnce
	}
	for i, b := range x[n:] {
		letter := letters[b]
		if letter < 0 {
			return n + i
		}
		code = (code<<bits | uint64(letter)) & mask
		out[n+i] = code
	}
	return len(x)
}

// mostByEights is the length of the longest k-mers of nucleotides that are listed eight at a time: with seven letters
// more they have 64 bits.
const mostByEights = 25

// AppendCanonical appends to dst, of each k-mer that All yields, the lesser of its code and that of its reverse
// complement. The alphabet is dna or rna. O(len(x)).
func (c *Coder) AppendCanonical(dst []uint64, x []byte) []uint64 {
	dst = slices.Grow(dst, len(x))
	for x = c.run(x); len(x) > 0; x = c.run(x) {
		forward, reverse, top := uint64(0), uint64(0), c.Bits*uint(c.K-1)&63
		for _, b := range x[:c.K-1] {
			letter := uint64(c.Letter[b])
			forward, reverse = forward<<2|letter, reverse>>2|(3-letter)<<top
		}
		x = x[c.K-1:]
		n := c.rollCanonical(dst[len(dst):][:len(x)], x, forward, reverse)
		dst, x = dst[:len(dst)+n], x[n:]
	}
	return dst
}

// rollCanonical is roll for canonical codes. forward and reverse are those of the letters before x and of their reverse
// complement.
func (c *Coder) rollCanonical(out []uint64, x []byte, forward, reverse uint64) int {
	var turned [4]uint64 // the last letter's complement is the first of the reverse complement
	for letter := range turned {
		turned[letter] = uint64(3-letter) << (c.Bits * uint(c.K-1) & 63)
	}
	letters, mask := c.Letter, c.Mask
	for i, b := range x {
		letter := letters[b]
		if letter < 0 {
			return i
		}
		forward, reverse = (forward<<2|uint64(letter))&mask, reverse>>2|turned[letter&3]
		out[i] = min(forward, reverse)
	}
	return len(x)
}

// Letters returns how many letters of the alphabet x begins with.
func (c *Coder) Letters(x []byte) (n int) {
	for n < len(x) && c.Letter[x[n]] >= 0 {
		n++
	}
	return n
}

// run returns x from the first k-mer on, nothing if there is none.
func (c *Coder) run(x []byte) []byte {
	n := 0
	for i, b := range x {
		if n++; c.Letter[b] < 0 {
			n = 0
		}
		if n == c.K {
			return x[i+1-n:]
		}
	}
	return nil
}

// ReverseComplement returns the code of the reverse complement of a k-mer of k letters of dna or rna: letters in
// reverse order, each the complement, 3 less its code.
func ReverseComplement(code uint64, k int) uint64 {
	r := bits.Reverse64(^code)
	r = r>>1&0x5555555555555555 | r&0x5555555555555555<<1 // the two bits of a letter keep their order
	return r >> (64 - 2*k)
}

// Scatter adds a to the entries of a table of all codes for the k-mers of x.
func (c *Coder) Scatter(table []float64, x []byte, a float64) {
	for _, code := range c.All(x) {
		table[code] += a
	}
}

// Gather adds up the entries of a table of all codes for the k-mers of x, in order.
func (c *Coder) Gather(table []float64, x []byte) (sum float64) {
	for _, code := range c.All(x) {
		sum += table[code]
	}
	return sum
}

// Valid reports whether a code is that of a k-mer.
func (c *Coder) Valid(code uint64) bool {
	if code&^c.Mask != 0 || c.size == 1<<c.Bits {
		return code&^c.Mask == 0
	}
	for range c.K {
		if int(code&LowBits(c.Bits)) >= c.size {
			return false
		}
		code >>= c.Bits & 63
	}
	return true
}

// String returns the letters of a code.
func (c *Coder) String(code uint64) string {
	letters, text := Letters(c.Letter), make([]byte, c.K)
	for i := c.K - 1; i >= 0; i-- {
		text[i] = letters[code&LowBits(c.Bits)]
		code >>= c.Bits & 63
	}
	return string(text)
}

// Letters returns the letters of an alphabet by code, given its codes by letter.
func Letters(codes *[256]int16) (letters [256]byte) {
	for b, code := range codes {
		if code != stringkernel.Outside {
			letters[code] = byte(b)
		}
	}
	return letters
}
