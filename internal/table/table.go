// Package table writes the tables of commands, and those of jobs that have the same bytes.
package table

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/internal/parallel"
)

// New makes a table that goes to w: of JSON objects, or of cells whose numbers have that many significant digits, nine
// for zero.
func New(w io.Writer, json bool, digits int) *Table { return &Table{w: w, json: json, digits: digits} }

// Table writes rows of cells: tab-separated, below a header, or as a JSON object each whose members have the names of
// the header. After an error it writes nothing more, so that Err can be checked once, at the end.
type Table struct {
	Err error

	w       io.Writer
	json    bool
	digits  int
	line    []byte
	header  []any
	pending bool // the header has not been written
}

// Significant is the number of significant digits of numbers where none is given.
const Significant = 9

// Columns are several columns NAME:X of a table, one for each name X, and a member NAME of a JSON object that is an
// object by these names. Their cells are a list of numbers.
type Columns struct {
	Name string
	Of   []string
}

// Metric is a cell with four decimals, or as many significant digits as --digits says; NA if it is undefined.
type Metric float64

// Header gives the table a header, which is written with the first row: strings and Columns.
func (t *Table) Header(cells ...any) { t.header, t.pending = cells, true }

// Row writes a row. A list is one cell per element; tabs and line ends inside a cell become spaces; nil and NaN are NA,
// null in JSON.
func (t *Table) Row(cells ...any) {
	if t.json {
		t.object(cells)
		return
	}
	t.WriteHeader()
	t.writeLine(cells)
}

// Rows writes n rows in order: row(part, i) writes row i, or an object, to a part of the table, several at once.
func (t *Table) Rows(n int, row func(part *Table, i int)) {
	if n > 0 {
		t.WriteHeader()
	}
	const block = 256
	parts := make([]bytes.Buffer, (n+block-1)/block)
	errs := make([]error, len(parts))
	parallel.Each(len(parts), func(b int) {
		part := &Table{w: &parts[b], json: t.json, digits: t.digits, header: t.header}
		for i := b * block; i < min(n, (b+1)*block); i++ {
			row(part, i)
		}
		errs[b] = part.Err
	})
	for b := range parts {
		if t.Err == nil {
			_, t.Err = t.w.Write(parts[b].Bytes())
		}
		t.Err = cmp.Or(t.Err, errs[b])
	}
}

// WriteHeader writes the header, if it has not been written; JSON has none.
func (t *Table) WriteHeader() {
	if !t.pending || t.json || t.Err != nil {
		return
	}
	t.pending = false
	var names []any
	for _, cell := range t.header {
		if columns, several := cell.(Columns); several {
			for _, name := range columns.Of {
				names = append(names, columns.Name+":"+name)
			}
			continue
		}
		names = append(names, cell)
	}
	t.writeLine(names)
}

func (t *Table) writeLine(cells []any) {
	if t.Err != nil {
		return
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
	case []Metric:
		addAll(t, v)
	case []any:
		addAll(t, v)
	case string:
		t.line = append(append(t.line, strings.Map(oneCell, v)...), '\t')
	case nil:
		t.line = append(t.line, "NA\t"...)
	case float64:
		t.line = append(t.AppendNumber(t.line, v), '\t')
	case Metric:
		t.line = append(t.appendMetric(t.line, float64(v)), '\t')
	default:
		t.line = append(fmt.Append(t.line, v), '\t')
	}
}

func addAll[T any](t *Table, list []T) {
	for _, cell := range list {
		t.add(cell)
	}
}

// AppendNumber appends a number as cells have it: in JSON the shortest decimal that reads back as the same float64,
// otherwise with as many significant digits as --digits says.
func (t *Table) AppendNumber(dst []byte, x float64) []byte {
	switch {
	case t.json && math.IsNaN(x):
		return append(dst, "null"...)
	case t.json:
		return strconv.AppendFloat(dst, x, 'g', -1, 64)
	case math.IsNaN(x):
		return append(dst, "NA"...)
	}
	return strconv.AppendFloat(dst, x, 'g', cmp.Or(t.digits, Significant), 64)
}

func (t *Table) appendMetric(dst []byte, x float64) []byte {
	if t.digits > 0 || math.IsNaN(x) {
		return t.AppendNumber(dst, x)
	}
	return strconv.AppendFloat(dst, x, 'f', 4, 64)
}

// object writes a row as a JSON object in a line.
func (t *Table) object(cells []any) {
	if t.Err != nil {
		return
	}
	t.line = append(t.line[:0], '{')
	for i, cell := range cells {
		if i > 0 {
			t.line = append(t.line, ',')
		}
		if columns, several := t.header[i].(Columns); several {
			t.member(columns.Name)
			t.line = append(t.line, '{')
			for k, value := range cell.([]float64) {
				if k > 0 {
					t.line = append(t.line, ',')
				}
				t.member(columns.Of[k])
				t.line = t.AppendNumber(t.line, value)
			}
			t.line = append(t.line, '}')
			continue
		}
		t.member(t.header[i].(string))
		switch v := cell.(type) {
		case float64:
			t.line = t.AppendNumber(t.line, v)
		case Metric:
			t.line = t.AppendNumber(t.line, float64(v))
		default:
			t.line = t.appendJSON(t.line, v)
		}
	}
	t.line = append(t.line, "}\n"...)
	if t.Err == nil {
		_, t.Err = t.w.Write(t.line)
	}
}

func (t *Table) member(name string) { t.line = append(t.appendJSON(t.line, name), ':') }

func (t *Table) appendJSON(dst []byte, v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Err = err
	}
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

// Object writes a value as JSON in a line, whatever the format.
func (t *Table) Object(v any) {
	if t.Err == nil {
		t.line = append(t.appendJSON(t.line[:0], v), '\n')
	}
	if t.Err == nil {
		_, t.Err = t.w.Write(t.line)
	}
}

// JSON reports whether rows are JSON objects.
func (t *Table) JSON() bool { return t.json }

// oneCell replaces white space that ends cells and lines.
func oneCell(r rune) rune {
	if r == '\t' || r == '\n' || r == '\r' {
		return ' '
	}
	return r
}

// Fields writes a row per field of a struct, the name that it has in JSON and its value; a list with commas.
func (t *Table) Fields(v any) {
	s := reflect.ValueOf(v)
	for i := range s.NumField() {
		value := s.Field(i).Interface()
		if list, ok := value.([]string); ok {
			value = strings.Join(list, ",")
		}
		t.Row(s.Type().Field(i).Tag.Get("json"), value)
	}
}
