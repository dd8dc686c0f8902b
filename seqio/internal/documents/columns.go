package documents

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// The names of columns by default.
const defaultText, defaultLabel, defaultID = "text", "label", "id"

// orDefault returns the name of a column.
func orDefault(name, otherwise string) string {
	if name == "" {
		return otherwise
	}
	return name
}

// table knows the columns of TSV and CSV.
type table struct {
	width           int
	text, label, id int // 0-based; −1 if there is none
}

// newTable looks at the first line. named says whether it names the columns by default, header whether it does.
func newTable(first []string, named bool, want Columns) (t *table, header bool, err error) {
	switch want.Header {
	case "yes":
		header = true
	case "no":
	default:
		header = named || slices.Contains(first, orDefault(want.Text, defaultText)) ||
			slices.Contains(first, orDefault(want.Label, defaultLabel))
	}
	t = &table{width: len(first), text: -1, label: -1, id: -1}
	names := first
	if header {
		want.Text = orDefault(want.Text, defaultText)
	} else {
		names = nil
		if want, err = headerless(want, len(first)); err != nil {
			return nil, false, err
		}
	}
	for _, column := range []struct {
		at              *int
		name, otherwise string
	}{{&t.text, want.Text, defaultText}, {&t.label, want.Label, defaultLabel}, {&t.id, want.ID, defaultID}} {
		if *column.at, err = findColumn(names, len(first), column.name, column.otherwise); err != nil {
			return nil, false, err
		}
	}
	return t, header, nil
}

// headerless fills in what columns are without names: text alone, or label and text.
func headerless(want Columns, width int) (Columns, error) {
	if want.Text == "" {
		if width > 2 {
			return want, fmt.Errorf("%d columns and no header that names %q; say which column is the text", width,
				defaultText)
		}
		want.Text = strconv.Itoa(width)
	}
	if want.Label == "" && width == 2 && want.Text == "2" {
		want.Label = "1"
	}
	return want, nil
}

// findColumn returns the 0-based column with a name or, if that is empty, with the default name, then −1 if there is
// none. names are nil without a header.
func findColumn(names []string, width int, name, otherwise string) (int, error) {
	wanted := orDefault(name, otherwise)
	if at := slices.Index(names, wanted); at >= 0 {
		if slices.Contains(names[at+1:], wanted) {
			return 0, fmt.Errorf("the header has column %s twice", lines.Quote(wanted))
		}
		return at, nil
	}
	if name == "" {
		return -1, nil
	}
	if number, err := strconv.Atoi(name); err == nil {
		if number < 1 || number > width {
			return 0, fmt.Errorf("there is no column %s of %d", lines.Quote(name), width)
		}
		return number - 1, nil
	}
	if names == nil {
		return 0, fmt.Errorf("no column %s: the first line is no header; say that it is, or give the number of "+
			"the column", lines.Quote(name))
	}
	return 0, fmt.Errorf("no column %s in the header, which has: %s", lines.Quote(name), lines.List(names))
}

// checkWidth returns an error unless a line has as many columns as the first.
func (t *table) checkWidth(p *Parser, n, line int) error {
	if n == t.width {
		return nil
	}
	return p.Errorf(line, "%d column%s, want %d as in the first line", n, lines.Plural(n), t.width)
}
