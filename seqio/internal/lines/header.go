package lines

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// HeaderPattern finds a name in headers, each an id, a blank and a description: what the first group of a regular
// expression matches, or all of it if it has no group.
type HeaderPattern struct{ expression *regexp.Regexp }

// ParseHeaderPattern reads regex:PATTERN, the syntax that of package regexp. Without regex: there is no pattern, nil.
func ParseHeaderPattern(option string) (*HeaderPattern, error) {
	pattern, is := strings.CutPrefix(option, "regex:")
	switch {
	case !is:
		return nil, nil
	case pattern == "":
		return nil, errors.New("regex: without a pattern")
	}
	expression, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("regex: %w", err)
	}
	return &HeaderPattern{expression}, nil
}

// Find returns the name in a header. A header without it is an error.
func (p *HeaderPattern) Find(header string) (string, error) {
	match := p.expression.FindStringSubmatch(header)
	if match == nil {
		return "", fmt.Errorf("the header does not match %.80q", p.expression)
	}
	name := match[min(1, len(match)-1)]
	if name == "" {
		return "", fmt.Errorf("the header matches %.80q with an empty group", p.expression)
	}
	return name, nil
}

// HeaderOf joins the parts of a header.
func HeaderOf(id, description string) string {
	if description == "" {
		return id
	}
	return id + " " + description
}

// WordAsLabel is what a model remembers if the id is the label: the only word of the header.
const WordAsLabel = `regex:^\S+$`

// HeaderLabel says where the label of a record is in its header. The zero value is label=X, else the first word of the
// description.
type HeaderLabel struct {
	ID      bool           // the id
	Name    string         // X of Name=X
	Pattern *HeaderPattern // what it finds

	Required bool // in every record; otherwise those without it have their label where it is by default
}

// ParseHeaderLabel reads what labels are asked for, id, regex:PATTERN or NAME, or if that is empty, what the labels of
// the training data were.
func ParseHeaderLabel(want, trained string) (h HeaderLabel, err error) {
	h.Required = want != ""
	switch {
	case want == "id", want == "" && trained == WordAsLabel:
		h.ID = true
		return h, nil
	case want == "":
		want = trained
	}
	if h.Pattern, err = ParseHeaderPattern(want); h.Pattern == nil && err == nil {
		h.Name = want
	}
	return h, err
}

// Of returns the label, and whether it is given: not only the first word of the description. An error says that a
// required label is missing.
func (h HeaderLabel) Of(id, description string) (label string, given bool, err error) {
	switch {
	case h.ID:
		if h.Required || description == "" {
			return id, true, nil
		}
	case h.Pattern != nil:
		if label, err = h.Pattern.Find(HeaderOf(id, description)); err == nil {
			return strings.TrimSpace(label), true, nil
		}
	case h.Name != "":
		if label, given = FieldOf(description, h.Name); given && label != "" {
			return label, true, nil
		}
		err = MissingField(h.Name, description)
	}
	if h.Required {
		return "", false, fmt.Errorf("no label: %w", err)
	}
	label, given = LabelOf(description)
	return label, given, nil
}

// IsLabel reports whether the first word of a header is no id but the label, as in label=X.
func (h HeaderLabel) IsLabel(word []byte) bool {
	name, value, _ := bytes.Cut(word, []byte{'='})
	switch {
	case len(value) == 0 || h.Pattern != nil || h.ID && h.Required:
		return false
	case h.Name != "" && string(name) == h.Name:
		return true
	}
	return string(name) == "label" && !h.Required
}

// Source names what labels are from, "" if they may be elsewhere.
func (h HeaderLabel) Source() string {
	switch {
	case h.Pattern != nil:
		return "a part of the header"
	case !h.Required:
		return ""
	case h.ID:
		return "id"
	}
	return h.Name + "=X"
}

// MissingField is the error of a description without name=X.
func MissingField(name, description string) error {
	if description == "" {
		return fmt.Errorf("no %s=… in the header", name)
	}
	return fmt.Errorf("no %s=… in the header, which has %s", name, Quote(description))
}
