package stringkernel

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Readable returns a piece of a sequence as one printable field of a table: control characters, line and paragraph
// separators and bytes that are not UTF-8 become \x and two digits per byte, and a backslash is doubled.
func Readable(text string) string {
	if !strings.ContainsFunc(text, escaped) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == '\\':
			b.WriteString(`\\`)
		case escaped(r):
			for _, c := range []byte(text[:size]) {
				fmt.Fprintf(&b, `\x%02x`, c)
			}
		default:
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}

func escaped(r rune) bool {
	return r == '\\' || r == utf8.RuneError || unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
}
