package trees

import (
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// nextSegment returns the length of the segment of UAX #29 that a text which is not empty begins with, and whether it is a word. Several segments that are none may
// come as one.
func nextSegment(p []byte) (n int, isWord bool) {
	if n, isWord, plain := asciiSegment(p); plain {
		return n, isWord
	}
	n, segment, err := words.SplitFunc(p, true)
	if err != nil || n <= 0 { // never, by the contract of a split function at the end of its data
		return len(p), false
	}
	return n, holdsWord(segment)
}

// asciiSegment is nextSegment for the usual case: a run of letters, digits and _ of ASCII, or of none of these, that nothing behind it can go on. Else plain is false.
func asciiSegment(p []byte) (n int, isWord, plain bool) {
	for n < len(p) && asciiClasses[p[n]] >= joiner {
		isWord = isWord || asciiClasses[p[n]] == alphanumeric
		n++
	}
	switch {
	case n == len(p):
		return n, isWord, true
	case n > 0:
		last := n+1 == len(p)
		plain = asciiClasses[p[n]] == other || asciiClasses[p[n]] == middle && (last || asciiClasses[p[n+1]] == other)
		return n, isWord, plain
	}
	for n < len(p) && (asciiClasses[p[n]] == other || asciiClasses[p[n]] == middle) {
		n++
	}
	if n < len(p) && asciiClasses[p[n]] == foreign {
		n-- // which the character behind it may belong to
	}
	return n, false, n > 0
}

// Classes of bytes.
const (
	other        = iota // stands alone
	middle              // may stand between two letters or digits of a word
	foreign             // not ASCII
	joiner              // _
	alphanumeric        // letters and digits
)

var asciiClasses = func() (table [256]uint8) {
	for b := range table {
		switch c := byte(b); {
		case c >= utf8.RuneSelf:
			table[b] = foreign
		case isLetter(c) || c >= '0' && c <= '9':
			table[b] = alphanumeric
		}
	}
	for _, c := range ":.',;" {
		table[c] = middle
	}
	table['_'] = joiner
	return table
}()

// holdsWord tells whether a segment has a letter or a digit.
func holdsWord(segment []byte) bool {
	for len(segment) > 0 {
		r, size := utf8.DecodeRune(segment)
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return true
		}
		segment = segment[size:]
	}
	return false
}
