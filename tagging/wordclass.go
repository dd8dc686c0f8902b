package tagging

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/seqio/tokens"
)

// classTerms calls visit with the classes of the first word of rest, by which names of genes and chemicals differ from
// other words, with the word with its digits alike, and with the short shapes of two and three words from it on.
func (w *words) classTerms(rest []tokens.Token, lower string, buf []byte, visit func(term []byte)) []byte {
	word := w.word(rest[0])
	eachClass(word, lower, func(name string) {
		buf = append(append(buf[:0], kindClass), name...)
		visit(buf)
	})
	buf = append(buf[:0], kindClass, '~')
	for _, r := range lower {
		if unicode.IsDigit(r) {
			r = '0'
		}
		buf = utf8.AppendRune(buf, r)
	}
	visit(buf)
	buf = shapeTo(append(buf[:0], kindShapes), word, true)
	for _, next := range rest[1:min(3, len(rest))] {
		buf = shapeTo(append(buf, ' '), w.word(next), true)
		visit(buf)
	}
	return buf
}

const greek = " alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau " +
	"upsilon phi chi psi omega "

// mostLength is the length of words that are not told from longer ones.
const mostLength = 12

// eachClass calls visit with the classes that a word is of.
func eachClass(word, lower string, visit func(name string)) {
	var n, upper, small, digits, others int
	for _, r := range word {
		n++
		switch {
		case unicode.IsUpper(r):
			upper++
		case unicode.IsLetter(r):
			small++
		case unicode.IsDigit(r):
			digits++
		default:
			others++
		}
	}
	first, _ := utf8.DecodeRuneInString(word)
	for _, class := range []struct {
		name string
		is   bool
	}{
		{"greek", strings.Contains(greek, " "+lower+" ")},
		{"roman", strings.Trim(word, "IVX") == ""},
		{"number", digits == n},
		{"digits", digits > 0 && digits < n},
		{"hyphen", strings.Contains(word, "-")},
		{"capitals", upper == n},
		{"capitals inside", upper > 0 && small > 0 && (upper > 1 || !unicode.IsUpper(first))},
		{"capitals with digits", upper > 0 && digits > 0},
		{"signs", others == n},
		{"letters " + strconv.Itoa(min(n, mostLength)), true},
	} {
		if class.is {
			visit(class.name)
		}
	}
}
