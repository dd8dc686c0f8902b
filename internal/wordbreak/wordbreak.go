// Package wordbreak finds the words of texts: the segments between the word boundaries of UAX #29 that hold a letter, a
// digit or another number, or a pictograph (category So). Where a text is ASCII the boundaries come from a table of 128
// classes; package uax29 finds the others.
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

// Next returns the end of the segment that starts at a boundary, at < len(x), and whether it is a word. Several
// segments that are not words may come as one.
func Next(x []byte, at int) (end int, isWord bool) {
	end, isWord, plain := asciiSegment(x, at)
	if !plain {
		return unicodeSegment(x, at)
	}
	return end, isWord
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

// The classes of ASCII in UAX #29 that matter: what glues to its neighbours, and what glues two letters or two digits.
const (
	letterClass    = 1 << iota // A–Z, a–z
	digitClass                 // 0–9
	joinClass                  // _
	midLetterClass             // between letters: : . '
	midDigitClass              // between digits: , ; . '
	foreignClass               // not ASCII
)

const wordClass = letterClass | digitClass | joinClass

var classes = makeClasses()

func makeClasses() (table [256]uint8) {
	for b := range table {
		switch {
		case b >= utf8.RuneSelf:
			table[b] = foreignClass
		case b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z':
			table[b] = letterClass
		case b >= '0' && b <= '9':
			table[b] = digitClass
		}
	}
	table['_'] = joinClass
	for _, b := range ":.'" {
		table[b] |= midLetterClass
	}
	for _, b := range ",;.'" {
		table[b] |= midDigitClass
	}
	return table
}

// asciiSegment returns the end of the segment that starts at a boundary, and whether it is a word. plain = false if it
// depends on a byte beyond ASCII. The run of bytes between two words counts as one segment.
func asciiSegment(x []byte, at int) (end int, isWord, plain bool) {
	first := classes[x[at]]
	if first&wordClass == 0 {
		end, plain = asciiGap(x, at)
		return end, false, plain
	}
	seen := first
	for i := at + 1; ; i++ {
		if i == len(x) {
			return i, seen&(letterClass|digitClass) != 0, true
		}
		c := classes[x[i]]
		if c&wordClass != 0 {
			seen |= c
			continue
		}
		if c == foreignClass {
			return 0, false, false
		}
		if c == 0 || i+1 == len(x) {
			return i, seen&(letterClass|digitClass) != 0, true
		}
		before, after := classes[x[i-1]], classes[x[i+1]]
		switch { // c may join its neighbours
		case after == foreignClass:
			return 0, false, false
		case c&midLetterClass != 0 && before&after&letterClass != 0,
			c&midDigitClass != 0 && before&after&digitClass != 0:
			seen |= after
		default:
			return i, seen&(letterClass|digitClass) != 0, true
		}
	}
}

// asciiGap returns the end of the bytes from at on that belong to no word.
func asciiGap(x []byte, at int) (end int, plain bool) {
	i := at
	for i < len(x) && classes[x[i]]&(wordClass|foreignClass) == 0 {
		i++
	}
	if i < len(x) && classes[x[i]] == foreignClass {
		i-- // which may carry a mark of the character after it
	}
	return i, i > at
}
