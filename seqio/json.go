package seqio

import (
	"bytes"
	"encoding/json"
)

// These walk over JSON that encoding/json has found to be valid, so that they need no checks; decoding all of a line into maps costs several times more.

// member returns the value of an object's member, the last one of that name as in encoding/json, or nil.
func member(object []byte, name string) (value []byte) {
	at := skipSpace(object, 1)
	for object[at] != '}' {
		end := skipString(object, at)
		key := object[at:end]
		at = skipSpace(object, skipSpace(object, end)+1) // behind the colon
		end = skipValue(object, at)
		if isKey(key, name) {
			value = object[at:end]
		}
		if at = skipSpace(object, end); object[at] == ',' {
			at = skipSpace(object, at+1)
		}
	}
	return value
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
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		panic("seqio: invalid string in valid JSON: " + err.Error())
	}
	return []byte(s)
}

func skipSpace(p []byte, at int) int {
	for p[at] == ' ' || p[at] == '\t' || p[at] == '\n' || p[at] == '\r' {
		at++
	}
	return at
}

// skipString returns the offset behind the string that begins at an offset.
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

// skipValue returns the offset behind the value that begins at an offset.
func skipValue(p []byte, at int) int {
	switch p[at] {
	case '"':
		return skipString(p, at)
	case '{', '[':
		return skipNested(p, at)
	}
	for at < len(p) && bytes.IndexByte([]byte(",}] \t\n\r"), p[at]) < 0 {
		at++
	}
	return at
}

// skipNested returns the offset behind an object or a list.
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
