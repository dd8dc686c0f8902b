package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
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

// Row writes tab-separated cells. Tabs and line ends inside a cell become spaces.
func Row(w io.Writer, cells ...string) error {
	for i, cell := range cells {
		cells[i] = strings.Map(func(r rune) rune {
			if r == '\t' || r == '\n' || r == '\r' {
				return ' '
			}
			return r
		}, cell)
	}
	_, err := fmt.Fprintln(w, strings.Join(cells, "\t"))
	return err
}

// Number prints a value with all its digits, the shortest that read back as the same.
func Number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Rounded prints a metric with four decimals, and an undefined one as NA.
func Rounded(x float64) string {
	if math.IsNaN(x) {
		return "NA"
	}
	return strconv.FormatFloat(x, 'f', 4, 64)
}

// ListNames joins names that come from data for a message: the first of them, each cut if it is long.
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
