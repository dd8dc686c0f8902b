package documents

import (
	"bytes"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// These walk over JSON that encoding/json has found to be valid, so that they need no checks; decoding all of a line
// into maps costs several times more.

// member returns the value of an object's member, or nil; an error if it has two of that name.
func member(object []byte, name string) (value []byte, err error) {
	for key, v := range members(object) {
		if isKey(key, name) {
			if value != nil {
				return nil, fmt.Errorf("field %s occurs twice in an object, want it once", lines.Quote(name))
			}
			value = v
		}
	}
	return value, nil
}

// members are the keys, in quotes, and the values of an object.
func members(object []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		at := skipSpace(object, 1)
		for object[at] != '}' {
			end := skipString(object, at)
			key := object[at:end]
			at = skipSpace(object, skipSpace(object, end)+1) // after the colon
			end = skipValue(object, at)
			if !yield(key, object[at:end]) {
				return
			}
			if at = skipSpace(object, end); object[at] == ',' {
				at = skipSpace(object, at+1)
			}
		}
	}
}

// isKey compares a key in quotes with a name.
func isKey(key []byte, name string) bool {
	if bytes.IndexByte(key, '\\') < 0 {
		return string(key[1:len(key)-1]) == name
	}
	return string(unquote(key)) == name
}

// unquote returns what a string in quotes says, never nil.
func unquote(text []byte) []byte {
	if bytes.IndexByte(text, '\\') < 0 {
		return text[1 : len(text)-1]
	}
	rest := text[1 : len(text)-1]
	out := make([]byte, 0, len(rest)) // no escape is shorter than its value
	for {
		i := bytes.IndexByte(rest, '\\')
		if i < 0 {
			return append(out, rest...)
		}
		out = append(out, rest[:i]...)
		if b := rest[i+1]; b != 'u' {
			if at := strings.IndexByte("bfnrt", b); at >= 0 {
				b = "\b\f\n\r\t"[at]
			}
			out, rest = append(out, b), rest[i+2:] // '"', '\\' and '/' are themselves
			continue
		}
		var r rune
		r, rest = codePoint(rest[i:])
		out = utf8.AppendRune(out, r)
	}
}

// codePoint reads \uXXXX, or two of them that are a surrogate pair, and returns what follows. A lone surrogate becomes
// U+FFFD, as in encoding/json.
func codePoint(text []byte) (r rune, rest []byte) {
	r, rest = hexadecimal(text[2:6]), text[6:]
	if !utf16.IsSurrogate(r) {
		return r, rest
	}
	if len(rest) >= 6 && rest[0] == '\\' && rest[1] == 'u' {
		if pair := utf16.DecodeRune(r, hexadecimal(rest[2:6])); pair != utf8.RuneError {
			return pair, rest[6:]
		}
	}
	return utf8.RuneError, rest
}

// hexadecimal returns the value of four hexadecimal digits.
func hexadecimal(digits []byte) rune {
	r, _ := strconv.ParseUint(string(digits), 16, 16)
	return rune(r)
}

func skipSpace(p []byte, at int) int {
	for p[at] == ' ' || p[at] == '\t' || p[at] == '\n' || p[at] == '\r' {
		at++
	}
	return at
}

// skipString returns the offset after the string that begins at an offset.
func skipString(p []byte, at int) int {
	for end := at + 1; ; end++ {
		end += bytes.IndexByte(p[end:], '"')
		slashes := 0
		for p[end-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return end + 1
		}
	}
}

// skipValue returns the offset after the value that begins at an offset.
func skipValue(p []byte, at int) int {
	switch p[at] {
	case '"':
		return skipString(p, at)
	case '{', '[':
		return skipNested(p, at)
	}
	if n := bytes.IndexAny(p[at:], ",}] \t\n\r"); n >= 0 {
		return at + n
	}
	return len(p)
}

// skipNested returns the offset after an object or a list.
func skipNested(p []byte, at int) int {
	for depth := 0; ; {
		switch p[at] {
		case '"':
			at = skipString(p, at)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		at++
		if depth == 0 {
			return at
		}
	}
}
