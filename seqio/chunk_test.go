package seqio_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/inputtest"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
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
		for _, c := range slices.Concat(valid, validDocuments) {
			s, err := seqio.Read(wrap(strings.NewReader(c.text)), c.name, c.opt)
			if err != nil {
				t.Errorf("%s, %s: %v", name, c.what, err)
			} else if got := recordsOf(s); !slices.Equal(got, c.want) {
				t.Errorf("%s, %s:\ngot  %v\nwant %v", name, c.what, got, c.want)
			}
		}
		for _, c := range slices.Concat(malformed, malformedDocuments) {
			if _, err := seqio.Read(wrap(strings.NewReader(c.text)), c.name, c.opt); err == nil || err.Error() != c.want {
				t.Errorf("%s, %.60q:\ngot  %v\nwant %s", name, c.text, err, c.want)
			}
		}
	}
}

// Lines about as long as the buffer and much longer, with line ends and white space at every offset near its end.
func TestLongLines(t *testing.T) {
	letters := bytes.Repeat([]byte("acgtACGTnn"), lines.BufferSize/5)
	for _, tail := range []string{"\n", "\r\n", " \t\r\n", "", "\r"} {
		for _, n := range []int{lines.BufferSize - 3, lines.BufferSize - 2, lines.BufferSize - 1, lines.BufferSize,
			lines.BufferSize + 1, len(letters)} {
			want := strings.ToUpper(string(letters[:n]))
			text := ">x\n" + string(letters[:n]) + tail
			for _, r := range []io.Reader{strings.NewReader(text), iotest.HalfReader(strings.NewReader(text))} {
				s := must.Get(seqio.Read(r, "a.fa", seqio.Options{}))(t)
				if s.Len() != 1 || string(s.Corpus.Seq(0)) != want {
					t.Fatalf("%d letters, %q: wrong sequence", n, tail)
				}
			}
			if strings.HasSuffix(tail, "\n") {
				fastq := "@x\n" + string(letters[:n]) + tail + "+" + tail + strings.Repeat("I", n) + tail +
					"@y\nA\n+\nI\n"
				if s := mustRead(t, fastq, "a.fq", seqio.Options{}); s.Len() != 2 || string(s.Corpus.Seq(0)) != want ||
					string(s.Corpus.Seq(1)) != "A" {
					t.Fatalf("FASTQ, %d letters, %q: wrong sequences", n, tail)
				}
			}
		}
	}
}

// An error in a line of several buffers has the right column, and a lone CR is found there too.
func TestErrorsInLongLines(t *testing.T) {
	long := strings.Repeat("A", lines.BufferSize+10)
	for text, want := range map[string]string{
		">x\n" + long + "1A\n": fmt.Sprintf(`e.fa:2: record "x": digit '1' in the sequence, column %d; want `+
			`letters, '*', '-' or '.'`, len(long)+1),
		">x\nA\n" + long + "A A" + long: fmt.Sprintf(`e.fa:3: record "x": white space inside the sequence, column %d`,
			len(long)+2),
		">x\n" + long + "\r" + long: `e.fa:2: record "x": line ends are lone CR (old Mac); convert them to LF`,
		">x\n" + strings.Repeat(" ", 2*lines.BufferSize) +
			"A\n": `e.fa:2: record "x": white space inside the sequence, column 1`,
		"@x\n" + long + "\n+\n" + strings.Repeat("I", lines.BufferSize) + " " +
			long: `e.fa:4: record "x": white space in the quality; want bytes '!' to '~'`,
		"@x\n" + long + "\n+\n" + strings.Repeat("I", len(long)+1) +
			"\n@y\nA\n": fmt.Sprintf(`e.fa:4: record "x": %d qualities for %d letters`, len(long)+1, len(long)),
		"@x\nACGT\n+" + strings.Repeat("I", 2*lines.BufferSize) +
			"\nIIII\n": `e.fa:3: record "x": what follows '+' differs from the header`,
		";" + long + ">\n>x\n" + long + "\n;" + long:          `e.fa:4: record "x": ';' comment line inside a record`,
		">" + strings.Repeat("x", lines.BufferSize) + "\nA\n": "e.fa:1: header line of 524288 bytes or more",
		">" + strings.Repeat("x", lines.BufferSize/2) + "\n" + long + "\n>y\n" +
			"A\x00": `e.fa:4: record "y": NUL byte in the sequence, column 2; want letters, '*', '-' or '.'`,
	} {
		if _, err := seqio.Read(strings.NewReader(text), "e.fa", seqio.Options{}); err == nil || err.Error() != want {
			t.Errorf("%.20q…:\ngot  %v\nwant %s", text, err, want)
		}
	}
}

func TestReaderErrors(t *testing.T) {
	for _, text := range []string{"", ">x\nAC", ">x\nAC\n", "@x\nA\n+\n", ">x\n" + strings.Repeat("A", 1<<20)} {
		r := io.MultiReader(strings.NewReader(text), iotest.ErrReader(inputtest.ErrDisk))
		_, err := seqio.Read(r, "e.fa", seqio.Options{})
		if !errors.Is(err, inputtest.ErrDisk) || err.Error() != "e.fa: cannot read: disk on fire" {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	if _, err := seqio.Read(stuckReader{}, "e.fa", seqio.Options{Format: seqio.FASTA}); err == nil {
		t.Error("no error from a reader that returns nothing")
	}
}

// stuckReader returns neither data nor an error.
type stuckReader struct{}

func (stuckReader) Read([]byte) (int, error) { return 0, nil }
