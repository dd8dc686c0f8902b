package documents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// JSONL reads an object per line. Lines of nothing but white space are skipped.
func (p *Parser) JSONL(r io.Reader) error {
	in := p.wholeLines(r)
	want := p.Columns
	text, label, id := newField(want.Text, defaultText), newField(want.Label, defaultLabel),
		newField(want.ID, defaultID)
	for {
		line, err := in.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		line = bytes.TrimRight(line, " \t\r")
		if len(line) == 0 {
			continue
		}
		if line, err = p.checkObject(line, in.Line); err != nil {
			return err
		}
		if p.LabelLists && len(line) > lines.BufferSize {
			if err := p.Fits(cellBytes*bytes.Count(line, []byte{','}), in.Line); err != nil {
				return err
			}
		}
		d := Document{Line: in.Line}
		if d.Text, err = text.needed(line, p.Nested); err == nil {
			if d.Label, d.Labels, err = p.jsonLabel(label, line); err == nil {
				d.ID, err = id.scalar(line)
			}
		}
		if err != nil {
			return p.Errorf(in.Line, "%w", err)
		}
		if err := p.Document(d); err != nil {
			return err
		}
	}
}

// jsonLabel returns the label of an object and, if that may be and is a list, all of them; the first one is the label.
func (p *Parser) jsonLabel(label field, object []byte) (first []byte, all []string, err error) {
	list := label.find(object)
	if !p.LabelLists || len(list) == 0 || list[0] != '[' {
		first, err = label.scalar(object)
		return first, nil, err
	}
	var items []json.RawMessage
	if err := json.Unmarshal(list, &items); err != nil {
		return nil, nil, err
	}
	for k, item := range items {
		name := bytes.TrimSpace(item)
		switch {
		case name[0] == '"':
			name = bytes.Trim(unquote(name), " ")
		case name[0] != '-' && (name[0] < '0' || name[0] > '9'):
			return nil, nil, fmt.Errorf("entry %d of field %s is %s, want a string or a number", k+1,
				lines.Quote(label.name), kindOfJSON(name))
		}
		if len(name) == 0 {
			return nil, nil, fmt.Errorf("entry %d of field %s is empty, want a label", k+1, lines.Quote(label.name))
		}
		all = append(all, p.Intern(name))
	}
	if len(all) == 0 {
		return nil, nil, fmt.Errorf("field %s is an empty list, want a label at least", lines.Quote(label.name))
	}
	return []byte(all[0]), all, nil
}

// checkObject returns an error unless a line is a JSON object in UTF-8, which it returns without white space around it.
func (p *Parser) checkObject(line []byte, number int) ([]byte, error) {
	if err := p.checkText(line, number); err != nil {
		return nil, err
	}
	if !utf8.Valid(line) { // which nobody checked if texts are bytes
		return nil, p.Errorf(number, "not UTF-8, as JSON has to be")
	}
	if !json.Valid(line) {
		var any json.RawMessage
		err := json.Unmarshal(line, &any)
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, p.Errorf(number, "column %d: invalid JSON: %w", syntax.Offset, err)
		}
		return nil, p.Errorf(number, "invalid JSON: %w", err)
	}
	object := bytes.TrimLeft(line, " \t\r")
	if object[0] != '{' {
		return nil, p.Errorf(number, "found %s, want a JSON object {…} on every line", lines.ByteName(object[0]))
	}
	return object, nil
}

// field is a member that is looked for in every object.
type field struct {
	name     string
	steps    []string // names between dots
	explicit bool     // asked for, so that it has to be there
}

func newField(name, otherwise string) field {
	wanted := orDefault(name, otherwise)
	return field{name: wanted, steps: strings.Split(wanted, "."), explicit: name != ""}
}

// find returns the field's value in a valid object, nil if it is missing or null.
func (f field) find(object []byte) []byte {
	value := member(object, f.name)
	if value == nil && len(f.steps) > 1 {
		value = object
		for _, step := range f.steps {
			if len(value) == 0 || value[0] != '{' {
				return nil
			}
			value = member(value, step)
		}
	}
	if string(value) == "null" {
		return nil
	}
	return value
}

// needed returns the string that has to be there, or an object or a list as it is written if that is wanted.
func (f field) needed(object []byte, nested bool) ([]byte, error) {
	value := f.find(object)
	switch {
	case value == nil:
		return nil, f.missing()
	case nested && (value[0] == '{' || value[0] == '['):
		return value, nil
	case value[0] != '"':
		return nil, errors.New("field " + lines.Quote(f.name) + " is " + kindOfJSON(value) + ", want a string")
	}
	return unquote(value), nil
}

// scalar returns a string as it is and a number, true or false as it is written; nil if the field is missing and may
// be.
func (f field) scalar(object []byte) ([]byte, error) {
	value := f.find(object)
	switch {
	case value == nil && f.explicit:
		return nil, f.missing()
	case value == nil:
		return nil, nil
	case value[0] == '{' || value[0] == '[':
		return nil, errors.New("field " + lines.Quote(f.name) + " is " + kindOfJSON(value) +
			", want a string or a number")
	case value[0] == '"':
		return unquote(value), nil
	}
	return value, nil
}

func (f field) missing() error {
	return errors.New("field " + lines.Quote(f.name) + " is missing")
}

func kindOfJSON(value []byte) string {
	switch value[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 't', 'f':
		return "a truth value"
	case 'n':
		return "null"
	}
	return "a number"
}
