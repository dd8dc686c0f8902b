package packed

import (
	"sync"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/shard"
)

// Records are packed records, in parts that are added up in order: see [shard.List]. An error of a pass over a scratch
// file names its folder.
type Records struct {
	shard.List
	Space    compose.Space
	Letters  int64 // of all records, those outside the alphabet included
	Bytes    int64 // of the blocks
	kernel   stringkernel.Kernel
	alphabet stringkernel.Alphabet
	store    store
	spaces   sync.Pool // *workspace
}

// Close removes the scratch file, if there is one.
func (r *Records) Close() error { return r.store.Close() }

// place is where a block is in a store.
type place struct {
	number   int   // of all blocks
	from, to int64 // bytes, of those of all blocks
	records  int
}

const (
	// entryLetters is how many letters there are in a part for each entry of a table, at least: adding the tables of
	// parts then takes a tenth of the time of scattering records into them, or less.
	entryLetters = 16
	mostParts    = 32
)

// newRecords divides the blocks into parts.
func newRecords(w *Writer) *Records {
	r := &Records{
		Space: w.space, Letters: w.letters, Bytes: w.at, kernel: w.kernel, alphabet: w.alphabet, store: w.store,
	}
	parts := int(min(mostParts, w.letters/int64(entryLetters*w.space.Size())))
	parts = max(1, min(parts, len(w.blocks)))
	for i := range parts {
		r.List = append(r.List, newPart(r, w.blocks[i*len(w.blocks)/parts:(i+1)*len(w.blocks)/parts]))
	}
	return r
}

// workspace is what reading a block takes.
type workspace struct {
	data   []byte
	block  block
	walker *walker
}

// borrow returns a workspace.
func (r *Records) borrow() *workspace {
	if w, ok := r.spaces.Get().(*workspace); ok {
		return w
	}
	return &workspace{walker: newWalker(r.Space, r.alphabet)}
}
