package input

import (
	"slices"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/answer"
)

// Namer names records one after another.
type Namer struct {
	several bool // files
	records *Records
	next    int   // record of these
	starts  []int // if several, of each set its first record
	earlier int   // if several, records before these of the file that they begin in
	number  int   // if several, records up to the last of these of the file that they end in
}

// NewNamer returns a Namer of the records of one file or several.
func NewNamer(severalFiles bool) *Namer { return &Namer{several: severalFiles} }

// IDs returns a Namer that names the records, from the first, by their ids alone.
func (r *Records) IDs() *Namer {
	n := NewNamer(false)
	n.Begin(r)
	return n
}

// Begin goes on with the first of other records. A set may continue the file that the last one ended in.
func (n *Namer) Begin(records *Records) {
	before := n.records
	n.records, n.next = records, 0
	if !n.several {
		return
	}
	n.earlier = 0
	if before != nil {
		last, first := before.Sets[len(before.Sets)-1], records.Sets[0]
		if last.Source == first.Source && last.Operand() == first.Operand() {
			n.earlier = n.number
		}
	}
	n.starts, n.number = n.starts[:0], n.earlier
	start := 0
	for i, set := range records.Sets {
		if i > 0 {
			n.number = 0
		}
		n.starts = append(n.starts, start)
		start += set.Len()
		n.number += set.Len()
	}
}

// Columns are the names of the cells.
func (n *Namer) Columns() []any {
	if n.several {
		return []any{"id", "file", "record"}
	}
	return []any{"id"}
}

// Next names the next record.
func (n *Namer) Next() answer.Name { return n.Name(n.Skip(1)) }

// Skip goes on after the next count records, and returns the first of them, which Name takes.
func (n *Namer) Skip(count int) (first int) {
	n.next += count
	return n.next - count
}

// Name names one of the records that Begin was given, from 0. Several calls may run at once.
func (n *Namer) Name(i int) answer.Name {
	name := answer.Name{ID: n.records.Corpus.Name(i)}
	if !n.several {
		return name
	}
	after, _ := slices.BinarySearch(n.starts, i+1)
	set := after - 1
	name.File, name.Record = n.records.Sets[set].Source, i-n.starts[set]+1
	if set == 0 {
		name.Record += n.earlier
	}
	return name
}

// Add adds the cells of a name to a row of a table.
func (n *Namer) Add(t *cli.Table, name answer.Name) {
	t.Text(name.ID)
	if n.several {
		t.Text(name.File)
		t.Integer(name.Record)
	}
}

// Cells are the name and others as the cells of a row.
func (n *Namer) Cells(name answer.Name, others ...any) []any {
	cells := append(make([]any, 0, 3+len(others)), name.ID)
	if n.several {
		cells = append(cells, name.File, name.Record)
	}
	return append(cells, others...)
}
