package documents

import (
	"bytes"
	"io"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// IsJSONList reports whether a text begins as a list of JSON objects does.
func IsJSONList(text string) bool {
	return len(text) > 0 && text[0] == '[' && isListStart([]byte(text[1:]))
}

// isListStart reports whether what follows '[' can be a list of objects.
func isListStart(rest []byte) bool {
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return len(rest) == 0 || rest[0] == '{' || rest[0] == ']'
}

// JSONList reads the objects of one list, on one line or many. Their ids are by default their numbers. Only the current
// one is held.
func (p *Parser) JSONList(r io.Reader) error {
	in, l := lines.NewReader(r), &jsonList{p: p, fields: p.fieldsOfObjects()}
	err := lines.Each(in.Next, func(piece lines.Piece) error {
		if piece.First {
			l.column = 0
		}
		err := l.take(piece.Data, in.Line)
		if piece.Last && err == nil && l.state == insideObject {
			err = l.hold([]byte{'\n'}, in.Line)
		}
		return err
	})
	if err != nil {
		return err
	}
	switch l.state {
	case afterList:
		return nil
	case insideObject:
		return p.Errorf(l.at.line, "object %d of the list is cut off", l.at.number)
	}
	return p.Errorf(in.Line, "the list is cut off after object %d, want ']'", l.at.number)
}

// jsonList is a list that is being read.
type jsonList struct {
	p      *Parser
	fields *objectFields
	state  listState
	at     place  // of the object, the last one that has begun
	object []byte // so far
	column int    // bytes of the line before what is taken next

	depth           int // of what is open in the object
	quoted, escaped bool
}

// listState is where in a list something is.
type listState int

const (
	beforeList listState = iota
	beforeFirst
	beforeObject
	insideObject
	afterObject
	afterList
)

// take takes a part of a line.
func (l *jsonList) take(data []byte, line int) error {
	for at := 0; at < len(data); {
		if l.state == insideObject {
			n := l.objectEnd(data[at:])
			if err := l.hold(data[at:at+n], line); err != nil {
				return err
			}
			at += n
			if l.depth > 0 {
				break
			}
			l.state = afterObject
			if err := l.p.object(l.fields, l.object, l.at); err != nil {
				return err
			}
			continue
		}
		if b := data[at]; b == '{' && (l.state == beforeFirst || l.state == beforeObject) {
			l.state, l.object = insideObject, l.object[:0]
			l.at = place{line: line, column: l.column + at, number: l.at.number + 1}
			continue
		} else if err := l.between(b, line, l.column+at+1); err != nil {
			return err
		}
		at++
	}
	l.column += len(data)
	return nil
}

// between takes a byte that is not inside an object.
func (l *jsonList) between(b byte, line, column int) error {
	want := ""
	switch l.state {
	case beforeList, beforeFirst:
		want = "a list of JSON objects [{…}, …]"
	case beforeObject:
		want = "a JSON object {…}"
	case afterObject:
		want = "',' or ']'"
	case afterList:
		want = "nothing after the list"
	}
	switch {
	case b == ' ' || b == '\t' || b == '\r':
	case b == '[' && l.state == beforeList:
		l.state = beforeFirst
	case b == ',' && l.state == afterObject:
		l.state = beforeObject
	case b == ']' && (l.state == afterObject || l.state == beforeFirst):
		l.state = afterList
	case b == '[' && l.state == beforeFirst:
		return l.p.Errorf(line, "column %d: a JSON list of lists, want %s", column, want)
	case b == '"' && l.state == beforeFirst:
		return l.p.Errorf(line, "column %d: a JSON list of strings, want %s", column, want)
	default:
		return l.p.Errorf(line, "column %d: found %s, want %s", column, lines.ByteName(b), want)
	}
	return nil
}

// hold adds a part of the object.
func (l *jsonList) hold(data []byte, line int) error {
	size := len(l.object) + len(data)
	if size > l.p.Limit {
		return l.p.Errorf(line, "object of more than %d bytes; split it", l.p.Limit)
	}
	if size > lines.BufferSize {
		if err := l.p.Fits(3*size, line); err != nil { // twice as the text grows, and as it is copied
			return err
		}
	}
	l.object = append(l.object, data...)
	return nil
}

// objectEnd returns how many bytes belong to the object, which ends there if depth is 0 then. Which bracket closes
// which is checked when it is whole.
func (l *jsonList) objectEnd(data []byte) int {
	for i, b := range data {
		switch {
		case l.escaped:
			l.escaped = false
		case l.quoted:
			l.escaped, l.quoted = b == '\\', b != '"'
		case b == '"':
			l.quoted = true
		case b == '{' || b == '[':
			l.depth++
		case b == '}' || b == ']':
			if l.depth--; l.depth == 0 {
				return i + 1
			}
		}
	}
	return len(data)
}
