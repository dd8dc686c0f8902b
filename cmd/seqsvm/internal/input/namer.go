package input

import (
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/answer"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/seqio"
)

// Namer names records one after another.
type Namer struct {
	several bool // files
	records *Records
	next    int // record of these
	set     int // its set
	inSet   int // records of that before it
	number  int // records of its file before it
	list    []answer.Name
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
	var last *seqio.Set
	if n.records != nil {
		last = n.records.Sets[len(n.records.Sets)-1]
	}
	if first := records.Sets[0]; last == nil || last.Source != first.Source || last.Operand() != first.Operand() {
		n.number = 0
	}
	n.records, n.next, n.set, n.inSet = records, 0, 0, 0
}

// Columns are the names of the cells.
func (n *Namer) Columns() []any {
	if n.several {
		return []any{"id", "file", "record"}
	}
	return []any{"id"}
}

// Next names the next record.
func (n *Namer) Next() answer.Name {
	for n.inSet == n.records.Sets[n.set].Len() {
		n.set, n.inSet, n.number = n.set+1, 0, 0
	}
	n.inSet++
	n.number++
	n.next++
	name := answer.Name{ID: n.records.Corpus.Name(n.next - 1)}
	if n.several {
		name.File, name.Record = n.records.Sets[n.set].Source, n.number
	}
	return name
}

// NextN names the next count records. The list is valid until the next call.
func (n *Namer) NextN(count int) []answer.Name {
	n.list = scratch.Resize(n.list, count)
	for i := range n.list {
		n.list[i] = n.Next()
	}
	return n.list
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
