package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/table"
	"github.com/seqsvm/seqsvm/report/figure"
)

// Formats of tables.
const (
	TSV  = "tsv"
	JSON = "json"
	// Parquet is that of tables with names of columns, wherever there is TSV.
	Parquet = "parquet"
)

// WriteJSON writes one indented object.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// writeAs writes a value as JSON if that is the format, otherwise the table that fill writes; nil: that of its fields.
// The columns of a table for readers are aligned, and the last one of a table with a header is wrapped.
func (c *Call) writeAs(w io.Writer, format string, value any, fill func(t *Table), toReaders bool) error {
	if format == JSON {
		return WriteJSON(w, value)
	}
	if fill == nil {
		fill = func(t *Table) { t.Fields(value) }
	}
	if !toReaders || format == Parquet {
		return c.WriteTable(w, format, fill)
	}
	var cells strings.Builder
	headed := false
	err := c.WriteTable(&cells, TSV, func(t *Table) { fill(t); headed = t.Headed() })
	_, failed := io.WriteString(w, c.aligned(cells.String(), headed))
	return cmp.Or(err, failed)
}

// aligned returns a table of cells between tabs for the terminal: one blank between the columns where two do not fit,
// a header in bold, and below a header the last column wrapped.
func (c *Call) aligned(cells string, headed bool) string {
	b, text, last := newHelpText(c.Out), "", 0 // where the last column begins
	for padding := 2; padding > 0; padding-- {
		var lines strings.Builder
		w := tabwriter.NewWriter(&lines, 0, 0, padding, ' ', 0)
		io.WriteString(w, cells)
		w.Flush()
		text = lines.String()
		head, _, _ := strings.Cut(text, "\n")
		if last = strings.LastIndexByte(strings.TrimRight(head, " "), ' '); last+wordSlack <= b.width {
			break
		}
	}
	if !headed {
		return text
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \n")
		letters := []rune(line)
		switch {
		case b.Len() == 0:
			b.WriteString(paint(c.Out, "1", line) + "\n")
		case len(letters) <= b.width || last > b.width*2/3:
			b.WriteString(line + "\n")
		default:
			b.WriteString(string(letters[:last]))
			b.words(string(letters[last:]), last, last)
		}
	}
	return b.String()
}

// paint gives a text for a terminal a colour or weight, by its number in SGR, unless NO_COLOR asks for none
// (no-color.org).
func paint(stream any, sgr, text string) string {
	if os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" || !isTerminal(stream) {
		return text
	}
	return "\x1b[" + sgr + "m" + text + "\x1b[0m"
}

// ToReaders reports whether standard output is a terminal, where people read it.
func (c *Call) ToReaders() bool { return isTerminal(c.Out) }

// Seconds is a time: in cells, to the millisecond.
type Seconds float64

// String returns the time in seconds with three decimals, without a unit.
func (s Seconds) String() string { return strconv.FormatFloat(float64(s), 'f', 3, 64) }

// WriteTable writes the table that fill writes, as a JSON object per row or as Parquet if that is the format.
func (c *Call) WriteTable(w io.Writer, format string, fill func(t *Table)) error {
	t := table.New(w, format == JSON, c.digits)
	if format == Parquet {
		t = table.NewParquet(w)
	}
	t.Bare = c.bare
	fill(t)
	return t.Close()
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

// Candidate is a candidate of tune, as JSON has it for all tasks.
type Candidate struct {
	Rank     int               `json:"rank"`
	Kernel   []string          `json:"kernel"` // or features
	Settings map[string]string `json:"settings"`
	Options  string            `json:"options"` // of train
	Mean     metrics.Scalars   `json:"mean"`
	SD       metrics.Scalars   `json:"sd"`
	Folds    []metrics.Scalars `json:"per_fold"`
	Gap      float64           `json:"gap"` // the greatest
	Best     bool              `json:"best"`
	Simplest bool              `json:"simplest_within_1se"`
	Picked   bool              `json:"picked"`
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

// Pictures are the options of a command that draws: --plot and, where the picture has curves, --curves.
type Pictures struct {
	Plot   Output
	Curves Output // a table of the points behind the picture
}

// Flags binds --plot, with its help.
func (p *Pictures) Flags(f *Flags, usage string) {
	plot := f.File(&p.Plot, "plot", usage+" (.svg, .png or .pdf)").Holds(Anything)
	plot.check = func() error {
		if p.Plot.Given() && figure.FormatOf(p.Plot.Path()) == "" {
			return Usagef("--plot %s, want a name that ends in .%s", p.Plot.Path(),
				strings.Join(figure.Formats, " or ."))
		}
		return nil
	}
}

// CurvesFlag binds --curves.
func (p *Pictures) CurvesFlag(f *Flags) {
	f.File(&p.Curves, "curves", "`FILE` for the points behind the picture, as a table: docs/pictures.md")
}

// Wanted reports whether a picture or its points were asked for.
func (p *Pictures) Wanted() bool { return p.Plot.Given() || p.Curves.Given() }

// Draw draws a figure if --plot is given.
func (p *Pictures) Draw(f figure.Figure) error {
	return p.Plot.Write(func(w io.Writer) error {
		return figure.Write(w, figure.FormatOf(p.Plot.Path()), figure.Light, f)
	})
}
