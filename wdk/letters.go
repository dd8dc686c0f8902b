package wdk

import "github.com/seqsvm/seqsvm/stringkernel"

// letters numbers the letters of a scorer from 0 without gaps: those of the alphabet, or of all bytes those that occur in the support vectors.
type letters struct {
	count int
	digit [256]int16 // of a byte, Outside for others
}

func newLetters(a stringkernel.Alphabet, sv *stringkernel.Corpus) letters {
	if a != stringkernel.Bytes && a != "" {
		return letters{a.Size(), *a.Codes()}
	}
	var l letters
	for b := range l.digit {
		l.digit[b] = stringkernel.Outside
	}
	for i := range sv.Len() {
		for _, b := range sv.Seq(i) {
			if l.digit[b] == stringkernel.Outside {
				l.digit[b] = int16(l.count)
				l.count++
			}
		}
	}
	l.count = max(1, l.count) // a code has a base
	return l
}

// Letters that match nothing, in text to compare byte by byte: no letter of an alphabet has one of these codes, and of bytes all match.
const (
	outsideHere  = 254
	outsideThere = 255
)

// text returns the bytes of x as they are compared: codes, with outside for the letters that match nothing.
func (l *letters) text(dst []byte, a stringkernel.Alphabet, x []byte, outside byte) []byte {
	if a == stringkernel.Bytes || a == "" {
		return append(dst, x...)
	}
	for _, b := range x {
		if d := l.digit[b]; d != stringkernel.Outside {
			dst = append(dst, byte(d))
		} else {
			dst = append(dst, outside)
		}
	}
	return dst
}
