package genome

import (
	"io"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Size is a sequence of a genome with the number of its letters.
type Size struct {
	Name   string
	Length int
}

// ReadSizes reads a table of names and lengths, as UCSC's chrom.sizes and the .fai index of samtools have in their
// first two columns, separated by tabs; a nil r is the file of that name. Blank lines and those that begin with '#' are
// skipped. An error names the line.
func ReadSizes(r io.Reader, name string) ([]Size, error) {
	var list []Size
	var columns [][]byte
	seen := map[string]bool{}
	err := lines.ReadRows(r, name, func(rows *lines.Rows, line []byte) error {
		columns = lines.CutTabs(columns, line)
		t := row{columns: columns}
		if !t.width(2, 1<<16, "at least 2: name and length") {
			return rows.Errorf("%w", t.err)
		}
		size := Size{string(t.seq()), t.number(columns[1], "", "length", 0)}
		if seen[size.Name] {
			t.fail("a second length of %s", lines.Quote(size.Name))
		}
		if t.err != nil {
			return rows.Errorf("%w", t.err)
		}
		seen[size.Name] = true
		list = append(list, size)
		const entry = 128 // in the list and the map
		return rows.Hold(entry + 2*len(size.Name))
	})
	return list, err
}
