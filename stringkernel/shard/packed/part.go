package packed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

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
	return p.each(ctx, v, func(w *workspace, from int) {
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
	return p.each(ctx, nil, func(w *workspace, from int) {
		for m, table := range tables {
			w.block.each(func(i int, r *record) {
				dst[m][from+i] = float64(w.walker.gather(table, r) * r.scale)
			})
		}
	})
}

// AddSquares scores all records and then adds them: the caches have room for one of the tables, but not for both.
func (p *part) AddSquares(ctx context.Context, dst, table, weights []float64) error {
	var values []float64 // of the records with a weight
	err := p.eachWeighed(ctx, weights, func(w *walker, weight float64, r *record) {
		f := float64(w.gather(table, r) * r.scale)
		values = append(values, float64(float64(weight*f)*r.scale))
	})
	if err != nil {
		return err
	}
	return p.eachWeighed(ctx, weights, func(w *walker, _ float64, r *record) {
		w.scatter(dst, r, values[0])
		values = values[1:]
	})
}

// Norms unpacks records that are not normalised, and computes k(x, x) again.
func (p *part) Norms(ctx context.Context, dst []float64) error {
	return p.each(ctx, nil, func(w *workspace, from int) {
		w.block.each(func(i int, r *record) {
			unpack := func() []byte { return w.walker.unpack(r) }
			dst[from+i] = compose.SelfScaled(p.all.kernel, p.all.Space, r.scale, unpack)
		})
	})
}

// eachWeighed calls visit with the records whose weight is not 0, in order.
func (p *part) eachWeighed(ctx context.Context, weights []float64,
	visit func(w *walker, weight float64, r *record)) error {
	return p.each(ctx, [][]float64{weights}, func(w *workspace, from int) {
		w.block.each(func(i int, r *record) {
			if weight := weights[from+i]; weight != 0 {
				visit(w.walker, weight, r)
			}
		})
	})
}

// each calls visit with the blocks in order, and the number in the part of the first record of each. Of some vectors,
// if there are any, one must not be 0 in a block; other blocks are not read.
func (p *part) each(ctx context.Context, of [][]float64, visit func(w *workspace, from int)) (err error) {
	defer cancel.Catch(&err)
	w := p.all.borrow()
	defer p.all.spaces.Put(w)
	to := 0
	for i, block := range p.blocks {
		cancel.Check(ctx)
		from := to
		to += block.records
		wanted := func(v []float64) bool { return !vectors.Zero(v[from:to]) }
		if of != nil && !slices.ContainsFunc(of, wanted) {
			continue
		}
		if w.data, err = p.read(w.data, &w.block, i); err != nil {
			return err
		}
		visit(w, from)
	}
	return nil
}

// read makes b a block of the part, and returns its bytes: data with them, or where the store has them.
func (p *part) read(data []byte, b *block, number int) ([]byte, error) {
	data, err := p.all.store.read(data, p.blocks[number])
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return data, p.all.store.wrap(err)
	}
	b.packed = p.all.alphabet.Bits() == 2
	if err := b.read(data); err != nil {
		return data, p.all.store.wrap(fmt.Errorf("block %d of %d of a part: %w", number+1, len(p.blocks), err))
	}
	return data, nil
}
