package matrix

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio/internal/inputtest"
)

var someRows = [][]float64{{1, 0.1, -2.5e-300}, {1.0 / 3, 0, 1e22}}

// write writes rows and closes.
func write(t *testing.T, m Writer, err error, rows [][]float64) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		must.Succeed(t, m.WriteRow(i, row))
	}
	must.Succeed(t, m.Close())
}

// The header by the format's specification, NEP 1: magic, version, length, a dictionary literal padded with spaces and
// ended by a line end so that the data begin at a multiple of 64.
func TestNPY(t *testing.T) {
	var out bytes.Buffer
	m, err := NewNPY(&out, 2, 3)
	write(t, m, err, someRows)
	want := "\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }" +
		strings.Repeat(" ", 58) + "\n"
	if len(want) != 128 || !strings.HasPrefix(out.String(), want) {
		t.Fatalf("header %q", out.String()[:128])
	}
	var values [6]float64
	if err := binary.Read(bytes.NewReader(out.Bytes()[128:]), binary.LittleEndian, &values); err != nil ||
		out.Len() != 128+48 {
		t.Fatal(err, out.Len())
	}
	if !slices.Equal(values[:], slices.Concat(someRows...)) {
		t.Errorf("%v", values)
	}
	for _, shape := range [][2]int{{0, 0}, {1, 1}, {123456, 7}, {1 << 30, 1 << 30}} {
		var out bytes.Buffer
		must.Get(NewNPY(&out, shape[0], shape[1]))(t)
		head := out.Bytes()
		if n := int(binary.LittleEndian.Uint16(head[8:])); n+10 != len(head) || len(head)%64 != 0 ||
			head[len(head)-1] != '\n' {
			t.Errorf("%v: header of %d bytes says %d", shape, len(head), n)
		}
	}
}

func TestTSV(t *testing.T) {
	var out bytes.Buffer
	m, err := NewTSV(&out, true, []string{"a", "b"}, []string{"x", "y", "z"}, -1)
	write(t, m, err, someRows)
	if want := "\tx\ty\tz\na\t1\t0.1\t-2.5e-300\nb\t0.3333333333333333\t0\t1e+22\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	out.Reset()
	m, err = NewTSV(&out, false, []string{"a"}, []string{"x"}, -1)
	write(t, m, err, [][]float64{{2}})
	if out.String() != "a\t2\n" {
		t.Errorf("%q without a header", out.String())
	}
	if _, err := NewTSV(&out, true, []string{"a\tb"}, nil, -1); err == nil ||
		err.Error() != `matrix: id "a\tb" has a tab or line end, which TSV cannot hold` {
		t.Error(err)
	}
}

func TestLIBSVM(t *testing.T) {
	var out bytes.Buffer
	m, err := NewLIBSVM(&out, []string{"+1", ""}, 1, 3)
	write(t, m, err, someRows)
	if want := "+1 0:1 1:1 2:0.1 3:-2.5e-300\n0 0:2 1:0.3333333333333333 2:0 3:1e+22\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	for _, label := range []string{"EI", "nan", "inf", "0x10", "1_0", " 1"} {
		if _, err := NewLIBSVM(&out, []string{"1", label}, 1, 1); err == nil ||
			err.Error() != "matrix: label "+strconv.Quote(label)+" of row 2 is not a number, as LIBSVM needs" {
			t.Errorf("%q: %v", label, err)
		}
	}
	m = must.Get(NewLIBSVM(&out, []string{"1"}, 1, 2))(t)
	if err := m.WriteRow(0, []float64{1, math.NaN()}); err == nil ||
		err.Error() != "matrix: entry 1 of row 0 is NaN, which LIBSVM cannot read" {
		t.Error(err)
	}
}

func TestClassNumbers(t *testing.T) {
	for _, c := range []struct{ labels, numbers, names []string }{
		{[]string{"+1", "-1", "", "2.5"}, []string{"+1", "-1", "", "2.5"}, nil},
		{[]string{"N", "EI", "", "IE", "EI"}, []string{"3", "1", "", "2", "1"}, []string{"EI", "IE", "N"}},
		{nil, nil, nil},
	} {
		numbers, names := ClassNumbers(c.labels)
		if !slices.Equal(numbers, c.numbers) || !slices.Equal(names, c.names) {
			t.Errorf("%q: %q %q", c.labels, numbers, names)
		}
	}
}

func TestMatrixMisuse(t *testing.T) {
	m, err := NewTSV(&bytes.Buffer{}, true, []string{"a", "b"}, []string{"x"}, -1)
	if err != nil {
		t.Fatal(err)
	}
	check := func(err error, want string) {
		t.Helper()
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	check(m.WriteRow(1, []float64{0}), "matrix: row 1 of 2 written, want row 0")
	check(m.WriteRow(0, nil), "matrix: row 0 has 0 entries, want 1")
	check(m.Close(), "matrix: 0 of 2 rows written")
	for i := range 2 {
		must.Succeed(t, m.WriteRow(i, []float64{0}))
	}
	check(m.WriteRow(2, []float64{0}), "matrix: row 2 written, want no more than 2 rows")
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	_, err = NewNPY(&bytes.Buffer{}, -1, 2)
	check(err, "matrix: matrix of -1 × 2, want ≥ 0")
	if _, err := NewNPY(inputtest.FullDisk{}, 1, 1); !errors.Is(err, inputtest.ErrDisk) {
		t.Error(err)
	}
	if m, err := NewLIBSVM(inputtest.FullDisk{}, []string{"1"}, 1, 1); err != nil || m.WriteRow(0, []float64{1}) != nil ||
		!errors.Is(m.Close(), inputtest.ErrDisk) {
		t.Error("no error from a full disk")
	}
}
