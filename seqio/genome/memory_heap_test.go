//go:build heap

package genome

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/inputtest"
)

// read is a reader of tables, of which only the error matters.
func read[T any](table func(io.Reader, string) (T, error)) func(io.Reader, string) error {
	return func(r io.Reader, name string) error { _, err := table(r, name); return err }
}

// Tables, of which each line is kept, are refused before they exceed the limit of memory.
func TestHeapOfTables(t *testing.T) {
	heaptest.Limit(t, 16<<20)
	const lines = 200_000
	each := func(line string) func(w io.Writer) {
		return func(w io.Writer) {
			for i := range lines {
				fmt.Fprintf(w, line, i)
			}
		}
	}
	transcripts := read(func(r io.Reader, name string) (*Annotation, error) { return ReadAnnotation(r, name) })
	for _, c := range []struct {
		name  string
		write func(w io.Writer)
		read  func(r io.Reader, name string) error
	}{
		{"labels", each("%d\ta\n"), read(seqio.ReadLabels)},
		{"groups", each("%d\ta\n"), read(seqio.ReadGroups)},
		{"intervals", each("a\t%d\t1000000\n"), read(ReadBED)},
		{"names of intervals", func(w io.Writer) {
			for range 300 {
				fmt.Fprintf(w, "a\t1\t2\t%s\n", strings.Repeat("x", 1<<17))
			}
		}, read(ReadBED)},
		{"places", each("a\t1%d\t+\n"), read(ReadPoints)},
		{"transcripts", each("a\t\texon\t1\t2\t.\t+\t.\tParent=%d\n"), transcripts},
		{"exons", each("a\t\texon\t1%d\t2000000\t.\t+\t.\tParent=x\n"), transcripts},
		{"parents", func(w io.Writer) {
			fmt.Fprintf(w, "a\t\texon\t1\t2\t.\t+\t.\tParent=1")
			for i := range 60_000 {
				fmt.Fprintf(w, ",%d", i)
			}
		}, transcripts},
		{"blocks.bed", each("a\t1\t2\t%d\t0\t+\t1\t1\t0\t1\t1\t0\n"), transcripts},
	} {
		inputtest.WantTooLarge(t, c.name, c.read(inputtest.Packed(t, c.write), c.name), 0)
	}
}
