package documents

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// KeLP reads an example of KeLP per line: labels, then representations |BT:name| … |ET|. Lines of nothing but white
// space are skipped.
func (p *Parser) KeLP(r io.Reader) error {
	return p.eachFilled(r, trimSpaceRight, func(line []byte, number int) error {
		line = bytes.TrimLeftFunc(line, unicode.IsSpace)
		text, err := kelpText(line, p.Columns.Text)
		if err != nil {
			return p.Errorf(number, "%w", err)
		}
		labels := line[:bytes.IndexByte(line, '|')]
		if err := p.Fits(cellBytes/2*len(labels), number); err != nil {
			return err
		}
		d := Document{Text: text, Line: number}
		for _, label := range bytes.Fields(labels) {
			d.Labels = append(d.Labels, p.Intern(label))
		}
		if len(d.Labels) > 0 {
			d.Label = []byte(d.Labels[0])
		}
		return p.Document(d)
	})
}

func trimSpaceRight(line []byte) []byte { return bytes.TrimRightFunc(line, unicode.IsSpace) }

// IsKeLP reports whether a text looks like examples of KeLP: representations in its first line.
func IsKeLP(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	return slices.ContainsFunc([]string{"|BT", "|BS", "|BV", "|BDV"},
		func(s string) bool { return strings.Contains(line, s) })
}

// kelpText returns the representation with a name, or the first tree if that is empty. One without a name is called by
// its number among all, from 0.
func kelpText(line []byte, name string) ([]byte, error) {
	at := bytes.IndexByte(line, '|')
	if at < 0 {
		return nil, fmt.Errorf("no representation, want one such as |BT:name| … |ET|")
	}
	var names []string
	for rest := line[at:]; len(rest) > 0; {
		r, err := cutRepresentation(&rest)
		if err != nil {
			return nil, err
		}
		if r.name == "" {
			r.name = fmt.Sprint(len(names))
		}
		if r.name == name || name == "" && r.kind == "T" {
			return r.body, nil
		}
		names = append(names, r.name)
	}
	if name == "" {
		return nil, fmt.Errorf("no tree |BT| among %s; choose another by its name", lines.List(names))
	}
	return nil, fmt.Errorf("no representation %s among %s", lines.Quote(name), lines.List(names))
}

// representation is a part of an example, such as |BT:name| body |ET|.
type representation struct {
	kind string // T
	name string
	body []byte
}

// cutRepresentation returns what text begins with and leaves the rest without white space at its ends.
func cutRepresentation(text *[]byte) (r representation, err error) {
	p := *text
	if bytes.HasPrefix(p, []byte("|<|")) {
		return r, fmt.Errorf("a pair of examples, want one example per line")
	}
	head, body, found := bytes.Cut(bytes.TrimPrefix(p, []byte("|B")), []byte{'|'})
	if !bytes.HasPrefix(p, []byte("|B")) || !found {
		return r, fmt.Errorf("found %s, want a representation such as |BT:name| … |ET|",
			lines.Quote(string(p[:min(len(p), 80)])))
	}
	kind, name, _ := bytes.Cut(head, []byte{':'})
	closing := "|E" + string(kind) + "|"
	body, rest, found := bytes.Cut(body, []byte(closing))
	if !found {
		return r, fmt.Errorf("the representation %s is not closed, want %s", lines.Quote(string(head)),
			lines.Quote(closing))
	}
	*text = bytes.TrimSpace(rest)
	return representation{string(kind), string(name), bytes.TrimSpace(body)}, nil
}
