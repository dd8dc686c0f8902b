package treekernel

import "github.com/seqsvm/seqsvm/treekernel/bracket"

// Canonical appends the trees of a record to dst as a kernel sees them: coarsened, with children in the order of their
// tags if Unordered, in the canonical form of package bracket.
func (l Labels) Canonical(dst, record []byte) ([]byte, error) {
	r := newReader(l)
	if err := r.read(record); err != nil {
		return nil, err
	}
	var w bracket.Writer
	w.Reset(dst)
	var label []byte
	open := int32(-1)
	for i := range int32(r.len()) {
		for ; open != r.parent[i]; open = r.parent[open] {
			w.Close()
		}
		label = bracket.Unescape(label[:0], r.table.At(int(r.label[i])))
		w.Open(label)
		open = i
	}
	for w.Depth() > 0 {
		w.Close()
	}
	return w.Bytes(), nil
}
