package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/internal/table"
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

// writeAs writes a value as JSON if that is the format, otherwise the table that fill writes; nil: that of its fields.
func (c *Call) writeAs(w io.Writer, format string, value any, fill func(t *Table)) error {
	if format == JSON {
		return WriteJSON(w, value)
	}
	if fill == nil {
		fill = func(t *Table) { t.Fields(value) }
	}
	return c.WriteTable(w, TSV, fill)
}

// Seconds is a time: in cells, to the millisecond.
type Seconds float64

// String returns the time in seconds with three decimals, without a unit.
func (s Seconds) String() string { return strconv.FormatFloat(float64(s), 'f', 3, 64) }

// WriteTable writes the table that fill writes, as a JSON object per row if that is the format.
func (c *Call) WriteTable(w io.Writer, format string, fill func(t *Table)) error {
	t := table.New(w, format == JSON, c.digits)
	fill(t)
	t.WriteHeader() // of a table without rows
	return t.Err
}

// Table is a table that a command writes, with lists of numbers and metrics among its cells.
type (
	Table   = table.Table
	Columns = table.Columns
	Metric  = table.Metric
)

// NewTable makes a table of tab-separated cells that goes to w.
func NewTable(w io.Writer) *Table { return table.New(w, false, 0) }

// Metrics makes cells of values.
func Metrics[F ~float64](values ...F) []Metric { return table.Metrics(values...) }

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
