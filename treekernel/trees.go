package treekernel

import (
	"errors"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/treekernel/bracket"
)

// trees is a record as a kernel sees it: nodes in preorder, as in [bracket.Forest], with numbers for labels.
type trees struct {
	label  []int32 // number in the table of the reader
	end    []int32 // one past the last descendant
	parent []int32 // −1 above roots
	source []int32 // the node of the forest that was read
}

func (t *trees) len() int { return len(t.label) }

func (t *trees) leaf(i int32) bool { return t.end[i] == i+1 }

func (t *trees) reset() {
	t.label, t.end, t.parent, t.source = t.label[:0], t.end[:0], t.parent[:0], t.source[:0]
}

// reader reads records as trees. It is for one goroutine; its trees are valid until the next call.
type reader struct {
	trees
	forest bracket.Forest
	table  intern.Terms // of labels, by number in order of first occurrence

	sees    Labels
	form    *form
	depth   []int32
	taken   []int32 // the node that each node of the forest became
	sorting sorting
}

func newReader(l Labels) *reader { return &reader{sees: l, form: l.form()} }

// read parses a record and numbers its labels, continuing those of the table. After an error the record has no nodes.
func (r *reader) read(record []byte) error {
	r.reset()
	if err := r.forest.Parse(record); err != nil {
		return notTrees(err)
	}
	r.take()
	if r.sees.Unordered {
		r.sorting.sort(&r.trees, &r.table)
	}
	return nil
}

// notTrees turns a syntax error into a readable message.
func notTrees(err error) error {
	var syntax *bracket.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not a tree in brackets: byte %d: %s", syntax.Offset+1, syntax.Problem)
	}
	return fmt.Errorf("not a tree in brackets: %w", err)
}

// take copies the nodes of the forest that are not cut off.
func (r *reader) take() {
	f := &r.forest
	r.depth = append(r.depth[:0], make([]int32, f.Len())...)
	r.taken = append(r.taken[:0], make([]int32, f.Len())...)
	for i := 0; i < f.Len(); i++ {
		parent := int32(-1)
		if p := f.Parent[i]; p >= 0 {
			parent, r.depth[i] = r.taken[p], r.depth[p]+1
		}
		r.taken[i] = int32(r.len())
		r.parent = append(r.parent, parent)
		r.source = append(r.source, int32(i))
		r.label = append(r.label, r.number(i))
		if r.sees.Cut > 0 && int(r.depth[i])+1 >= r.sees.Cut {
			i = int(f.End[i]) - 1
		}
	}
	r.end = append(r.end, r.parent...)
	for i := range r.end {
		r.end[i] = int32(i) + 1
	}
	for i := r.len() - 1; i > 0; i-- {
		if p := r.parent[i]; p >= 0 {
			r.end[p] = max(r.end[p], r.end[i])
		}
	}
}

// number returns the number of the label of a node of the forest.
func (r *reader) number(i int) int32 {
	if r.sees.Levels > 0 && int(r.depth[i]) >= r.sees.Levels {
		return r.table.Add(nil)
	}
	return r.table.Add(r.form.of(r.forest.Label(i)))
}

// place returns the bytes lo … hi−1 of a node's label in the record; of an empty label, the byte before its place: the
// bracket, or white space after it.
func (r *reader) place(i int32) (lo, hi int) {
	source := r.source[i]
	lo, hi = int(r.forest.Start[source]), int(r.forest.Stop[source])
	if lo == hi {
		lo--
	}
	return lo, hi
}

// spread distributes the contributions of nodes evenly over the bytes of their labels in the record.
func (r *reader) spread(dst, nodes []float64) {
	for i, value := range nodes {
		lo, hi := r.place(int32(i))
		for at := lo; at < hi; at++ {
			dst[at] += value / float64(hi-lo)
		}
	}
}

// checkRecord returns an error that says where x is not trees in brackets, if so.
func checkRecord(x []byte) error {
	var f bracket.Forest
	if err := f.Parse(x); err != nil {
		return notTrees(err)
	}
	return nil
}

// recordError names the record of a corpus that is not trees.
func recordError(c *stringkernel.Corpus, i int, err error) error {
	return &stringkernel.RecordError{Record: i, Name: c.Name(i), Err: err}
}
