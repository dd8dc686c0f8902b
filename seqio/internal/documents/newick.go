package documents

import (
	"bytes"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Newick reads trees of Newick, each of which ends at its semicolon: a record is a line or, if a tree or a comment goes
// on after it, several. Lines without a tree are skipped.
type Newick struct {
	p     *Parser
	text  []byte // lines of a record that goes on
	line  int    // where the record begins
	some  bool   // it has a tree, or the beginning of one
	tree  bool   // that has not ended
	depth int    // open comments
}

// NewNewick returns a reader that gives records to the sink of a parser.
func NewNewick(p *Parser) *Newick { return &Newick{p: p} }

// Read reads as many lines as there are, which others may follow.
func (n *Newick) Read(in *lines.Reader) error {
	return n.p.eachLineOf(in, func(line []byte, number int) error {
		if err := n.p.checkLine(line, number); err != nil {
			return err
		}
		if len(n.text) == 0 {
			n.line, n.some = number, false
		}
		goesOn := n.scan(line)
		if len(n.text) == 0 && !goesOn {
			return n.record(line)
		}
		if err := n.p.Fits(4*(len(n.text)+len(line)), number); err != nil {
			return err
		}
		n.text = append(append(n.text, line...), '\n')
		if goesOn {
			return nil
		}
		return n.End()
	})
}

// scan reports whether the record goes on after a line.
func (n *Newick) scan(line []byte) bool {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '[':
			n.depth++
			continue
		case c == ']' && n.depth > 0:
			n.depth--
			continue
		case n.depth > 0 || c == ' ' || '\t' <= c && c <= '\r':
			continue
		case c == '\'':
			size := bytes.IndexByte(line[i+1:], '\'')
			if size < 0 { // no name has a line end
				n.some, n.tree = true, false
				return false
			}
			i += 1 + size
		}
		n.some, n.tree = true, line[i] != ';'
	}
	return n.tree || n.depth > 0
}

// record gives a text with trees to the sink.
func (n *Newick) record(text []byte) error {
	if !n.some {
		return nil
	}
	return n.p.Document(Document{Text: text, Line: n.line})
}

// Inside reports whether what follows belongs to a record that goes on.
func (n *Newick) Inside() bool { return len(n.text) > 0 }

// End ends the record that goes on, if there is one: the sink finds what it lacks.
func (n *Newick) End() error {
	if !n.Inside() {
		return nil
	}
	text := n.text[:len(n.text)-1]
	n.some = n.some || n.depth > 0
	n.text, n.tree, n.depth = n.text[:0], false, 0
	return n.record(text)
}
