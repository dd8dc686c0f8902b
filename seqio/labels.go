package seqio

import (
	"bytes"
	"fmt"
	"io"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// LabelTable is the content of a file of labels or groups: which id has which.
type LabelTable struct {
	Source string   // the file's name, as it appears in errors
	Kind   string   // what errors call a label: label or group
	IDs    []string // in the order of the file, each once
	Labels []string // Labels[k] belongs to IDs[k]; not empty
	Lines  []int    // 1-based line of each
}

// ReadLabels reads lines “id<TAB>label”, compressed or not. There is no header line; lines that begin with '#' and
// blank lines are skipped, line ends are LF or CRLF. An id has no white space, a label may have some inside. A line
// without exactly one tab, an empty id or label and an id that occurs twice are an [*Error], and so are a file without
// any label and one that would exceed the limit of memory.
func ReadLabels(r io.Reader, name string) (*LabelTable, error) { return readTable(r, name, "label") }

// ReadGroups reads lines “id<TAB>group” as ReadLabels reads labels.
func ReadGroups(r io.Reader, name string) (*LabelTable, error) { return readTable(r, name, "group") }

func readTable(r io.Reader, name, kind string) (*LabelTable, error) {
	in, err := lines.Open(r, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if _, err := in.Begin(); err != nil {
		return nil, err
	}
	t := &LabelTable{Source: name, Kind: kind}
	if err := t.parse(lines.NewReader(in.Reader)); err != nil {
		return nil, in.Wrap(err)
	}
	if len(t.IDs) == 0 {
		return nil, &Error{File: name, Err: fmt.Errorf("no %[1]ss, want lines of id, tab, %[1]s", kind)}
	}
	return t, nil
}

// ReadLabelsFile reads a file as ReadLabels does.
func ReadLabelsFile(path string) (*LabelTable, error) { return readTableFile(path, ReadLabels) }

// ReadGroupsFile reads a file as ReadGroups does.
func ReadGroupsFile(path string) (*LabelTable, error) { return readTableFile(path, ReadGroups) }

func readTableFile(path string, read func(io.Reader, string) (*LabelTable, error)) (*LabelTable, error) {
	f, err := lines.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return read(f, path)
}

// parse reads the lines of a label file.
func (t *LabelTable) parse(in *lines.Reader) error {
	var ids idTable
	var text textArena
	held := int64(0)
	for {
		p, err := in.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		fail := func(format string, args ...any) error {
			return &Error{File: t.Source, Line: in.Line, Err: fmt.Errorf(format, args...)}
		}
		data := lines.TrimRight(p.Data)
		switch {
		case bytes.IndexByte(data, '\r') >= 0:
			return fail("%w", lines.ErrLoneCR)
		case !p.First || !p.Last:
			return fail("line of %d bytes or more, want less", lines.BufferSize)
		case len(data) == 0 || data[0] == '#':
			continue
		}
		id, label, err := splitLabel(p.Data, t.Kind)
		if err != nil {
			return fail("%w", err)
		}
		const entry = 160 // 40 in lists and 28 to 40 to find duplicates, all of which are copied as they grow
		held += int64(entry + len(id) + len(label))
		if err := lines.CheckHeld(held, "lines"); err != nil {
			return fail("%w", err)
		}
		key := text.add(id)
		if first, isNew := ids.add(key); !isNew {
			return &Error{File: t.Source, Line: in.Line, Record: key,
				Err: fmt.Errorf("duplicate id, first used on line %d", t.Lines[first])}
		}
		t.IDs = append(t.IDs, key)
		t.Labels = append(t.Labels, text.add(label))
		t.Lines = append(t.Lines, in.Line)
	}
}

// splitLabel cuts a line into id and label, or what else kind says.
func splitLabel(line []byte, kind string) (id, label []byte, err error) {
	columns := bytes.Split(bytes.TrimRight(line, "\r"), []byte{'\t'})
	if len(columns) != 2 {
		return nil, nil, fmt.Errorf("%d column%s, want 2: id, tab, %s", len(columns), lines.Plural(len(columns)), kind)
	}
	id, label = columns[0], bytes.Trim(columns[1], " ")
	for _, b := range id {
		if b <= ' ' || b == 0x7f {
			return nil, nil, fmt.Errorf("%s in the id %s", lines.ByteName(b), lines.Quote(string(id)))
		}
	}
	for _, b := range label {
		if b < ' ' || b == 0x7f {
			return nil, nil, fmt.Errorf("%s in the %s %s", lines.ByteName(b), kind, lines.Quote(string(label)))
		}
	}
	switch {
	case len(id) == 0:
		return nil, nil, fmt.Errorf("empty id, want id, tab, %s", kind)
	case len(label) == 0:
		return nil, nil, fmt.Errorf("id %s has an empty %s", lines.Quote(string(id)), kind)
	}
	return id, label, nil
}

// Apply gives every record of the set its label from the table, in place of those it had. A record without a label in
// the table and a label without a record are errors, and leave the set unchanged.
func (t *LabelTable) Apply(s *Set) error {
	record := make(map[string]int, s.Len())
	for i := range s.Len() {
		record[s.Corpus.Name(i)] = i
	}
	labels := make([]string, s.Len())
	for k, id := range t.IDs {
		i, found := record[id]
		if !found {
			return &Error{File: t.Source, Line: t.Lines[k], Record: id,
				Err: fmt.Errorf("there is no such record in %s", s.Source)}
		}
		labels[i] = t.Labels[k]
	}
	for i, label := range labels {
		if label == "" {
			return s.Errorf(i, "there is no %s for it in %s", t.Kind, t.Source)
		}
	}
	s.Labels = labels
	return nil
}
