package documents

import (
	"bytes"
	"io"
)

// newick is the record being read.
type newick struct {
	p     *Parser
	text  []byte // lines of a record that goes on
	line  int    // where the record begins
	some  bool   // it has a tree, or the beginning of one
	tree  bool   // that has not ended
	depth int    // open comments
}

// Newick reads trees of Newick, each of which ends at its semicolon: a record is a line or, if a tree or a comment goes
// on after it, several. Lines without a tree are skipped.
func (p *Parser) Newick(r io.Reader) error {
	n := newick{p: p}
	if err := p.eachLine(r, n.add); err != nil {
		return err
	}
	return n.end()
}

// add takes a line.
func (n *newick) add(line []byte, number int) error {
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
	return n.end()
}

// scan reports whether the record goes on after a line.
func (n *newick) scan(line []byte) bool {
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
func (n *newick) record(text []byte) error {
	if !n.some {
		return nil
	}
	return n.p.Document(Document{Text: text, Line: n.line})
}

// end ends the record that goes on, if there is one: the sink finds what it lacks.
func (n *newick) end() error {
	if len(n.text) == 0 {
		return nil
	}
	text := n.text[:len(n.text)-1]
	n.some = n.some || n.depth > 0
	n.text, n.tree, n.depth = n.text[:0], false, 0
	return n.record(text)
}
