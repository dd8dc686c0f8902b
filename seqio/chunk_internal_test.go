package seqio

import (
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// readers give the same bytes in different pieces.
var readers = map[string]func(io.Reader) io.Reader{
	"one byte":        iotest.OneByteReader,
	"half":            iotest.HalfReader,
	"data with error": iotest.DataErrReader,
	"both":            func(r io.Reader) io.Reader { return iotest.DataErrReader(iotest.OneByteReader(r)) },
}

// The result, and the error, do not depend on how the input arrives.
func TestPiecesOfInput(t *testing.T) {
	for name, wrap := range readers {
		for _, c := range valid {
			s, err := Read(wrap(strings.NewReader(c.text)), c.name, c.opt)
			if err != nil {
				t.Errorf("%s, %s: %v", name, c.what, err)
			} else if got := recordsOf(s); !slices.Equal(got, c.want) {
				t.Errorf("%s, %s:\ngot  %v\nwant %v", name, c.what, got, c.want)
			}
		}
		for _, c := range malformed {
			if _, err := Read(wrap(strings.NewReader(c.text)), c.name, c.opt); err == nil || err.Error() != c.want {
				t.Errorf("%s, %.60q:\ngot  %v\nwant %s", name, c.text, err, c.want)
			}
		}
	}
}

// Even and uneven wrapping both lead from a letter to its line.
func TestLineMarks(t *testing.T) {
	widths := []int{4, 4, 4, 2, 4, 4, 1, 1, 5, 0, 3, 4, 4, 0, 4, 9}
	var marks lineMarks
	var want []int
	for i, w := range widths {
		marks.add(len(want), w, i+1)
		for range w {
			want = append(want, i+1)
		}
	}
	for offset, line := range want {
		if got := marks.find(offset); got != line {
			t.Errorf("letter %d: line %d, want %d", offset, got, line)
		}
	}
	var even lineMarks
	for i := range 1000 {
		even.add(60*i, 60, i+2)
	}
	if len(even) != 1 {
		t.Errorf("%d marks for an evenly wrapped record, want 1", len(even))
	}
}
