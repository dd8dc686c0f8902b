package seqio

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// LabelTable is the content of a file of labels or groups: which id has which.
type LabelTable struct {
	Source string   // the file's name, as it appears in errors
	Kind   string   // label, group or name, for errors
	IDs    []string // in the order of the file, each once
	Labels []string // Labels[k] belongs to IDs[k]; not empty
	Lines  []int    // 1-based line of each
	Others int      // rows of records that the set of the last Apply does not have
}

// ReadLabels reads lines “id<TAB>label”, compressed or not; a nil r is the file of that name. A first line with the
// names id and label, in any case, is a header, which may name more columns, in any order. Lines that begin with '#'
// and blank lines are skipped, line ends are LF or CRLF. An id has no white space, a label may have some inside. A line
// of more or fewer columns, an empty id or label and an id that occurs twice are an [*Error], and so are a file without
// any label and one that would exceed the limit of memory.
func ReadLabels(r io.Reader, name string) (*LabelTable, error) { return readTable(r, name, "label") }

// ReadGroups reads lines “id<TAB>group” as ReadLabels reads labels.
func ReadGroups(r io.Reader, name string) (*LabelTable, error) { return readTable(r, name, "group") }

// ReadNames reads lines “id<TAB>name” as ReadLabels reads labels.
func ReadNames(r io.Reader, name string) (*LabelTable, error) { return readTable(r, name, "name") }

func readTable(r io.Reader, name, kind string) (*LabelTable, error) {
	t := &LabelTable{Source: name, Kind: kind}
	var columns *labelColumns
	ids := idTable{}
	err := lines.ReadRows(r, name, func(rows *lines.Rows, _ []byte) error {
		cells := bytes.Split(bytes.TrimRight(rows.Row.Data, "\r"), []byte{'\t'})
		if columns == nil {
			if columns = columnsOfLabels(cells, kind); columns.named {
				return nil
			}
		}
		id, label, err := columns.split(cells, kind)
		if err != nil {
			return rows.Errorf("%w", err)
		}
		const entry = 160 // 40 in lists and 30 to 60 to find duplicates, all of which are copied as they grow
		if err := rows.Hold(entry + len(id) + len(label)); err != nil {
			return err
		}
		key := string(id)
		if first, isNew := ids.add(key); !isNew {
			return &Error{File: name, Line: rows.Line, Record: key,
				Err: fmt.Errorf("duplicate id, first used on line %d", t.Lines[first])}
		}
		t.IDs = append(t.IDs, key)
		t.Labels = append(t.Labels, string(label))
		t.Lines = append(t.Lines, rows.Line)
		return nil
	})
	if err == nil && len(t.IDs) == 0 {
		err = lines.Errorf(name, 0, "no %[1]ss, want lines of id, tab, %[1]s", kind)
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// labelColumns are where ids and labels are in a row.
type labelColumns struct {
	width, id, label int
	named            bool // by the first row
}

// columnsOfLabels finds the columns by the first row: id and label without names.
func columnsOfLabels(first [][]byte, kind string) *labelColumns {
	at := func(name string) int {
		return slices.IndexFunc(first, func(cell []byte) bool {
			return strings.EqualFold(string(bytes.TrimSpace(cell)), name)
		})
	}
	if id, label := at("id"), at(kind); id >= 0 && label >= 0 {
		return &labelColumns{len(first), id, label, true}
	}
	return &labelColumns{2, 0, 1, false}
}

// split returns the id and the label of a row, or what else kind says.
func (c *labelColumns) split(cells [][]byte, kind string) (id, label []byte, err error) {
	switch n := len(cells); {
	case n == c.width:
	case c.named:
		return nil, nil, fmt.Errorf("%s, want %d as in the first line", plural.Of(n, "column"), c.width)
	default:
		return nil, nil, fmt.Errorf("%s, want 2: id, tab, %s", plural.Of(n, "column"), kind)
	}
	id, label = cells[c.id], bytes.Trim(cells[c.label], " ")
	badID, badLabel := lines.IndexControl(id, true), lines.IndexControl(label, false)
	switch {
	case badID >= 0:
		return nil, nil, fmt.Errorf("%s in the id %s", lines.ByteName(id[badID]), lines.Quote(string(id)))
	case badLabel >= 0:
		return nil, nil, fmt.Errorf("%s in the %s %s", lines.ByteName(label[badLabel]), kind,
			lines.Quote(string(label)))
	case len(id) == 0:
		return nil, nil, fmt.Errorf("empty id, want id, tab, %s", kind)
	case len(label) == 0:
		return nil, nil, fmt.Errorf("id %s has an empty %s", lines.Quote(string(id)), kind)
	}
	return id, label, nil
}

// Apply gives every record of the set its label from the table, in place of those it had. A record without a label in
// the table is an error that leaves the set unchanged, and so is a label without a record, unless more labels have one:
// those without are counted in Others.
func (t *LabelTable) Apply(s *Set) error {
	record := make(map[string]int, s.Len())
	for i := range s.Len() {
		record[s.Corpus.Name(i)] = i
	}
	labels, first := make([]string, s.Len()), 0
	t.Others = 0
	for k, id := range t.IDs {
		i, found := record[id]
		if found {
			labels[i] = t.Labels[k]
			continue
		}
		if t.Others++; t.Others == 1 {
			first = k
		}
	}
	if t.Others > 0 && 2*t.Others >= len(t.IDs) {
		return &Error{File: t.Source, Line: t.Lines[first], Record: t.IDs[first],
			Err: fmt.Errorf("there is no such record in %s%s", s.Source, t.howMany())}
	}
	for i, label := range labels {
		if label == "" {
			return s.Errorf(i, "there is no %s for it in %s", t.Kind, t.Source)
		}
	}
	s.Labels = labels
	return nil
}

// howMany says how many rows have no record, if there are several.
func (t *LabelTable) howMany() string {
	if t.Others == 1 {
		return ""
	}
	return fmt.Sprintf("; %d of %d rows have no record there", t.Others, len(t.IDs))
}
