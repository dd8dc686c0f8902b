// Package wordbreak finds the words of texts: the segments between the word boundaries of UAX #29 that hold a letter, a
// digit or another number, or a pictograph (category So). Words of ASCII letters are found here; package uax29 finds the
// others.
package wordbreak

import (
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// Each calls visit for every word of x, in order: x[lo:hi], 0-based byte offsets. O(len(x)), without allocating.
func Each(x []byte, visit func(lo, hi int)) {
	for at := 0; at < len(x); {
		end, isWord := Next(x, at)
		if isWord {
			visit(at, end)
		}
		at = end
	}
}

// Next returns the end of the segment that starts at a boundary, at < len(x), and whether it is a word.
func Next(x []byte, at int) (end int, isWord bool) {
	end = at
	for end < len(x) && isLetter(x[end]) {
		end++
	}
	switch {
	case end > at && (end == len(x) || standsApart(x[end])):
		return end, true
	case end == at && standsApart(x[at]) && (at+1 == len(x) || x[at+1] < utf8.RuneSelf):
		return at + 1, false // a character beyond ASCII may be a mark of the one before it
	}
	return unicodeSegment(x, at)
}

// unicodeSegment returns the end of the segment that starts at a boundary, and whether it is a word. A byte that is not
// UTF-8 is a segment.
func unicodeSegment(x []byte, at int) (end int, isWord bool) {
	segment := split(x[at:])
	switch valid := validPrefix(segment); valid {
	case len(segment):
	case 0:
		return at + 1, false
	// uax29 takes the beginning of a character that the end of x cuts off into the segment, and everything after it
	default:
		segment = split(segment[:valid])
	}
	return at + len(segment), holdsWord(segment)
}

// split returns the first segment of x, which is not empty.
func split(x []byte) []byte {
	advance, _, err := words.SplitFunc(x, true)
	if err != nil || advance <= 0 { // never, by the contract of a split function at the end of its data
		return x
	}
	return x[:advance]
}

// validPrefix returns how many bytes of x are UTF-8 before the first that is not.
func validPrefix(x []byte) int {
	if utf8.Valid(x) {
		return len(x)
	}
	for i := 0; ; {
		r, size := utf8.DecodeRune(x[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
}

func holdsWord(segment []byte) bool {
	for len(segment) > 0 {
		r, size := utf8.DecodeRune(segment)
		if r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.So, r)) {
			return true
		}
		segment = segment[size:]
	}
	return false
}

// isLetter reports whether b is an ASCII letter.
func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// standsApart reports whether an ASCII character is a segment, whatever letters are before or after it.
func standsApart(b byte) bool {
	return b < utf8.RuneSelf && !isLetter(b) && (b < '0' || b > '9') && b != '_' && b != ':' && b != '.' && b != '\''
}
