package lines

import (
	"encoding/binary"
	"slices"
)

// The functions of this file look at eight bytes at a time, as one 64-bit word. The test of a range is an addition per
// bound: with c < 128 and lo ≤ 128, bit 7 of c + (128 − lo) reports whether c ≥ lo. A byte of 128 or more may carry
// into its neighbour, but then its own bit is cleared, so a word is never accepted by mistake; a word that is not
// accepted is checked byte by byte.

const (
	each   = 0x0101010101010101 // times b: b in every byte
	bit7   = 0x80 * each
	stride = 32 // bytes per step of the main loop: four independent words keep the processor busy
)

// letterBits has bit 7 of every byte of w set that is an ASCII letter.
func letterBits(w uint64) uint64 {
	lower := w | 0x20*each
	return (lower + (0x80-'a')*each) &^ (lower + (0x7f-'z')*each) &^ w & bit7
}

// sequenceByte holds the bytes a sequence may consist of, and UpperByte maps them to upper case.
var sequenceByte, UpperByte = makeSequenceTables()

func makeSequenceTables() (valid [256]bool, upper [256]byte) {
	for b := range valid {
		upper[b] = byte(b)
	}
	for c := 'A'; c <= 'Z'; c++ {
		valid[c], valid[c+'a'-'A'] = true, true
		upper[c+'a'-'A'] = byte(c)
	}
	valid['*'], valid['-'], valid['.'] = true, true, true
	return valid, upper
}

// UpperSequence turns p into upper case and returns the index of the first byte that cannot be in a sequence, len(p) if
// there is none. Bytes after that one may be unchanged.
func UpperSequence(p []byte) int {
	i := 0
	for ; i+stride <= len(p); i += stride {
		q := p[i : i+stride : i+stride]
		a, b := binary.LittleEndian.Uint64(q), binary.LittleEndian.Uint64(q[8:])
		c, d := binary.LittleEndian.Uint64(q[16:]), binary.LittleEndian.Uint64(q[24:])
		if letterBits(a)&letterBits(b)&letterBits(c)&letterBits(d) == bit7 {
			binary.LittleEndian.PutUint64(q, a&^(0x20*each))
			binary.LittleEndian.PutUint64(q[8:], b&^(0x20*each))
			binary.LittleEndian.PutUint64(q[16:], c&^(0x20*each))
			binary.LittleEndian.PutUint64(q[24:], d&^(0x20*each))
			continue
		}
		if bad := upperBytes(q); bad < stride {
			return i + bad
		}
	}
	for ; i+8 <= len(p); i += 8 {
		w := binary.LittleEndian.Uint64(p[i:])
		if letterBits(w) == bit7 {
			binary.LittleEndian.PutUint64(p[i:], w&^(0x20*each))
			continue
		}
		if bad := upperBytes(p[i : i+8]); bad < 8 {
			return i + bad
		}
	}
	return i + upperBytes(p[i:])
}

// Sequence is CheckSequence with softMask, else UpperSequence.
func Sequence(p []byte, softMask bool) int {
	if softMask {
		return CheckSequence(p)
	}
	return UpperSequence(p)
}

// upperBytes is upperSequence, a byte at a time.
func upperBytes(p []byte) int {
	for i, b := range p {
		if !sequenceByte[b] {
			return i
		}
		p[i] = UpperByte[b]
	}
	return len(p)
}

// CheckSequence returns the index of the first byte that cannot be in a sequence, len(p) if there is none. p is
// unchanged.
func CheckSequence(p []byte) int {
	i := 0
	for ; i+8 <= len(p); i += 8 {
		if letterBits(binary.LittleEndian.Uint64(p[i:])) == bit7 {
			continue
		}
		if j := slices.IndexFunc(p[i:i+8], func(b byte) bool { return !sequenceByte[b] }); j >= 0 {
			return i + j
		}
	}
	for ; i < len(p) && sequenceByte[p[i]]; i++ {
	}
	return i
}

// CheckVisible returns the index of the first byte outside '!' … '~', len(p) if there is none.
func CheckVisible(p []byte) int {
	i := 0
	for ; i+8 <= len(p); i += 8 {
		w := binary.LittleEndian.Uint64(p[i:])
		if (w+(0x80-'!')*each)&^(w+(0x7f-'~')*each)&^w&bit7 != bit7 {
			break
		}
	}
	for ; i < len(p) && p[i] >= '!' && p[i] <= '~'; i++ {
	}
	return i
}
