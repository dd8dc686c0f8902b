package documents

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The default names of columns.
const defaultText, defaultLabel, defaultID = "text", "label", "id"

// ErrNoText ends the errors about a column or field of texts that is not there.
var ErrNoText = errors.New("say which column or field is the text")

// columns are where the parts of a document are in a row of TSV or CSV.
type columns struct {
	width     int   // 0 before the first line
	text      []int // 0-based
	left      int   // of a pair, how many of text are its first sequence; 0 of others
	label, id int   // 0-based; −1 if there is none
	fields    []int
	levels    []string // of each field that is NAME=LEVEL, what it is 1 for; "" of others
	sep       bool     // the line that names the delimiter has been passed
	guessed   bool     // nothing says that the label is the first column
}

// table reads the rows of TSV and CSV.
type table struct {
	columns
	p      *Parser
	named  bool     // the first line is a header by default
	values [][]byte // of the fields
	parts  [][]byte // of the text
}

// row takes a line: the header or a document.
func (t *table) row(cells [][]byte, line int) error {
	if t.width == 0 {
		if t.p.Separator.Named && !t.sep {
			t.sep = true
			return nil
		}
		if header, err := t.begin(cells); err != nil {
			return t.p.Errorf(line, "%w", err)
		} else if header {
			return nil
		}
	}
	if n := len(cells); n != t.width {
		return t.p.Errorf(line, "%s, want %d as in the first line", plural.Of(n, "column"), t.width)
	}
	t.parts = t.parts[:0]
	for _, at := range t.text {
		t.parts = append(t.parts, cells[at])
	}
	d := Document{Text: joined(t.parts, t.left), Line: line, Guessed: t.guessed}
	if t.label >= 0 {
		d.Label = cells[t.label]
	}
	if t.id >= 0 {
		d.ID = cells[t.id]
	}
	t.values = t.values[:0]
	for k, at := range t.fields {
		value := cells[at]
		if level := t.levels[k]; level != "" && !Missing(value) {
			value = indicators[string(bytes.Trim(value, " ")) == level]
		}
		t.values = append(t.values, value)
	}
	d.Fields = t.values
	return t.p.Document(d)
}

// begin finds the columns by the first line, and reports whether that is a header.
func (t *table) begin(cells [][]byte) (header bool, err error) {
	first, want := make([]string, len(cells)), t.p.Columns
	for i, cell := range cells {
		first[i] = string(cell)
	}
	t.width = len(first)
	trained := t.p.Trained
	isName := func(name string) bool {
		_, number := strconv.Atoi(name) // one is rather a value, as in a column of numbers
		return name != "" && number != nil && slices.Contains(first, name)
	}
	switch want.Header {
	case "yes":
		header = true
	case "no":
	default:
		header = t.named || t.p.OptionalText || slices.ContainsFunc(t.p.Columns.namesOfText(trained), isName) ||
			slices.ContainsFunc([]string{cmp.Or(want.Label, defaultLabel), trained.Label}, isName) ||
			slices.ContainsFunc(t.p.Fields, isName)
	}
	names := first
	if !header {
		names = nil
	} else if t.p.Named != nil {
		t.p.Named(names)
	}
	if want, err = want.asTrained(trained, names, t.width); err != nil {
		return false, err
	}
	if t.p.OptionalText && want.Text == "" {
		if slices.Contains(names, defaultText) {
			want.Text = defaultText
		}
	} else if header {
		want.Text = cmp.Or(want.Text, defaultText)
	} else {
		named := want.Label
		if want, err = headerless(want, t.width); err != nil {
			return false, err
		}
		t.guessed = want.Label != named
	}
	if want.Text != "" {
		if t.text, err = findColumns(names, t.width, want.Text, defaultText); err != nil {
			return false, err
		}
	}
	if !slices.Contains(names, want.Text) {
		_, t.left = partsOf(want.Text)
	}
	for _, column := range []struct {
		at              *int
		name, otherwise string
	}{{&t.label, want.Label, defaultLabel}, {&t.id, want.ID, defaultID}} {
		if *column.at, err = findColumn(names, t.width, column.name, column.otherwise); err != nil {
			return false, err
		}
	}
	err = t.findFields(names, t.p.Fields)
	if t.p.Survey == nil || err != nil {
		return header, err
	}
	var free []string
	var rest []int
	for at, name := range names {
		if at != t.label && at != t.id && !slices.Contains(t.text, at) && !slices.Contains(t.fields, at) {
			free, rest = append(free, name), append(rest, at)
		}
	}
	t.p.Survey(free)
	t.fields, t.levels = rest, make([]string, len(rest))
	return header, nil
}

// findFields finds the columns of fields. NAME=LEVEL that is no column is the column NAME, seen as 1 or 0.
func (t *table) findFields(names, fields []string) error {
	places := make(map[string]int, len(names)) // of names that only one column has
	for at, name := range names {
		if _, twice := places[name]; twice {
			at = -1
		}
		places[name] = at
	}
	for _, field := range fields {
		name, level, is := strings.Cut(field, "=")
		_, whole := places[field]
		if _, part := places[name]; !is || whole || !part {
			name, level = field, ""
		}
		at, is := places[name]
		if !is || at < 0 {
			var err error
			if at, err = findColumn(names, t.width, name, ""); err != nil {
				return err
			}
		}
		t.fields, t.levels = append(t.fields, at), append(t.levels, level)
	}
	return nil
}

// indicators are the values of NAME=LEVEL.
var indicators = map[bool][]byte{true: []byte("1"), false: []byte("0")}

// Missing reports whether a cell says that there is no value.
func Missing(cell []byte) bool {
	return slices.Contains([]string{"", "na", "n/a", "nan", "null", "?"}, strings.ToLower(string(bytes.Trim(cell, " "))))
}

// asTrained names the columns that are left open as the training data had them, where the input has these too: numbers
// only if it has all. Another column than that of training is an error where the input has both.
func (c Columns) asTrained(trained Columns, names []string, width int) (Columns, error) {
	enough := true
	for _, name := range []string{trained.Text, trained.Label, trained.ID} {
		parts, _ := partsOf(name)
		for _, part := range parts {
			number, err := strconv.Atoi(part)
			enough = enough && (err != nil || number <= width)
		}
	}
	for _, column := range []struct {
		want          *string
		trained, part string
	}{{&c.Text, trained.Text, "text"}, {&c.Label, trained.Label, "label"}, {&c.ID, trained.ID, "id"}} {
		if column.trained == "" || *column.want == column.trained {
			continue
		}
		_, err := strconv.Atoi(column.trained)
		at, missing := findColumns(names, width, column.trained, "")
		if missing != nil || err == nil && !enough {
			continue
		}
		if *column.want == "" {
			*column.want = column.trained
		} else if asked, err := findColumns(names, width, *column.want, ""); err == nil && !slices.Equal(asked, at) {
			return c, otherColumn(column.part, *column.want, column.trained)
		}
	}
	return c, nil
}

// otherColumn is the error of a column or field that is not that of the training data.
func otherColumn(part, want, trained string) error {
	return fmt.Errorf("%s %s asked for, but the model was trained with %s %s, which is here too", part,
		lines.Quote(want), part, lines.Quote(trained))
}

// headerless fills in what columns are without names: text alone, or label and text unless the first is the id.
func headerless(want Columns, width int) (Columns, error) {
	if want.Text == "" && width > 2 {
		return want, fmt.Errorf("%d columns and no header that names %q; %w", width, defaultText, ErrNoText)
	}
	want.Text = cmp.Or(want.Text, strconv.Itoa(width))
	if want.Label == "" && width == 2 && want.Text == "2" && want.ID != "1" {
		want.Label = "1"
	}
	return want, nil
}

// And is between the names of the columns or fields that a text is of, which a blank joins.
const And = "+"

// Beside is between the names of the columns or fields of the two sequences of a pair.
const Beside = ":"

// partsOf splits the name of a text into those of its columns or fields, and says how many are the first of a pair.
func partsOf(name string) (parts []string, left int) {
	first, second, pair := strings.Cut(name, Beside)
	if parts = strings.Split(first, And); !pair {
		return parts, 0
	}
	return append(parts, strings.Split(second, And)...), len(parts)
}

// joined puts blanks between the parts of a text, and its break between the sequences of a pair.
func joined(parts [][]byte, left int) []byte {
	if left > 0 {
		first, second := joined(parts[:left], 0), joined(parts[left:], 0)
		return slices.Concat(bytes.TrimSpace(first), []byte{stringkernel.PairBreak}, bytes.TrimSpace(second))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return bytes.Join(parts, []byte{' '})
}

// namesOfText are those that the first line of a table may have for the text, here or of the training data.
func (c Columns) namesOfText(trained Columns) (names []string) {
	for _, name := range []string{cmp.Or(c.Text, defaultText), trained.Text} {
		parts, _ := partsOf(name)
		names = append(append(names, name), parts...)
	}
	return names
}

// findColumns is findColumn of a text, which may be of several columns.
func findColumns(names []string, width int, name, otherwise string) (found []int, err error) {
	parts := []string{name}
	if !slices.Contains(names, name) {
		parts, _ = partsOf(name)
	}
	for _, part := range parts {
		at, err := findColumn(names, width, part, otherwise)
		if err != nil {
			return nil, err
		}
		found = append(found, at)
	}
	return found, nil
}

// findColumn returns the 0-based column with a name or, if that is empty, with the default name, then −1 if there is
// none. names are nil without a header.
func findColumn(names []string, width int, name, otherwise string) (int, error) {
	wanted := cmp.Or(name, otherwise)
	if at := slices.Index(names, wanted); at >= 0 {
		if slices.Contains(names[at+1:], wanted) {
			return 0, fmt.Errorf("duplicate column %s in the header", lines.Quote(wanted))
		}
		return at, nil
	}
	number, err := strconv.Atoi(name)
	switch {
	case name == "":
		return -1, nil
	case err == nil && number > width && width == 1:
		return 0, fmt.Errorf("there is no column %s of 1; %w", lines.Quote(name), ErrDelimiter)
	case err == nil && (number < 1 || number > width):
		return 0, fmt.Errorf("there is no column %s of %d", lines.Quote(name), width)
	case err == nil:
		return number - 1, nil
	case names == nil:
		return 0, fmt.Errorf("no column %s: the first line is not taken as a header; say that it is one, or give "+
			"the number of the column", lines.Quote(name))
	}
	err = fmt.Errorf("no column %s in the header, which has: %s", lines.Quote(name), lines.List(names))
	switch {
	case width == 1 && strings.ContainsAny(names[0], ",;\t|"):
		err = fmt.Errorf("%w; %w", err, ErrDelimiter)
	case name == defaultText && !slices.Contains(names, defaultLabel):
		err = fmt.Errorf("%w (or header=no, if this is a record); %w", err, ErrNoText)
	case name == defaultText:
		err = fmt.Errorf("%w; %w", err, ErrNoText)
	}
	return 0, err
}
