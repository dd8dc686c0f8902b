package seqio_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/inputtest"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

func TestReadLabels(t *testing.T) {
	text := "\xef\xbb\xbf# id, label\r\nx\t+1\r\n\n \ny\ttwo words \n#z\tno\nz#\t#1"
	for _, r := range []interface {
		Read([]byte) (int, error)
	}{
		strings.NewReader(text),
		iotest.OneByteReader(strings.NewReader(text)),
		bytes.NewReader(gzipped(t, text)),
	} {
		table := must.Get(seqio.ReadLabels(r, "l.tsv"))(t)
		if !slices.Equal(table.IDs, []string{"x", "y", "z#"}) ||
			!slices.Equal(table.Labels, []string{"+1", "two words", "#1"}) ||
			!slices.Equal(table.Lines, []int{2, 5, 7}) {
			t.Errorf("got %+v", table)
		}
	}
}

func TestReadLabelsErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "l.tsv: the file is empty",
		"# nothing\n\n":      "l.tsv: no labels, want lines of id, tab, label",
		"x +1\n":             "l.tsv:1: 1 column, want 2: id, tab, label",
		"#\nx\ta\tb\n":       "l.tsv:2: 3 columns, want 2: id, tab, label",
		"x\ta\ny\n":          "l.tsv:2: 1 column, want 2: id, tab, label",
		"\ta\n":              "l.tsv:1: empty id, want id, tab, label",
		"x\t\n":              `l.tsv:1: id "x" has an empty label`,
		"x\t \n":             `l.tsv:1: id "x" has an empty label`,
		"x\ta\ny\tb\nx\ta\n": `l.tsv:3: record "x": duplicate id, first used on line 1`,
		"a b\tc\n":           `l.tsv:1: white space in the id "a b"`,
		"a\x00b\tc\n":        `l.tsv:1: NUL byte in the id "a\x00b"`,
		"a\tb\x07\n":         `l.tsv:1: control byte 0x07 in the label "b\a"`,
		"a\tb\rc\td\r":       "l.tsv:1: line ends are lone CR (old Mac); convert them to LF",
		"\xfe\xff\x00a":      "l.tsv: UTF-16 text; convert it to UTF-8",
		"x\t" + strings.Repeat("a", lines.BufferSize): "l.tsv:1: line of 524288 bytes or more",
	} {
		if _, err := seqio.ReadLabels(strings.NewReader(text), "l.tsv"); err == nil || err.Error() != want {
			t.Errorf("%.40q:\ngot  %v\nwant %s", text, err, want)
		}
	}
	if _, err := seqio.ReadLabels(iotest.ErrReader(inputtest.ErrDisk), "l.tsv"); err == nil ||
		err.Error() != "l.tsv: cannot read: disk on fire" {
		t.Error(err)
	}
	if _, err := seqio.ReadLabels(nil, t.TempDir()); err == nil ||
		!strings.HasSuffix(err.Error(), ": is a directory, want a file") {
		t.Error(err)
	}
}

// A first line with the names id and label is a header, whatever else it names; rows of other records are counted if
// most are of the set.
func TestTableOfMoreRecords(t *testing.T) {
	s := mustRead(t, ">x\nA\n>y\nC\n", "a.fa", seqio.Options{})
	for _, c := range []struct {
		text    string
		labels  []string
		others  int
		message string
	}{
		{"id\tlabel\nx\ta\ny\tb\n", []string{"a", "b"}, 0, ""},
		{"# sheet\r\nbatch\tLabel\tID\r\n1\ta\tx\r\n\tb c \ty\r\n", []string{"a", "b c"}, 0, ""},
		{"id\tlabel\nx\ta\nelsewhere\ta\ny\tb\n", []string{"a", "b"}, 1, ""},
		{"sample\tclass\nx\ta\ny\tb\n", []string{"a", "b"}, 1, ""},
		{"id\tlabel\nx\ta\nz\ta\nw\ta\ny\tb\n", nil, 0,
			`l.tsv:3: record "z": there is no such record in a.fa; 2 of 4 rows have no record there`},
		{"x\ta\nz\ta\n", nil, 0, `l.tsv:2: record "z": there is no such record in a.fa`},
		{"id\tlabel\nx\ta\n", nil, 0, `a.fa:3: record "y": there is no label for it in l.tsv`},
		{"id\tlabel\n", nil, 0, "l.tsv: no labels, want lines of id, tab, label"},
		{"id\tlabel\tbatch\nx\ta\n", nil, 0, "l.tsv:2: 2 columns, want 3 as in the first line"},
		{"id\tgroup\nx\ta\n", nil, 0, `l.tsv:1: record "id": there is no such record in a.fa`},
	} {
		table, err := seqio.ReadLabels(strings.NewReader(c.text), "l.tsv")
		if err == nil {
			err = table.Apply(s)
		}
		switch {
		case c.message != "" && (err == nil || err.Error() != c.message):
			t.Errorf("%q: %v, want %s", c.text, err, c.message)
		case c.message == "" && (err != nil || !slices.Equal(s.Labels, c.labels) || table.Others != c.others):
			t.Errorf("%q: %v, %d others, %v", c.text, s.Labels, table.Others, err)
		}
	}
}

func TestApplyLabels(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l.tsv")
	must.Succeed(t, os.WriteFile(path, []byte("y\tN\nx\tEI\n"), 0o600))
	table := must.Get(seqio.ReadLabels(nil, path))(t)
	s := mustRead(t, ">x old\nA\n>y\nC\n", "a.fa", seqio.Options{})
	if err := table.Apply(s); err != nil || !slices.Equal(s.Labels, []string{"EI", "N"}) {
		t.Errorf("labels %q, %v", s.Labels, err)
	}
	table.Source = "l.tsv"
	more := mustRead(t, ">x old\nA\n>y\nC\n>z\n", "a.fa", seqio.Options{})
	if err := table.Apply(more); err == nil || err.Error() != `a.fa:5: record "z": there is no label for it in l.tsv` {
		t.Error(err)
	}
	fewer := mustRead(t, ">x old\nA\n", "a.fa", seqio.Options{})
	if err := table.Apply(fewer); err == nil || err.Error() != `l.tsv:1: record "y": there is no such record in a.fa` {
		t.Error(err)
	}
	if !slices.Equal(more.Labels, []string{"old", "", ""}) || !slices.Equal(fewer.Labels, []string{"old"}) {
		t.Error("a failed Apply changed the set")
	}
	lines := mustRead(t, "one\ntwo\n", "a.txt", seqio.Options{})
	byNumber, err := seqio.ReadLabels(strings.NewReader("1\ta\n2\tb\n"), "l.tsv")
	if err != nil || byNumber.Apply(lines) != nil || !slices.Equal(lines.Labels, []string{"a", "b"}) {
		t.Error(lines.Labels, err)
	}
}
