package trees

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"
)

// jsonReader reads JSON, token by token.
type jsonReader struct {
	b     *builder
	stack []container
}

// container is an open object or list.
type container struct {
	object bool // else a list
	node   bool // it is a separate node
	member bool // the key of a member has been read, and not yet its value
}

var objectLabel, listLabel = []byte("{}"), []byte("[]")

func (r *jsonReader) read(text []byte, b *builder) error {
	r.b, r.stack = b, r.stack[:0]
	if !utf8.Valid(text) {
		return errorAt(0, "not UTF-8, which JSON requires")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // which are kept as they are written
	for {
		token, err := d.Token()
		switch {
		case err == io.EOF && len(r.stack) == 0:
			return nil
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return errorAt(len(text), "unexpected end, want the rest of a value")
		case err != nil:
			return errorAt(int(d.InputOffset()), "invalid JSON: %w", err)
		}
		r.token(token)
		end := int(d.InputOffset())
		if _, ended := token.(json.Delim); !ended && len(r.stack) == 0 && end < len(text) && !isBlank(text[end]) {
			return errorAt(end, "%s after a value, want white space or the end", found(text, end))
		}
	}
}

func (r *jsonReader) token(token json.Token) {
	top := new(container)
	if len(r.stack) > 0 {
		top = &r.stack[len(r.stack)-1]
	}
	switch t := token.(type) {
	case json.Delim:
		switch t {
		case '{':
			r.begin(container{object: true, node: !top.object}, objectLabel)
			return
		case '[':
			r.begin(container{node: !top.object}, listLabel)
			return
		}
		if top.node {
			r.b.w.Close()
		}
		r.stack = r.stack[:len(r.stack)-1]
	case string:
		if top.object && !top.member {
			r.b.name([]byte(t))
			top.member = true
			return
		}
		r.b.text([]byte(t))
	case json.Number:
		if r.b.count.text || r.b.count.words {
			r.b.w.Leaf([]byte(t))
		}
	case nil:
		r.b.text([]byte("null"))
	default:
		r.b.text(fmt.Append(nil, t)) // true or false
	}
	r.endValue()
}

// begin opens an object or a list.
func (r *jsonReader) begin(c container, label []byte) {
	if c.node {
		r.b.name(label)
	}
	r.stack = append(r.stack, c)
}

// endValue ends the member that a value belongs to, if it is one's.
func (r *jsonReader) endValue() {
	if len(r.stack) == 0 || !r.stack[len(r.stack)-1].object {
		return
	}
	r.stack[len(r.stack)-1].member = false
	r.b.w.Close()
}
