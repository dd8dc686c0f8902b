package bracket

// Forest is the parsed form of a record: its trees' nodes in preorder as flat arrays. Node i is followed by its
// descendants, nodes i+1 … End[i]−1. The zero Forest is ready to [Forest.Parse]. Coordinates are 0-based, ranges half
// open.
type Forest struct {
	// Record is the parsed record. It is not copied: labels are ranges of it.
	Record []byte
	// Start and Stop are the byte range of each node's label in Record, escaped; equal for an empty label.
	Start, Stop []int32
	// End is one past each node's last descendant: i+1 for a leaf.
	End []int32
	// Parent is the node above each node, −1 above roots.
	Parent []int32
}

// Len returns the number of nodes.
func (f *Forest) Len() int { return len(f.End) }

// Label returns the escaped label of node i, a slice of the record. Equal labels have equal bytes; [Unescape] returns
// the label itself.
func (f *Forest) Label(i int) []byte { return f.Record[f.Start[i]:f.Stop[i]] }

// Leaf reports whether node i has no children.
func (f *Forest) Leaf(i int) bool { return int(f.End[i]) == i+1 }

// Append appends the canonical form of the forest to dst and returns it.
func (f *Forest) Append(dst []byte) []byte {
	w := Writer{buf: dst, start: len(dst)}
	open := -1
	for i := range f.End {
		for ; open != int(f.Parent[i]); open = int(f.Parent[open]) {
			w.Close()
		}
		w.OpenWord(f.Label(i))
		open = i
	}
	for ; w.depth > 0; w.Close() {
	}
	return w.buf
}
