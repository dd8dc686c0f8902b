package seqio

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/seqio/internal/documents"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// surveyor looks at the columns of tables, before their records are read, to find what patterns stand for.
type surveyor struct {
	*collector
	free    []string // the columns of the first table that are no other part
	columns map[string]*column
	table   []*column // those of the table that is read
}

// column is what the cells of a column are.
type column struct {
	numbers bool // some
	words   map[string]bool
}

// mostWords bounds the words of a column.
const mostWords = 50

// survey returns the options with what patterns stand for in their place, and that by pattern. A reader is replaced by
// one that reads the same again.
func (o Options) survey(ctx context.Context, inputs []Input) (Options, map[string][]string, error) {
	if !slices.ContainsFunc(o.Numbers, isPattern) {
		return o, nil, nil
	}
	s, asked := &surveyor{collector: newCollector(o), columns: map[string]*column{}}, o.Numbers
	s.opt.own, o.Numbers = nil, nil
	files, err := ExpandFolders(inputs, o)
	for i := 0; err == nil && i < len(files); i++ {
		err = cmp.Or(ctx.Err(), s.read(files[i], &inputs[files[i].operand]))
	}
	found := map[string][]string{}
	for i := 0; err == nil && i < len(asked); i++ {
		if found[asked[i]], err = s.columnsOf(asked[i]); err != nil {
			err = &Error{File: files[0].Path, Err: err}
		}
		o.Numbers = append(o.Numbers, found[asked[i]]...)
	}
	o.Numbers = subset.Distinct(o.Numbers)
	return o, found, err
}

// read looks at a file of an operand if it is a table.
func (s *surveyor) read(in Input, operand *Input) error {
	if isFolder(in) {
		return nil
	}
	if in.Reader != nil {
		content, err := io.ReadAll(in.Reader)
		if err != nil {
			return &Error{File: in.Path, Err: err}
		}
		in.Reader, operand.Reader = bytes.NewReader(content), bytes.NewReader(content)
	}
	text, format, err := openText(in.Reader, in.Path, s.opt)
	if err != nil {
		return err
	}
	defer text.Close()
	if format != TSV && format != CSV && format != Parquet {
		return nil
	}
	s.start(in, format)
	p := documents.NewParser(s.opt.documents(format), s)
	p.Survey = s.begin
	if p.Separator, err = s.findDelimiter(text.Ahead()); err != nil {
		return err
	}
	return parsers[s.set.Format](p, text)
}

// begin takes the columns of a table that have no other part.
func (s *surveyor) begin(free []string) {
	if s.free == nil {
		s.free = free
	}
	s.table = s.table[:0]
	for _, name := range free {
		if s.columns[name] == nil {
			s.columns[name] = &column{words: map[string]bool{}}
		}
		s.table = append(s.table, s.columns[name])
	}
}

// Document looks at the cells of a row.
func (s *surveyor) Document(d documents.Document) error {
	for k, cell := range d.Fields {
		c := s.table[k]
		if c.numbers || len(c.words) > mostWords || documents.Missing(cell) {
			continue
		}
		word := string(bytes.Trim(cell, " "))
		if _, err := strconv.ParseFloat(word, 64); err == nil {
			c.numbers = true
		} else {
			c.words[word] = true
		}
	}
	return nil
}

// columnsOf returns what a name or a pattern stands for: columns of numbers, and NAME=WORD of those of words.
func (s *surveyor) columnsOf(asked string) (names []string, err error) {
	if !isPattern(asked) {
		return []string{asked}, nil
	}
	for _, name := range matching(asked, s.free) {
		switch c := s.columns[name]; {
		case c.numbers:
			names = append(names, name)
		case len(c.words) == 0 || len(c.words) > mostWords:
			return nil, fmt.Errorf("column %s has neither numbers nor 1 to %d different words; choose others than %s",
				lines.Quote(name), mostWords, asked)
		default:
			for _, word := range slices.Sorted(maps.Keys(c.words)) {
				names = append(names, name+"="+word)
			}
		}
	}
	if s.opt.Beside != nil {
		names = append(names, matching(asked, s.opt.Beside.names)...)
	}
	if names == nil {
		err = fmt.Errorf("no column is %s; tables have: %s; name those of headers and JSON", asked, lines.List(s.free))
	}
	return names, err
}

// isPattern reports whether a name of [Options].Numbers may stand for several columns.
func isPattern(name string) bool { return strings.Contains(name, "*") || strings.Contains(name, "..") }

// matching returns the columns that a pattern stands for: A..B for those from A to B, A*B for those that begin with A
// and end with B. NAME=WORD is of the column NAME.
func matching(asked string, names []string) (found []string) {
	first, last, isRange := strings.Cut(asked, "..")
	before, after, _ := strings.Cut(asked, "*")
	from, to := len(names), 0
	for at, name := range names {
		column, _, _ := strings.Cut(name, "=")
		if column == first {
			from = min(from, at)
		}
		if column == last {
			to = at + 1
		}
		if len(column) >= len(before)+len(after) && strings.HasPrefix(column, before) && strings.HasSuffix(column, after) {
			found = append(found, name)
		}
	}
	if isRange {
		return names[min(from, to):to]
	}
	return found
}
