package documents

import (
	"bytes"
	"errors"
	"io"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// labelPrefix begins the words of fastText that are labels.
const labelPrefix = "__label__"

// IsFastText reports whether a text begins as a line of fastText with a label does.
func IsFastText(text string) bool { return bytes.HasPrefix([]byte(text), []byte(labelPrefix)) }

// ErrLabels ends the error about several labels where one is wanted.
var ErrLabels = errors.New("several are for multi-label learning")

// FastText reads a record per line: words that begin with __label__ are its labels, without that prefix, the rest is
// its text. Blank lines are skipped.
func (p *Parser) FastText(r io.Reader) error {
	var text []byte
	return p.eachFilled(r, trimBlanks, func(line []byte, number int) error {
		if err := p.fitsCells(line, '_', number); err != nil {
			return err
		}
		d := Document{Line: number}
		text = text[:0]
		for {
			before, name, after := cutLabel(line)
			text = append(text, before...)
			if name == nil {
				break
			}
			if len(name) == 0 {
				return p.Errorf(number, "%s without a name, want a label such as %[1]sx", labelPrefix)
			}
			d.Labels, line = append(d.Labels, p.Intern(name)), after
		}
		d.Text = bytes.TrimRight(text, " \t")
		switch {
		case len(d.Labels) > 1 && !p.LabelLists:
			return p.Errorf(number, "%d labels, want one; %w", len(d.Labels), ErrLabels)
		case len(d.Labels) > 0:
			d.Label = []byte(d.Labels[0])
		}
		return p.Document(d)
	})
}

func trimBlanks(line []byte) []byte { return bytes.Trim(line, " \t") }

// cutLabel cuts a text around the first word that is a label, whose name is nil if there is none.
func cutLabel(text []byte) (before, name, after []byte) {
	for at := 0; ; at += len(labelPrefix) {
		found := bytes.Index(text[at:], []byte(labelPrefix))
		if found < 0 {
			return text, nil, nil
		}
		if at += found; at == 0 || text[at-1] == ' ' || text[at-1] == '\t' {
			name, after = lines.CutWord(text[at+len(labelPrefix):])
			return text[:at], name, bytes.TrimLeft(after, " \t")
		}
	}
}
