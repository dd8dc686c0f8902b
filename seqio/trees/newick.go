package trees

import (
	"bytes"
	"strconv"

	"github.com/seqsvm/seqsvm/internal/plural"
)

// newickReader reads Newick. Names follow the children, so that nodes are collected before they are
// written.
type newickReader struct {
	text    []byte
	at      int
	count   counted
	end     []int32 // of each node: one past its last descendant
	parent  []int32 // −1 for roots
	labels  []byte  // end to end
	label   []span  // of each node, in labels
	node    int     // the innermost open node, −1 if there is none
	current int     // the node being read, a child of that
	stage   newickStage
}

type span struct{ from, to int }

// newickStage is what has been read of the current node.
type newickStage int

const (
	nothing newickStage = iota
	children
	name
	length
)

func (r *newickReader) read(text []byte, b *builder) error {
	*r = newickReader{
		text: text, count: b.count, node: -1,
		end: r.end[:0], parent: r.parent[:0], labels: r.labels[:0], label: r.label[:0],
	}
	for {
		if err := r.skip(); err != nil {
			return err
		}
		if r.at == len(text) {
			r.write(b)
			return nil
		}
		if err := r.tree(); err != nil {
			return err
		}
	}
}

// tree reads one tree with its semicolon.
func (r *newickReader) tree() error {
	r.begin()
	for {
		if err := r.skip(); err != nil {
			return err
		}
		if r.at == len(r.text) {
			return errorAt(r.at, "unexpected end inside a tree, want %s", r.wanted())
		}
		var err error
		switch r.text[r.at] {
		case '(':
			err = r.opening()
		case ',', ')':
			err = r.ending()
		case ';':
			if r.node >= 0 {
				return errorAt(r.at, "; inside brackets, want , or )")
			}
			r.at++
			r.finish()
			return nil
		case ':':
			err = r.length()
		case ']':
			err = errorAt(r.at, "] without its [")
		default:
			err = r.name()
		}
		if err != nil {
			return err
		}
	}
}

// wanted says what may end the current node.
func (r *newickReader) wanted() string {
	if r.node >= 0 {
		return ", or )"
	}
	return ";"
}

func (r *newickReader) opening() error {
	if r.stage != nothing {
		return errorAt(r.at, "( inside a node, want %s", r.wanted())
	}
	r.at++
	r.node = r.current
	r.begin()
	return nil
}

// ending reads what ends the current node: a comma before the next child, or the bracket after the last one.
func (r *newickReader) ending() error {
	if r.node < 0 {
		return errorAt(r.at, "%c outside brackets, want ;", r.text[r.at])
	}
	r.finish()
	r.at++
	if r.text[r.at-1] == ',' {
		r.begin()
		return nil
	}
	r.current, r.stage = r.node, children
	r.node = int(r.parent[r.node])
	return nil
}

// begin adds a node below the innermost open one.
func (r *newickReader) begin() {
	r.current, r.stage = len(r.end), nothing
	r.end = append(r.end, 0)
	r.parent = append(r.parent, int32(r.node))
	r.label = append(r.label, span{})
}

func (r *newickReader) finish() { r.end[r.current] = int32(len(r.end)) }

// name reads the name of the current node.
func (r *newickReader) name() error {
	if r.stage > children {
		return errorAt(r.at, "%s after a name, want %s; a name with white space or brackets needs quotes",
			found(r.text, r.at), r.wanted())
	}
	counts := r.count.text
	if r.stage == children {
		counts = r.count.names
	}
	r.stage = name
	from := len(r.labels)
	var err error
	if r.text[r.at] == '\'' {
		err = r.quotedName()
	} else {
		word := r.token()
		r.labels = append(r.labels, word...)
		for i := from; i < len(r.labels); i++ {
			if r.labels[i] == '_' {
				r.labels[i] = ' '
			}
		}
	}
	if !counts {
		r.labels = r.labels[:from]
	}
	r.label[r.current] = span{from, len(r.labels)}
	return err
}

// quotedName reads a name in quotes, in which two quotes are one.
func (r *newickReader) quotedName() error {
	start := r.at
	for {
		rest := r.text[r.at+1:]
		i := bytes.IndexByte(rest, '\'')
		if i < 0 {
			return errorAt(start, "unclosed quote")
		}
		r.labels = append(r.labels, rest[:i]...)
		r.at += i + 2
		if r.at == len(r.text) || r.text[r.at] != '\'' {
			return nil
		}
		r.labels = append(r.labels, '\'')
	}
}

// length reads a colon and the length of the branch above the current node.
func (r *newickReader) length() error {
	if r.stage == length {
		return errorAt(r.at, "a second branch length, want %s", r.wanted())
	}
	r.stage = length
	r.at++
	if err := r.skip(); err != nil {
		return err
	}
	start := r.at
	number := r.token()
	if _, err := strconv.ParseFloat(string(number), 64); err != nil {
		return errorAt(start, "branch length %s, want a number", plural.Beginning(number))
	}
	if !r.count.lengths {
		return nil
	}
	if l := &r.label[r.current]; l.from == l.to {
		l.from = len(r.labels)
	}
	r.labels = append(append(r.labels, ':'), number...)
	r.label[r.current].to = len(r.labels)
	return nil
}

// What ends an unquoted name or a number.
var newickEnds = func() (table [256]bool) {
	for _, c := range " \t\n\v\f\r()[]':;," {
		table[c] = true
	}
	return table
}()

// token returns the text up to what ends a name.
func (r *newickReader) token() []byte {
	start := r.at
	for r.at < len(r.text) && !newickEnds[r.text[r.at]] {
		r.at++
	}
	return r.text[start:r.at]
}

// skip skips white space and comments.
func (r *newickReader) skip() error {
	depth, opened := 0, 0
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case c == '[':
			if depth == 0 {
				opened = r.at
			}
			depth++
		case depth == 0 && !isBlank(c):
			return nil
		case c == ']':
			depth--
		}
	}
	if depth > 0 {
		return errorAt(opened, "unclosed comment, want ]")
	}
	return nil
}

// isBlank reports whether a byte is white space of ASCII.
func isBlank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// write gives the nodes to the builder.
func (r *newickReader) write(b *builder) {
	open := -1
	for i := range r.end {
		for ; open != int(r.parent[i]); open = int(r.parent[open]) {
			b.w.Close()
		}
		b.w.Open(r.labels[r.label[i].from:r.label[i].to])
		open = i
	}
	for ; open >= 0; open = int(r.parent[open]) {
		b.w.Close()
	}
}
