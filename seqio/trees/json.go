package trees

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// jsonReader reads JSON, value by value, with a byte per open object or list.
type jsonReader struct {
	text  []byte
	at    int
	b     *builder
	stack []container
}

// container is an open object or list.
type container uint8

// What is known of a container.
const (
	isObject container = 1 << iota // else a list
	isNode                         // it is a separate node
)

var objectLabel, listLabel = []byte("{}"), []byte("[]")

func (r *jsonReader) read(text []byte, b *builder) error {
	r.text, r.at, r.b, r.stack = text, 0, b, r.stack[:0]
	if !utf8.Valid(text) {
		return errorAt(0, "not UTF-8, which JSON requires")
	}
	r.skip()
	for r.at < len(text) {
		if err := r.tree(); err != nil {
			return err
		}
		before := r.at
		r.skip()
		if c := text[before-1]; r.at == before && r.at < len(text) && c != '}' && c != ']' {
			return errorAt(r.at, "%s after a value, want white space or the end", found(text, r.at))
		}
	}
	return nil
}

// tree reads a value with all that it holds.
func (r *jsonReader) tree() error {
	for more := true; more || len(r.stack) > 0; {
		var err error
		if more {
			more, err = r.value()
		} else {
			more, err = r.next()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *jsonReader) skip() {
	for ; r.at < len(r.text); r.at++ {
		if c := r.text[r.at]; c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return
		}
	}
}

// value reads a scalar, or the beginning of an object or a list up to its first value; more reports whether there is
// one.
func (r *jsonReader) value() (more bool, err error) {
	if r.at == len(r.text) {
		return false, errorAt(r.at, "unexpected end, want a value")
	}
	switch c := r.text[r.at]; c {
	case '{', '[':
		return r.begin(c)
	case '"':
		p, err := r.string()
		if err == nil {
			r.b.text(p)
		}
		return false, err
	case 't', 'f', 'n':
		return false, r.constant(constants[c])
	default:
		return false, r.number()
	}
}

// begin opens an object or a list and reads up to its first value, if there is one.
func (r *jsonReader) begin(c byte) (more bool, err error) {
	frame, label, closing := container(0), listLabel, byte(']')
	if c == '{' {
		frame, label, closing = isObject, objectLabel, '}'
	}
	if len(r.stack) == 0 || r.stack[len(r.stack)-1]&isObject == 0 {
		frame |= isNode
		r.b.name(label)
	}
	r.at++
	r.skip()
	if r.at < len(r.text) && r.text[r.at] == closing {
		r.at++
		if frame&isNode != 0 {
			r.b.w.Close()
		}
		return false, nil
	}
	r.stack = append(r.stack, frame)
	if frame&isObject != 0 {
		err = r.key()
	}
	return true, err
}

// key reads a key and the colon, and begins the member's node.
func (r *jsonReader) key() error {
	if r.at == len(r.text) || r.text[r.at] != '"' {
		return errorAt(r.at, "%s, want a key in quotes", found(r.text, r.at))
	}
	p, err := r.string()
	if err != nil {
		return err
	}
	r.b.name(p)
	r.skip()
	if r.at == len(r.text) || r.text[r.at] != ':' {
		return errorAt(r.at, "%s after a key, want a colon", found(r.text, r.at))
	}
	r.at++
	r.skip()
	return nil
}

// next continues after a value in a container: to the next value, if there is one more, or to the end of the container.
func (r *jsonReader) next() (more bool, err error) {
	frame := r.stack[len(r.stack)-1]
	closing := byte(']')
	if frame&isObject != 0 {
		closing = '}'
	}
	r.skip()
	if r.at == len(r.text) || r.text[r.at] != ',' && r.text[r.at] != closing {
		return false, errorAt(r.at, "%s after a value, want a comma or %c", found(r.text, r.at), closing)
	}
	if frame&isObject != 0 {
		r.b.w.Close() // the member
	}
	r.at++
	if r.text[r.at-1] == closing {
		r.stack = r.stack[:len(r.stack)-1]
		if frame&isNode != 0 {
			r.b.w.Close()
		}
		return false, nil
	}
	r.skip()
	if frame&isObject != 0 {
		err = r.key()
	}
	return true, err
}

// string reads a string in quotes and returns what it says.
func (r *jsonReader) string() ([]byte, error) {
	start, plain := r.at, true
	for i := start + 1; i < len(r.text); i++ {
		switch c := r.text[i]; {
		case c == '"':
			r.at = i + 1
			if plain {
				return r.text[start+1 : i], nil
			}
			var s string
			if err := json.Unmarshal(r.text[start:r.at], &s); err != nil {
				return nil, errorAt(start, "a string with an invalid escape: %w", err)
			}
			return []byte(s), nil
		case c == '\\':
			plain = false
			i++
		case c < ' ':
			return nil, errorAt(i, "a control character in a string, want an escape such as \\n")
		}
	}
	return nil, errorAt(start, "unclosed string")
}

var constants = map[byte]string{'t': "true", 'f': "false", 'n': "null"}

// constant reads true, false or null.
func (r *jsonReader) constant(word string) error {
	start := r.at
	if !bytes.HasPrefix(r.text[start:], []byte(word)) {
		return errorAt(start, "%s, want a value", found(r.text, start))
	}
	r.at += len(word)
	r.b.text(r.text[start:r.at])
	return nil
}

// number reads a number, which is kept as it is written.
func (r *jsonReader) number() error {
	end := numberEnd(r.text, r.at)
	if end == 0 {
		return errorAt(r.at, "%s, want a value", found(r.text, r.at))
	}
	start := r.at
	r.at = end
	if r.b.count.text || r.b.count.words {
		r.b.w.Leaf(r.text[start:end])
	}
	return nil
}

// numberEnd returns the end of the number that begins at an offset, 0 if there is none.
func numberEnd(p []byte, at int) int {
	digits := func() bool {
		start := at
		for at < len(p) && p[at] >= '0' && p[at] <= '9' {
			at++
		}
		return at > start
	}
	if at < len(p) && p[at] == '-' {
		at++
	}
	if at < len(p) && p[at] == '0' {
		at++
	} else if !digits() {
		return 0
	}
	if at < len(p) && p[at] == '.' {
		at++
		if !digits() {
			return 0
		}
	}
	if at < len(p) && p[at]|0x20 == 'e' {
		at++
		if at < len(p) && (p[at] == '+' || p[at] == '-') {
			at++
		}
		if !digits() {
			return 0
		}
	}
	return at
}
