package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Formats of tables.
const (
	TSV  = "tsv"
	JSON = "json"
)

// WriteJSON writes one indented object.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// WriteAs writes a value as JSON if that is the format, otherwise the table that fill writes.
func WriteAs(w io.Writer, format string, value any, fill func(t *Table)) error {
	if format == JSON {
		return WriteJSON(w, value)
	}
	t := NewTable(w)
	fill(t)
	return t.Err
}

// Table writes rows of tab-separated cells. After an error it writes nothing more, so that Err can be checked once, at
// the end.
type Table struct {
	Err error

	w      io.Writer
	line   []byte
	header []any // until it is written
}

// NewTable makes a table that goes to w.
func NewTable(w io.Writer) *Table { return &Table{w: w} }

// Header gives the table a header, which is written with the first row.
func (t *Table) Header(cells ...any) { t.header = cells }

// Row writes a line of cells. Numbers are written with all their digits, a list is one cell per element, and tabs and
// line ends inside a cell become spaces.
func (t *Table) Row(cells ...any) {
	if t.Err != nil {
		return
	}
	if header := t.header; header != nil {
		t.header = nil
		t.Row(header...)
	}
	t.line = t.line[:0]
	for _, cell := range cells {
		t.add(cell)
	}
	t.line[len(t.line)-1] = '\n'
	_, t.Err = t.w.Write(t.line)
}

func (t *Table) add(cell any) {
	switch v := cell.(type) {
	case []string:
		addAll(t, v)
	case []float64:
		addAll(t, v)
	case []any:
		addAll(t, v)
	case string:
		t.line = append(append(t.line, strings.Map(oneCell, v)...), '\t')
	case float64:
		t.line = append(strconv.AppendFloat(t.line, v, 'g', -1, 64), '\t')
	default:
		t.line = append(fmt.Append(t.line, v), '\t')
	}
}

func addAll[T any](t *Table, list []T) {
	for _, cell := range list {
		t.add(cell)
	}
}

// Object writes a value as JSON in a line.
func (t *Table) Object(v any) {
	if t.Err == nil {
		e := json.NewEncoder(t.w)
		e.SetEscapeHTML(false)
		t.Err = e.Encode(v)
	}
}

// oneCell replaces white space that ends cells and lines.
func oneCell(r rune) rune {
	if r == '\t' || r == '\n' || r == '\r' {
		return ' '
	}
	return r
}

// Number prints the shortest decimal that reads back as the same value.
func Number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Rounded prints metrics with four decimals, and undefined ones as NA.
func Rounded[F ~float64](values ...F) []string {
	cells := make([]string, len(values))
	for i, x := range values {
		if cells[i] = "NA"; x == x {
			cells[i] = strconv.FormatFloat(float64(x), 'f', 4, 64)
		}
	}
	return cells
}

// ListNames joins names from data for a message: the first few, long ones cut.
func ListNames(names []string) string {
	const most, longest = 12, 60
	var shown []string
	for _, name := range names[:min(most, len(names))] {
		shown = append(shown, fmt.Sprintf("%.*s", longest, name))
	}
	if len(names) > most {
		shown = append(shown, fmt.Sprintf("… (%d in all)", len(names)))
	}
	return strings.Join(shown, ", ")
}
