package genome

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio/internal/inputtest"
)

// Names of sequences, sources and types are kept to be shared, but not whatever they take.
func TestNamesOfFeaturesAreForgotten(t *testing.T) {
	g := must.Get(NewGFFReader(inputtest.Packed(t, func(w io.Writer) {
		for i := range 1000 {
			fmt.Fprintf(w, "a\t%d%s\texon\t1\t2\t.\t+\t.\n", i, strings.Repeat("x", 1<<17))
		}
	}), "a.gff"))(t)
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
