package packed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/scratch"
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
	from, to int64 // bytes
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

// part is blocks that follow one another.
type part struct {
	all    *Records
	blocks []place
	n      int // records
}

func newPart(r *Records, blocks []place) *part {
	p := &part{all: r, blocks: blocks}
	for _, b := range blocks {
		p.n += b.records
	}
	return p
}

// Len returns the number of records.
func (p *part) Len() int { return p.n }

// Add adds the features of one record after another.
func (p *part) Add(ctx context.Context, tables, v [][]float64) error {
	return p.each(ctx, func(w *workspace, from int) {
		for m, table := range tables {
			w.block.each(func(i int, r *record) {
				if a := float64(v[m][from+i] * r.scale); a != 0 {
					w.walker.scatter(table, r, a)
				}
			})
		}
	})
}

// Score scores one record after another.
func (p *part) Score(ctx context.Context, dst, tables [][]float64) error {
	return p.each(ctx, func(w *workspace, from int) {
		for m, table := range tables {
			w.block.each(func(i int, r *record) {
				dst[m][from+i] = float64(w.walker.gather(table, r) * r.scale)
			})
		}
	})
}

// AddSquares scores and adds one record after another.
func (p *part) AddSquares(ctx context.Context, dst, table, weights []float64) error {
	return p.each(ctx, func(w *workspace, from int) {
		w.block.each(func(i int, r *record) {
			if weight := weights[from+i]; weight != 0 {
				f := float64(w.walker.gather(table, r) * r.scale)
				w.walker.scatter(dst, r, float64(float64(weight*f)*r.scale))
			}
		})
	})
}

// Norms unpacks the records and computes k(x, x) again.
func (p *part) Norms(ctx context.Context, dst []float64) error {
	return p.each(ctx, func(w *workspace, from int) {
		w.block.each(func(i int, r *record) {
			dst[from+i] = compose.SelfEval(p.all.kernel, w.walker.unpack(r))
		})
	})
}

// each calls visit with every block in order, and the number in the part of its first record.
func (p *part) each(ctx context.Context, visit func(w *workspace, from int)) (err error) {
	defer cancel.Catch(&err)
	w := p.all.borrow()
	defer p.all.spaces.Put(w)
	from := 0
	for i := range p.blocks {
		cancel.Check(ctx)
		if err := p.read(w, i); err != nil {
			return err
		}
		visit(w, from)
		from += w.block.records
	}
	return nil
}

// read reads a block.
func (p *part) read(w *workspace, block int) error {
	at := p.blocks[block]
	w.data = scratch.Resize(w.data, int(at.to-at.from))
	if _, err := p.all.store.ReadAt(w.data, at.from); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return p.all.store.wrap(err)
	}
	if err := w.block.read(w.data); err != nil {
		return p.all.store.wrap(fmt.Errorf("block %d of %d of a part: %w", block+1, len(p.blocks), err))
	}
	return nil
}

func (r *Records) borrow() *workspace {
	if w, ok := r.spaces.Get().(*workspace); ok {
		return w
	}
	return r.newWorkspace()
}

func (r *Records) newWorkspace() *workspace {
	return &workspace{block: block{packed: r.alphabet.Bits() == 2}, walker: newWalker(r.Space, r.alphabet)}
}
