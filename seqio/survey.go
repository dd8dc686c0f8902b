package seqio

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/seqio/internal/documents"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// survey finds the columns that patterns stand for, and the words of those that are no numbers, before records are read.
func (o Options) survey(ctx context.Context, inputs []Input) (Options, map[string][]string, error) {
	if !slices.ContainsFunc(o.Numbers, isPattern) {
		return o, nil, nil
	}
	s := &surveyor{collector: newCollector(o)}
	s.opt.Numbers = nil
	files, err := ExpandFolders(inputs, o)
	if err != nil {
		return o, nil, err
	}
	for _, in := range files {
		if err := ctx.Err(); err != nil {
			return o, nil, err
		}
		if in.Reader != nil { // it is read again
			content, err := io.ReadAll(in.Reader)
			if err != nil {
				return o, nil, &Error{File: in.Path, Err: err}
			}
			in.Reader, inputs[in.operand].Reader = bytes.NewReader(content), bytes.NewReader(content)
		}
		if err := s.read(in); err != nil {
			return o, nil, err
		}
	}
	found, numbers, given := map[string][]string{}, []string(nil), map[string]bool{}
	for _, asked := range o.Numbers {
		names, err := s.columnsOf(asked)
		if err != nil {
			return o, nil, &Error{File: files[0].Path, Err: err}
		}
		found[asked] = names
		for _, name := range names {
			if !given[name] {
				given[name], numbers = true, append(numbers, name)
			}
		}
	}
	o.Numbers = numbers
	return o, found, nil
}

// surveyor looks at the columns of tables that patterns match.
type surveyor struct {
	*collector
	free    []string // the columns of the first table that are no other part
	chosen  []string // those that patterns match
	columns []column // what they hold
}

// column is what the cells of a column are.
type column struct {
	numbers bool // some
	words   map[string]bool
}

// mostWords bounds the words of a column.
const mostWords = 50

// read looks at an input if it is a table.
func (s *surveyor) read(in Input) error {
	if isFolder(in) {
		return nil
	}
	text, format, err := openText(in.Reader, in.Path, s.opt)
	if err != nil {
		return err
	}
	defer text.Close()
	if format != TSV && format != CSV {
		return nil
	}
	s.start(in, format)
	p := documents.NewParser(s.opt.documents(format), s)
	p.Choose = s.choose
	if p.Separator, err = s.findDelimiter(text.Ahead()); err != nil {
		return err
	}
	return parsers[s.set.Format](p, text)
}

// choose returns the columns that patterns match: of another table, those of the first one.
func (s *surveyor) choose(free []string) ([]string, error) {
	if s.free != nil {
		return s.chosen, nil
	}
	s.free = free
	matched := map[string]bool{}
	for _, asked := range s.own {
		for _, name := range matching(asked, free) {
			if matched[name] = true; strings.Contains(name, "=") {
				return nil, fmt.Errorf("column %s has a = in its name, want another name, or a narrower pattern than %s",
					lines.Quote(name), asked)
			}
		}
	}
	s.chosen = slices.DeleteFunc(slices.Clone(free), func(name string) bool { return !matched[name] })
	s.columns = make([]column, len(s.chosen))
	return s.chosen, nil
}

// Document looks at the cells of a row.
func (s *surveyor) Document(d documents.Document) error {
	for k, cell := range d.Fields {
		c := &s.columns[k]
		if c.numbers || len(c.words) > mostWords || documents.Missing(cell) {
			continue
		}
		word := string(bytes.Trim(cell, " "))
		if _, err := strconv.ParseFloat(word, 64); err == nil {
			c.numbers = true
			continue
		}
		if c.words == nil {
			c.words = map[string]bool{}
		}
		c.words[word] = true
	}
	return nil
}

// columnsOf returns what a name or a pattern stands for: columns of numbers, and NAME=WORD of those of words.
func (s *surveyor) columnsOf(asked string) (names []string, err error) {
	if !isPattern(asked) {
		return []string{asked}, nil
	}
	matched := map[string]bool{}
	for _, name := range matching(asked, s.chosen) {
		matched[name] = true
	}
	for k, name := range s.chosen {
		switch c := s.columns[k]; {
		case !matched[name]:
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
		return nil, fmt.Errorf("no column is %s; columns are: %s; those of headers and of JSON have to be named", asked,
			lines.List(s.free))
	}
	return names, nil
}

// isPattern reports whether a name of [Options].Numbers may stand for several columns.
func isPattern(name string) bool { return strings.Contains(name, "*") || strings.Contains(name, "..") }

// matching returns the columns that a name or pattern stands for.
func matching(asked string, names []string) []string {
	if slices.Contains(names, asked) {
		return []string{asked}
	}
	from, to, is := strings.Cut(asked, "..")
	column := func(name string) string { name, _, _ = strings.Cut(name, "="); return name }
	if !is {
		return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !glob(asked, column(name)) })
	}
	first := slices.IndexFunc(names, func(name string) bool { return column(name) == from })
	last := len(names) - 1
	for last >= 0 && column(names[last]) != to {
		last--
	}
	if first < 0 || last < first {
		return nil
	}
	return names[first : last+1]
}

// glob reports whether a name matches a pattern, in which * is any letters.
func glob(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	rest, is := strings.CutPrefix(name, parts[0])
	if !is || len(parts) == 1 {
		return is && rest == ""
	}
	for _, part := range parts[1 : len(parts)-1] {
		_, rest, is = strings.Cut(rest, part)
		if !is {
			return false
		}
	}
	return strings.HasSuffix(rest, parts[len(parts)-1])
}
