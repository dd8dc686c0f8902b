// Package table writes the tables of commands, and those of jobs that have the same bytes.
package table

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/internal/parquet"
)

// New makes a table that goes to w: of JSON objects, or of cells whose numbers have that many significant digits, nine
// for zero.
func New(w io.Writer, json bool, digits int) *Table { return &Table{w: w, json: json, digits: digits} }

// NewParquet makes a table of typed cells that goes to w as Parquet, which [Table.Close] ends. It must have a header.
func NewParquet(w io.Writer) *Table { return &Table{w: w, typed: true} }

// Table writes rows of cells: tab-separated, below a header, or as a JSON object each whose members have the names of
// the header. After an error it writes nothing more, so that Err can be checked once, at the end.
type Table struct {
	Err  error
	Bare bool // without the header

	w       io.Writer
	json    bool
	typed   bool            // Parquet
	columns *parquet.Writer // nil before the header
	digits  int
	lines   []byte // the line being made
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

// Metric is a cell with four [Decimals], or as many significant digits as --digits says; NA if it is undefined.
type Metric float64

// Metrics makes cells of values.
func Metrics[F ~float64](values ...F) []Metric {
	cells := make([]Metric, len(values))
	for i, x := range values {
		cells[i] = Metric(x)
	}
	return cells
}

// Header gives the table a header, which is written with the first row: strings and Columns.
func (t *Table) Header(cells ...any) { t.header, t.pending = cells, true }

// Headed reports whether the columns have names.
func (t *Table) Headed() bool { return t.header != nil }

// Row writes a row. A list is one cell per element; tabs and line ends inside a cell become spaces; nil and NaN are NA,
// null in JSON.
func (t *Table) Row(cells ...any) {
	if t.json {
		t.object(cells)
		return
	}
	t.WriteHeader()
	if t.typed && t.columns == nil {
		return // Close says why
	}
	t.writeLine(cells)
}

// WriteHeader writes the header, if it has not been written; JSON has none.
func (t *Table) WriteHeader() {
	if !t.pending || t.json || t.Err != nil {
		return
	}
	t.pending = false
	if t.Bare && !t.typed {
		return
	}
	names := namesOf(nil, t.header)
	if t.typed {
		t.columns = parquet.NewWriter(t.w, names)
		return
	}
	t.writeLine([]any{names})
}

// namesOf appends the names of cells of a header.
func namesOf(names []string, cells []any) []string {
	for _, cell := range cells {
		switch v := cell.(type) {
		case Columns:
			for _, name := range v.Of {
				names = append(names, v.Name+":"+name)
			}
		case []any:
			names = namesOf(names, v)
		case []string:
			names = append(names, v...)
		default:
			names = append(names, fmt.Sprint(v))
		}
	}
	return names
}

// Close writes the header of a table without rows, and what ends the file. It returns Err.
func (t *Table) Close() error {
	if t.WriteHeader(); !t.typed || t.Err != nil {
		return t.Err
	}
	if t.columns == nil {
		return errors.New("its columns have no names, which Parquet needs; want tsv")
	}
	t.Err = t.columns.Close()
	return t.Err
}

func (t *Table) writeLine(cells []any) {
	for _, cell := range cells {
		t.add(cell)
	}
	t.End()
}

// Text adds a cell to the row that End writes: the table is not of JSON objects, and its header has been written.
func (t *Table) Text(s string) {
	if t.typed {
		t.columns.Text(s)
		return
	}
	if strings.IndexByte(s, '\t') >= 0 || strings.IndexByte(s, '\n') >= 0 || strings.IndexByte(s, '\r') >= 0 {
		s = strings.Map(oneCell, s)
	}
	t.lines = append(append(t.lines, s...), '\t')
}

// Integer adds a cell as Text does.
func (t *Table) Integer(n int) {
	if t.typed {
		t.columns.Integer(n)
		return
	}
	t.lines = append(strconv.AppendInt(t.lines, int64(n), 10), '\t')
}

// Number adds a cell as Text does, or one for each of several numbers.
func (t *Table) Number(numbers ...float64) {
	for _, x := range numbers {
		if t.typed {
			t.columns.Number(x)
			continue
		}
		t.lines = append(t.AppendNumber(t.lines, x), '\t')
	}
}

// End writes the row.
func (t *Table) End() {
	if t.typed {
		if err := t.columns.EndRow(); t.Err == nil {
			t.Err = err
		}
		return
	}
	t.lines[len(t.lines)-1] = '\n'
	t.flush()
}

// flush writes the line.
func (t *Table) flush() {
	if t.Err == nil {
		_, t.Err = t.w.Write(t.lines)
	}
	t.lines = t.lines[:0]
}

func (t *Table) add(cell any) {
	switch v := cell.(type) {
	case []string:
		addAll(t, v)
	case []float64:
		t.Number(v...)
	case []Metric:
		addAll(t, v)
	case []any:
		addAll(t, v)
	case string:
		t.Text(v)
	case float64:
		t.Number(v)
	default:
		if t.typed {
			t.addTyped(v)
			return
		}
		switch v := v.(type) {
		case nil:
			t.lines = append(t.lines, "NA\t"...)
		case Metric:
			t.lines = append(t.appendMetric(t.lines, float64(v)), '\t')
		default:
			t.lines = append(fmt.Append(t.lines, v), '\t')
		}
	}
}

// addTyped adds a cell of another type: a number of any kind, nothing, or text.
func (t *Table) addTyped(cell any) {
	switch v := reflect.ValueOf(cell); {
	case !v.IsValid():
		t.columns.Missing()
	case v.CanInt():
		t.columns.Integer(int(v.Int()))
	case v.CanFloat():
		t.columns.Number(v.Float())
	default:
		t.columns.Text(fmt.Sprint(cell))
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
	return append(dst, Decimals(x, 4)...)
}

// Decimals writes a metric with n decimals, and as many more as tell it from 1: 0.9996 is no 1.000. What is as near to
// it as rounding is 1.
func Decimals(x float64, n int) string {
	text := strconv.FormatFloat(x, 'f', n, 64)
	for x < 1-1e-9 && text[0] == '1' {
		n++
		text = strconv.FormatFloat(x, 'f', n, 64)
	}
	return text
}

// object writes a row as a JSON object in a line.
func (t *Table) object(cells []any) {
	t.lines = append(t.lines, '{')
	for i, cell := range cells {
		if i > 0 {
			t.lines = append(t.lines, ',')
		}
		if columns, several := t.header[i].(Columns); several {
			t.member(columns.Name)
			t.lines = append(t.lines, '{')
			for k, value := range cell.([]float64) {
				if k > 0 {
					t.lines = append(t.lines, ',')
				}
				t.member(columns.Of[k])
				t.lines = t.AppendNumber(t.lines, value)
			}
			t.lines = append(t.lines, '}')
			continue
		}
		t.member(t.header[i].(string))
		switch v := cell.(type) {
		case float64:
			t.lines = t.AppendNumber(t.lines, v)
		case Metric:
			t.lines = t.AppendNumber(t.lines, float64(v))
		default:
			t.lines = t.appendJSON(t.lines, v)
		}
	}
	t.lines = append(t.lines, "}\n"...)
	t.flush()
}

func (t *Table) member(name string) { t.lines = append(t.appendJSON(t.lines, name), ':') }

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
	t.lines = append(t.appendJSON(t.lines, v), '\n')
	t.flush()
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

// Fields writes a row per field of a struct, the name that it has in JSON and its value; a list with commas, none of an
// empty list.
func (t *Table) Fields(v any) {
	s := reflect.ValueOf(v)
	for i := range s.NumField() {
		value := s.Field(i).Interface()
		if list, ok := value.([]string); ok {
			if len(list) == 0 {
				continue
			}
			value = strings.Join(list, ",")
		}
		t.Row(s.Type().Field(i).Tag.Get("json"), value)
	}
}
