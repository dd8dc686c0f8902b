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

// Tables, of which each line is kept, are refused before they exceed the limit of memory.
func TestTablesBeyondMemory(t *testing.T) {
	heaptest.Limit(t, 16<<20)
	const lines = 200_000
	each := func(line string) func(w io.Writer) {
		return func(w io.Writer) {
			for i := range lines {
				fmt.Fprintf(w, line, i)
			}
		}
	}
	transcripts := func(r io.Reader, name string) error { _, err := ReadAnnotation(r, name); return err }
	for _, c := range []struct {
		name  string
		write func(w io.Writer)
		read  func(r io.Reader, name string) error
	}{
		{"labels", each("%d\ta\n"), func(r io.Reader, name string) error {
			_,
				err := seqio.ReadLabels(r, name)
			return err
		}},
		{"groups", each("%d\ta\n"), func(r io.Reader, name string) error {
			_,
				err := seqio.ReadGroups(r, name)
			return err
		}},
		{"intervals", each("a\t%d\t1000000\n"),
			func(r io.Reader, name string) error { _, err := ReadBED(r, name); return err }},
		{"names of intervals", func(w io.Writer) {
			for range 300 {
				fmt.Fprintf(w, "a\t1\t2\t%s\n", strings.Repeat("x", 1<<17))
			}
		}, func(r io.Reader, name string) error { _, err := ReadBED(r, name); return err }},
		{"places", each("a\t1%d\t+\n"), func(r io.Reader, name string) error {
			_,
				err := ReadPoints(r, name)
			return err
		}},
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

// Names of sequences, sources and types are kept to be shared, but not whatever they take.
func TestNamesOfFeaturesAreForgotten(t *testing.T) {
	g, err := NewGFFReader(inputtest.Packed(t, func(w io.Writer) {
		for i := range 1000 {
			fmt.Fprintf(w, "a\t%d%s\texon\t1\t2\t.\t+\t.\n", i, strings.Repeat("x", 1<<17))
		}
	}), "a.gff")
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	for {
		if _, err := g.Next(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		held := 0
		for name := range g.intern {
			held += len(name)
		}
		if held > 5<<20 {
			t.Fatalf("%d bytes of names are kept at line %d", held, g.rows.Line)
		}
	}
}
