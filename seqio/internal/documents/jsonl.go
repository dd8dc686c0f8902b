package documents

import (
	"bytes"
	"cmp"
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
	f := p.fieldsOfObjects()
	return p.eachLine(r, func(line []byte, number int) error {
		line = bytes.TrimRight(line, " \t\r")
		if len(line) == 0 {
			return nil
		}
		return p.object(f, line, place{line: number})
	})
}

// objectFields are the members of objects that a document is made of.
type objectFields struct {
	text, label, id field
	parts           []field  // of a text of several
	left            int      // of them, the first sequence of a pair
	texts           [][]byte // of the parts
	others          []field
	values          [][]byte // of others
}

func (p *Parser) fieldsOfObjects() *objectFields {
	want, trained := p.Columns, p.Trained
	f := &objectFields{
		text:   newField("text", want.Text, trained.Text, defaultText),
		label:  newField("label", want.Label, trained.Label, defaultLabel),
		id:     newField("id", want.ID, trained.ID, defaultID),
		values: make([][]byte, len(p.Fields)),
	}
	names, left := partsOf(f.text.name)
	if f.left = left; len(names) > 1 {
		for _, name := range names {
			f.parts = append(f.parts, newField("text", name, "", ""))
		}
	}
	for _, name := range p.Fields {
		f.others = append(f.others, newField(name, name, "", ""))
	}
	return f
}

// place is where an object is.
type place struct {
	line   int // where it begins
	column int // bytes before it on that line
	number int // of the element of a list, from 1; 0 where there is one on each line
}

// object takes a document from the text of an object, which is to be checked.
func (p *Parser) object(f *objectFields, text []byte, at place) error {
	object, err := p.checkObject(text, at)
	if err == nil && p.LabelLists {
		err = p.fitsCells(object, ',', at.line)
	}
	if err != nil {
		return err
	}
	d := Document{Line: at.line, Number: at.number, Fields: f.values}
	if err = cmp.Or(f.text.check(object), f.label.check(object), f.id.check(object)); err == nil {
		d.Text, err = p.jsonText(f, object)
	}
	if err == nil {
		d.Label, d.Labels, err = p.jsonLabel(f.label, object)
	}
	if err == nil {
		d.ID, err = f.id.scalar(object)
	}
	for k := 0; k < len(f.others) && err == nil; k++ {
		f.values[k], err = f.others[k].scalar(object)
	}
	if err != nil && at.number > 0 {
		err = fmt.Errorf("object %d of the list: %w", at.number, err)
	}
	if err != nil {
		return p.Errorf(at.line, "%w", err)
	}
	return p.Document(d)
}

// jsonText returns the text of an object, which may be of several fields.
func (p *Parser) jsonText(f *objectFields, object []byte) ([]byte, error) {
	whole, err := f.text.own(object)
	if len(f.parts) == 0 || whole != nil || err != nil {
		return f.text.needed(object, p.Nested)
	}
	texts := f.texts[:0]
	for _, part := range f.parts {
		text, err := part.needed(object, p.Nested)
		if err != nil && f.text.fallback != nil {
			return f.text.needed(object, p.Nested)
		}
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	f.texts = texts
	return joined(texts, f.left), nil
}

// jsonLabel returns the label of an object and, if that may be and is a list, all of them; the first one is the label.
// An empty list has none.
func (p *Parser) jsonLabel(label field, object []byte) (first []byte, all []string, err error) {
	list, err := label.find(object)
	if err != nil {
		return nil, nil, err
	}
	if len(list) == 0 || list[0] != '[' {
		first, err = label.scalar(object)
		return first, nil, err
	}
	if !p.LabelLists {
		return nil, nil, fmt.Errorf("field %s is a list, want one label; %w", lines.Quote(label.name), ErrLabels)
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
		case !isNumber(name):
			return nil, nil, fmt.Errorf("entry %d of field %s is %s, want a string or a number", k+1,
				lines.Quote(label.name), kindOfJSON(name))
		default:
			name = canonical(name)
		}
		if len(name) == 0 {
			return nil, nil, fmt.Errorf("entry %d of field %s is empty, want a label", k+1, lines.Quote(label.name))
		}
		all = append(all, p.Intern(name))
	}
	if len(all) == 0 {
		return nil, nil, nil
	}
	return []byte(all[0]), all, nil
}

// checkObject returns an error unless a text is a JSON object in UTF-8, which it returns without white space around it.
func (p *Parser) checkObject(text []byte, at place) ([]byte, error) {
	if err := p.checkText(text, at.line); err != nil {
		return nil, err
	}
	if !utf8.Valid(text) { // not checked before if texts are bytes
		return nil, p.Errorf(at.line, "not UTF-8, which JSON requires")
	}
	if !json.Valid(text) {
		return nil, p.invalidJSON(text, at)
	}
	object := bytes.TrimLeft(text, " \t\r")
	if object[0] != '{' {
		return nil, p.Errorf(at.line, "found %s, want a JSON object {…} on every line", lines.ByteName(object[0]))
	}
	return object, nil
}

// invalidJSON says where a text is not JSON, by line and column.
func (p *Parser) invalidJSON(text []byte, at place) error {
	var syntax *json.SyntaxError
	errors.As(json.Unmarshal(text, new(json.RawMessage)), &syntax)
	before := text[:max(syntax.Offset-1, 0)]
	line, column := bytes.Count(before, []byte{'\n'}), int(syntax.Offset)-1-bytes.LastIndexByte(before, '\n')
	if line == 0 {
		column += at.column
	}
	hint := ""
	if at.number == 0 && int(syntax.Offset) == len(text) && bytes.IndexByte([]byte("{[,"), text[len(text)-1]) >= 0 {
		hint = "; want an object on every line, or one list of them; jq -c . puts each on a line"
	}
	return p.Errorf(at.line+line, "column %d: invalid JSON: %w%s", column, syntax, hint)
}

// field is a member that is looked for in every object.
type field struct {
	name     string
	steps    []string // names between dots
	part     string   // text, label or id
	explicit bool     // asked for, so that it is required
	trained  *field   // that of the training data, if another is asked for
	fallback *field   // where that of the training data is missing
}

// newField returns the field that is asked for or, if none is, that of the training data, else the default.
func newField(part, want, trained, otherwise string) field {
	named := func(name string) *field { return &field{name: name, steps: strings.Split(name, "."), part: part} }
	f := *named(cmp.Or(want, trained, otherwise))
	f.explicit = want != ""
	switch {
	case trained == "" || trained == want:
	case f.explicit:
		f.trained = named(trained)
	default:
		f.fallback = named(otherwise)
	}
	return f
}

// check returns an error if an object has both the field that is asked for and that of the training data.
func (f field) check(object []byte) error {
	if f.trained == nil {
		return nil
	}
	value, err := f.trained.find(object)
	if value != nil {
		return otherColumn(f.part, f.name, f.trained.name)
	}
	return err
}

// find returns the field's value in a valid object, nil if it is missing or null.
func (f field) find(object []byte) ([]byte, error) {
	value, err := f.own(object)
	if value == nil && err == nil && f.fallback != nil {
		return f.fallback.own(object)
	}
	return value, err
}

func (f field) own(object []byte) ([]byte, error) {
	value, err := member(object, f.name)
	if value == nil && len(f.steps) > 1 {
		value = object
		for k := 0; k < len(f.steps) && err == nil; k++ {
			if len(value) == 0 || value[0] != '{' {
				return nil, nil
			}
			value, err = member(value, f.steps[k])
		}
	}
	if string(value) == "null" {
		return nil, nil
	}
	return value, err
}

// needed returns the required string, or an object or a list as written if nested is set.
func (f field) needed(object []byte, nested bool) ([]byte, error) {
	value, err := f.find(object)
	switch {
	case err != nil:
		return nil, err
	case value == nil:
		return nil, f.missing(hintOfList(object))
	case nested && (value[0] == '{' || value[0] == '['):
		return value, nil
	case value[0] != '"':
		err := fmt.Errorf("field %s is %s, want a string", lines.Quote(f.name), kindOfJSON(value))
		if value[0] == '{' {
			err = fmt.Errorf("%w in an object for each record, as pandas writes with orient=\"records\"", err)
		}
		return nil, err
	}
	return unquote(value), nil
}

// hintOfList names the first member of an object that is a list of objects, which may be the records.
func hintOfList(object []byte) string {
	for name, value := range members(object) {
		if value[0] == '[' && value[skipSpace(value, 1)] == '{' {
			return fmt.Sprintf("; if the list %.80s has the records, jq -c '.[%.80[1]s][]' puts each on a line", name)
		}
	}
	return ""
}

// scalar returns the value of a string, true or false, and a number, of an id as written; nil if an optional field is
// missing.
func (f field) scalar(object []byte) ([]byte, error) {
	value, err := f.find(object)
	switch {
	case err != nil:
		return nil, err
	case value == nil && f.explicit:
		return nil, f.missing("")
	case value == nil:
		return nil, nil
	case value[0] == '{' || value[0] == '[':
		return nil, fmt.Errorf("field %s is %s, want a string or a number", lines.Quote(f.name), kindOfJSON(value))
	case value[0] == '"':
		return unquote(value), nil
	case f.part != "id" && isNumber(value):
		return canonical(value), nil
	}
	return value, nil
}

// isNumber reports whether a JSON value is a number.
func isNumber(value []byte) bool { return value[0] == '-' || '0' <= value[0] && value[0] <= '9' }

// canonical returns the spelling of a number that all equal ones share (RFC 8259, section 6): classes must not depend
// on the writer.
func canonical(number []byte) []byte {
	if name, ok := lines.CanonicalNumber(string(number)); ok {
		return []byte(name)
	}
	return number
}

// missing is the error of an object without the field, with a hint.
func (f field) missing(hint string) error {
	err := fmt.Errorf("field %s is missing%s", lines.Quote(f.name), hint)
	if f.name == defaultText && !f.explicit {
		err = fmt.Errorf("%w; %w", err, ErrNoText)
	}
	return err
}

// jsonKinds name values by their first bytes.
var jsonKinds = map[byte]string{
	'{': "an object", '[': "a list", '"': "a string", 't': "a boolean", 'f': "a boolean", 'n': "null",
}

func kindOfJSON(value []byte) string { return cmp.Or(jsonKinds[value[0]], "a number") }
