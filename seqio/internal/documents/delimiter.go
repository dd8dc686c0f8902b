package documents

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Delimiter is what separates the columns of TSV or CSV.
type Delimiter struct {
	Byte   byte
	Named  bool // the first line names it, as sep=; does for spreadsheets, and is no row
	Quoted bool // it is the tab of TSV whose fields have quotes, to be read as CSV
}

// delimiters are what may separate columns, with what the columns are then said to be separated by.
var delimiters = []struct {
	b            byte
	name, plural string
}{{',', "comma", "commas"}, {';', "semicolon", "semicolons"}, {'\t', "tab", "tabs"}, {'|', "bar", "bars"}}

// Delimiters are the names of delimiters.
func Delimiters() (names []string) {
	for _, d := range delimiters {
		names = append(names, d.name)
	}
	return names
}

// Plural names several delimiters.
func (d Delimiter) Plural() string {
	for _, other := range delimiters {
		if other.b == d.Byte {
			return other.plural
		}
	}
	return ""
}

// ErrDelimiter ends the errors about a table whose columns may be separated in two ways, or that has one alone.
var ErrDelimiter = errors.New("say which separates the columns")

// DelimiterOf finds the delimiter of a table by its first bytes. native is that of its format: another one is taken if
// with it the header has the name of the text or, in CSV, of the label, or else if it is the only one that cuts all
// rows into as many columns, two or more. TSV is quoted if its first line says so.
func DelimiterOf(head []byte, native byte, opt Options) (Delimiter, error) {
	d, rows := Delimiter{Byte: native}, firstRows(head)
	if len(rows) == 0 {
		return d, nil
	}
	text, label := opt.namesOfText(opt.Trained), []string{cmp.Or(opt.Label, defaultLabel), opt.Trained.Label}
	if native == '\t' && (opt.Delimiter == "" || opt.Delimiter == "auto" || opt.Delimiter == "tab") &&
		isQuoted(rows[0], slices.Concat(text, label)) {
		d.Quoted = true
		return d, nil
	}
	if sign, named := bytes.CutPrefix(bytes.Trim(rows[0], `"`), []byte("sep=")); named && len(sign) == 1 {
		if named := (Delimiter{Byte: sign[0], Named: true}); named.Plural() != "" {
			d = named
		}
	}
	for _, other := range delimiters {
		if other.name == opt.Delimiter {
			d.Byte = other.b
			return d, nil
		}
	}
	isCSV := native != '\t'
	if d.Named || !isCSV && (bytes.IndexByte(rows[0], '\t') >= 0 || opt.Header == "no") {
		return d, nil
	}
	fits := fitting(func(b byte) bool { return hasName(rows[0], b, text) })
	if isCSV && len(fits) == 0 {
		fits = fitting(func(b byte) bool { return hasName(rows[0], b, label) })
	}
	if isCSV && len(fits) == 0 {
		fits = fitting(func(b byte) bool { return isEven(rows, b) })
	}
	switch len(fits) {
	case 0:
		return d, nil
	case 1:
		d.Byte = fits[0]
		return d, nil
	}
	return d, fmt.Errorf("the first line has columns between %s and between %s; %w", Delimiter{Byte: fits[0]}.Plural(),
		Delimiter{Byte: fits[1]}.Plural(), ErrDelimiter)
}

// fitting returns the delimiters that fit.
func fitting(fits func(b byte) bool) (found []byte) {
	for _, d := range delimiters {
		if fits(d.b) {
			found = append(found, d.b)
		}
	}
	return found
}

// hasName reports whether a row is two columns or more, of which one has one of the names that are not empty.
func hasName(row []byte, delimiter byte, names []string) bool {
	cells := cutRow(row, delimiter)
	return len(cells) > 1 && slices.ContainsFunc(cells, func(cell []byte) bool { return isName(cell, names) })
}

// isName reports whether a cell, without quotes, is one of the names that are not empty.
func isName(cell []byte, names []string) bool {
	name := string(bytes.Trim(cell, `"`))
	_, number := strconv.Atoi(name)
	return name != "" && number != nil && slices.Contains(names, name)
}

// isQuoted reports whether quotes are around all cells of a row of TSV, two or more, or around one of the names.
func isQuoted(row []byte, names []string) bool {
	cells := cutRow(row, '\t')
	all := len(cells)
	quoted := slices.DeleteFunc(cells, func(cell []byte) bool {
		return len(cell) < 2 || cell[0] != '"' || cell[len(cell)-1] != '"'
	})
	return all > 1 && len(quoted) == all ||
		slices.ContainsFunc(quoted, func(cell []byte) bool { return isName(cell, names) })
}

// isEven reports whether rows, two or more, all have as many columns, two or more.
func isEven(rows [][]byte, delimiter byte) bool {
	width := len(cutRow(rows[0], delimiter))
	return width > 1 && len(rows) > 1 &&
		!slices.ContainsFunc(rows, func(row []byte) bool { return len(cutRow(row, delimiter)) != width })
}

// firstRows cuts the beginning of a table into rows at line ends that are not quoted. A last row that is cut off counts
// only if it is the only one.
func firstRows(head []byte) (rows [][]byte) {
	whole := len(head) < lines.PeekSize-len(lines.ByteOrderMark)
	cells := cutRow(head, '\n')
	for i, row := range cells {
		if row = bytes.TrimSuffix(row, []byte{'\r'}); len(row) > 0 && (whole || i < len(cells)-1 || len(rows) == 0) {
			rows = append(rows, row)
		}
	}
	return rows
}

// cutRow cuts a text at a delimiter outside quotes.
func cutRow(text []byte, delimiter byte) (cells [][]byte) {
	begin, quoted := 0, false
	for i, b := range text {
		switch {
		case b == '"':
			quoted = !quoted
		case b == delimiter && !quoted:
			cells, begin = append(cells, text[begin:i]), i+1
		}
	}
	return append(cells, text[begin:])
}
