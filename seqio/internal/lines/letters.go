package lines

import "slices"

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
// there is none. Bytes after that one are unchanged.
func UpperSequence(p []byte) int {
	for i, b := range p {
		if !sequenceByte[b] {
			return i
		}
		p[i] = UpperByte[b]
	}
	return len(p)
}

// Sequence is CheckSequence with softMask, else UpperSequence.
func Sequence(p []byte, softMask bool) int {
	if softMask {
		return CheckSequence(p)
	}
	return UpperSequence(p)
}

// CheckSequence returns the index of the first byte that cannot be in a sequence, len(p) if there is none. p is
// unchanged.
func CheckSequence(p []byte) int {
	return indexOr(p, func(b byte) bool { return !sequenceByte[b] })
}

// CheckVisible returns the index of the first byte outside '!' … '~', len(p) if there is none.
func CheckVisible(p []byte) int {
	return indexOr(p, func(b byte) bool { return b < '!' || b > '~' })
}

// indexOr returns the index of the first byte that is bad, len(p) if none is.
func indexOr(p []byte, bad func(b byte) bool) int {
	if i := slices.IndexFunc(p, bad); i >= 0 {
		return i
	}
	return len(p)
}
