// Package documents parses text formats into documents: lines, TSV, CSV, JSONL, Reuters-21578, KeLP, dot-bracket and
// whole files. What the formats are, package seqio describes. Every parser is one pass over its input; a line, or a
// record of CSV, is held whole.
package documents

import (
	"io"

	"github.com/seqsvm/seqsvm/internal/parquet"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Document is a record of a text format. Its slices are valid until the sink returns.
type Document struct {
	ID      []byte // nil where a number is the id
	Label   []byte // empty where there is none
	Text    []byte
	Guessed bool     // the label is the first word of a description, or the first of two columns without names
	Line    int      // 1-based, where the record begins
	Number  int      // 1-based, the id where ID is nil, unless it is 0: then Line is
	Labels  []string // Reuters, KeLP, lists of JSONL: all labels
	Fields  [][]byte // of Options.Fields; none where the format cannot have them
}

// Sink takes the documents of a parser.
type Sink interface {
	Document(d Document) error
	Intern(label []byte) string // a label as a string, one for all equal ones
	// an error unless there is memory for that many bytes more
	Fits(more, line int) error
	Errorf(line int, format string, args ...any) *lines.Error // an error about a line
}

// Options say how to parse.
type Options struct {
	Columns
	LabelIn lines.HeaderLabel // dot-bracket: where the label is in a header
	Trained Columns           // those of the training data: used where Columns names none and the input has them
	Fields  []string
	// TSV, CSV: takes the columns that have no other part, which then are the fields, in place of Fields; may be nil
	Survey func(columns []string)
	// TSV, CSV: takes the names in the header, if there is one; may be nil
	Named        func(columns []string)
	OptionalText bool   // TSV, CSV: there need be no text, and the first line is a header unless it is said not to be
	LabelLists   bool   // JSONL: the label may be a list
	Nested       bool   // JSONL: the text may be an object or a list, kept as it is written
	Encoding     string // of the input before [Decode]
	Limit        int    // most bytes of a line, a document or a token
}

// Columns say where the parts of a document are in TSV, CSV, JSONL and KeLP (Text alone); empty names mean the default.
type Columns struct {
	Text, Label, ID string
	Header          string // yes, no, or auto by default
	Delimiter       string // one of Delimiters, or auto by default
}

// Parser parses an input and gives its documents to its sink.
type Parser struct {
	Options
	Sink
	Separator Delimiter // of the columns of CSV
	encoding  string
}

// NewParser returns a parser.
func NewParser(opt Options, sink Sink) *Parser {
	return &Parser{Options: opt, Sink: sink, encoding: encodingName(opt.Encoding)}
}

// Lines reads every line as a record named by its number.
func (p *Parser) Lines(r io.Reader) error {
	return p.eachLine(r, func(line []byte, number int) error {
		if err := p.checkLine(line, number); err != nil {
			return err
		}
		return p.Document(Document{Text: line, Line: number})
	})
}

// Parquet reads a record per row of a file of Parquet, which it holds; lines are rows.
func (p *Parser) Parquet(r io.Reader) error {
	content, err := io.ReadAll(&heldReader{r: r, p: p, factor: 3})
	if err != nil {
		return err
	}
	f, err := parquet.Open(content)
	if err != nil {
		return p.Errorf(0, "%w", err)
	}
	t := table{p: p, named: true}
	var names [][]byte
	for _, name := range f.Names() {
		names = append(names, []byte(name))
	}
	if err := t.row(names, 0); err != nil {
		return err
	}
	var own error // of the records
	err = f.Each(func(row int, cells [][]byte) error {
		for _, cell := range cells {
			if own = p.checkText(cell, row); own != nil {
				return own
			}
		}
		own = t.row(cells, row)
		return own
	})
	if err != nil && own == nil {
		err = p.Errorf(0, "%w", err)
	}
	return err
}

// Whole reads the whole input as one record.
func (p *Parser) Whole(r io.Reader, id, label string) error {
	held := &heldReader{r: r, p: p, factor: 3} // a text is copied as it grows
	text, err := io.ReadAll(io.LimitReader(held, int64(p.Limit)+1))
	if err != nil {
		return err
	}
	if err := p.checkText(text, 1); err != nil {
		return err
	}
	return p.Document(Document{ID: []byte(id), Label: []byte(label), Text: text, Line: 1})
}
