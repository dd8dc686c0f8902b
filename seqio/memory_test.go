package seqio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/seqsvm/seqsvm/internal/memory"
)

// What a small compressed file stands for is refused, with its line, before it takes the memory of the machine.
func TestInputBeyondMemory(t *testing.T) {
	old := debug.SetMemoryLimit(64 << 20)
	t.Cleanup(func() { debug.SetMemoryLimit(old) })
	for _, c := range []struct {
		name   string
		format Format
		write  func(w io.Writer)
		line   int
	}{
		{"records without letters", Lines, func(w io.Writer) { io.WriteString(w, strings.Repeat("\n", 300_000)) }, 0},
		{"letters of one record", FASTA, func(w io.Writer) {
			io.WriteString(w, ">a\n"+strings.Repeat(strings.Repeat("A", 1<<16)+"\n", 300))
		}, 257}, // a header, and 256 lines of 2¹⁶ letters, which twice are the 32 MiB: there is no room for the id
		{"descriptions", FASTA, func(w io.Writer) {
			for i := range 300 {
				fmt.Fprintf(w, ">%d %s\nA\n", i, strings.Repeat("x", 1<<17))
			}
		}, 0},
	} {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		c.write(w)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		_, err := Read(&packed, c.name, Options{Format: c.format})
		var large *memory.Error
		var place *Error
		if !errors.As(err, &large) || !errors.As(err, &place) || place.Line == 0 || c.line > 0 && place.Line != c.line {
			t.Errorf("%s: %v, want what memory is needed, and the line (%d)", c.name, err, c.line)
		}
	}
}
