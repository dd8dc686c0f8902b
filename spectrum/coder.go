package spectrum

import "github.com/seqsvm/seqsvm/stringkernel"

// coder packs words of k letters into the low bits·k bits of a uint64, first letter highest, so that numeric order is
// alphabetical order and the prefix of l letters of a code c is c >> bits·(k−l).
//
// It rolls: a letter shifts the previous code, and a letter outside the alphabet ends the run. Letters from before the
// break need no clearing, since a code is read only after k new letters have pushed them out of the mask.
type coder struct {
	letter *[256]int16
	bits   uint
	k      int
	mask   uint64 // the low bits·k bits
}

// newCoder returns the coder of words of k letters; bits·k is 1…64.
func newCoder(a stringkernel.Alphabet, k int) coder {
	bits := uint(a.Bits())
	return coder{letter: a.Codes(), bits: bits, k: k, mask: lowBits(bits * uint(k))}
}

// lowBits returns the mask of the n low bits, 1 ≤ n ≤ 64.
func lowBits(n uint) uint64 { return ^uint64(0) >> (64 - n) }

// codes appends the code of every word of exactly k letters of x to dst, by position. O(len(x)).
func (c *coder) codes(dst []uint64, x []byte) []uint64 {
	start := len(dst)
	if need := start + len(x); need > cap(dst) {
		dst = append(make([]uint64, 0, need+need/4), dst...)
	}
	out := dst[start : start+len(x)]
	code, run, n := uint64(0), 0, 0
	for _, b := range x {
		d := c.letter[b]
		if d < 0 {
			run = 0
			continue
		}
		code = code<<(c.bits&63) | uint64(d)
		if run++; run >= c.k {
			out[n] = code & c.mask
			n++
		}
	}
	return dst[:start+n]
}

// tail is a word that ends where a run of letters ends and is shorter than k.
type tail struct {
	code   uint64 // in the low bits·length bits
	length int
}

// tails appends, for every run of letters of x, its words of k−1, …, 1 letters that end with the run: the starts at
// which no word of k letters fits. Together with codes they are one longest word per position. O(len(x)).
func (c *coder) tails(dst []tail, x []byte) []tail {
	code, run := uint64(0), 0
	for _, b := range x {
		d := c.letter[b]
		if d < 0 {
			dst = c.closeRun(dst, code, run)
			run = 0
			continue
		}
		code = code<<(c.bits&63) | uint64(d)
		run++
	}
	return c.closeRun(dst, code, run)
}

// closeRun appends the tails of a run of the given length whose last letters are the low letters of code.
func (c *coder) closeRun(dst []tail, code uint64, run int) []tail {
	for l := min(run, c.k-1); l >= 1; l-- {
		dst = append(dst, tail{code & lowBits(c.bits*uint(l)), l})
	}
	return dst
}
