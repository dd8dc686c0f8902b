package wdk

import (
	"context"
	"fmt"
	"sync"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/wdk/internal/windowed"
)

// rows evaluates the kernel of one window with all windows of a corpus, bit-parallel. The window is moved by each
// shift, so that a value takes 2S + 1 masks.
type rows struct {
	kernel  Kernel
	corpus  *stringkernel.Corpus
	planes  *windowed.Planes
	most    int      // the largest shift possible for this length
	starts  []starts // by offset + most: the weights of positions at which matches begin; nil if uniform
	scratch sync.Pool
}

func newRows(k Kernel, c *stringkernel.Corpus, length int) *rows {
	r := &rows{kernel: k, corpus: c, planes: windowed.New(k.Alphabet, c, length), most: min(k.Shift, max(0, length-1))}
	if k.uniform() {
		return r
	}
	for offset := -r.most; offset <= r.most; offset++ {
		r.starts = append(r.starts, newStarts(r.planes.Words, func(position int) float64 {
			other := position + offset
			if position >= length || other < 0 || other >= length {
				return 0
			}
			return k.pair(min(position, other), max(offset, -offset))
		}))
	}
	return r
}

// rowBlock is the least number of masks for which a row is split among processors.
const rowBlock = 8192

// row writes k(x_j, x_i) for every j.
func (r *rows) row(dst []float64, i int) {
	n := r.corpus.Len()
	if n*(2*r.most+1) < rowBlock {
		r.part(dst, r.corpus.Seq(i), 0, n)
		return
	}
	parallel.For(n, func(lo, hi int) { r.part(dst, r.corpus.Seq(i), lo, hi) })
}

// part writes k(x_j, x) for lo ≤ j < hi.
func (r *rows) part(dst []float64, x []byte, lo, hi int) {
	size := r.planes.Size()
	space, _ := r.scratch.Get().(*[]uint64)
	if space == nil {
		space = new([]uint64)
		*space = make([]uint64, size+r.planes.Words)
	}
	defer r.scratch.Put(space)
	moved, mask := (*space)[:size], (*space)[size:]
	clear(dst[lo:hi])
	for n := range 2*r.most + 1 {
		offset := (n + 1) / 2 // 0, 1, −1, 2, −2, …
		if n%2 == 0 {
			offset = -offset
		}
		r.planes.Encode(moved, x, offset)
		r.addOffset(dst, moved, mask, offset, lo, hi)
	}
	unit := r.kernel.unit()
	for j := lo; j < hi; j++ {
		dst[j] *= unit
	}
}

// addOffset adds the contribution of the matches of a window, moved by an offset, with windows lo ≤ j < hi.
func (r *rows) addOffset(dst []float64, moved, mask []uint64, offset, lo, hi int) {
	p, d := r.planes, r.kernel.D
	switch delta := r.kernel.delta(max(offset, -offset)); {
	case r.starts != nil:
		starts := r.starts[offset+r.most]
		for j := lo; j < hi; j++ {
			p.Match(mask, moved, p.At(j))
			dst[j] += starts.degrees(mask, d)
		}
	case p.Depth == 2 && p.Words == 3:
		size := p.Size()
		x := (*[9]uint64)(moved)
		for j := lo; j < hi; j++ {
			y := (*[9]uint64)(p.Bits[j*size:])
			a := (x[0] ^ y[0]) | (x[3] ^ y[3]) | x[6] | y[6]
			b := (x[1] ^ y[1]) | (x[4] ^ y[4]) | x[7] | y[7]
			c := (x[2] ^ y[2]) | (x[5] ^ y[5]) | x[8] | y[8]
			dst[j] += float64(delta * float64(degrees3(^a, ^b, ^c, d)))
		}
	default:
		for j := lo; j < hi; j++ {
			p.Match(mask, moved, p.At(j))
			dst[j] += float64(delta * float64(degrees(mask, d)))
		}
	}
}

// comparison is rows of windows of elsewhere.
type comparison struct{ rows *rows }

// Compare encodes windows of one length: 72 bytes each of DNA of up to 192 letters.
func (k Kernel) Compare(_ context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	length, err := k.windows(c)
	if err != nil {
		return nil, err
	}
	if k.resembling() {
		k, err := k.compile()
		return stringkernel.DirectComparison(k, c), err
	}
	layout := windowed.Layout(k.Alphabet, length)
	if err := stringkernel.CheckIndex(c, float64(8*layout.Size())/float64(max(length, 1))); err != nil {
		return nil, fmt.Errorf("wd: %w", err)
	}
	return comparison{newRows(k, c, length)}.rowTo, nil
}

func (c comparison) rowTo(dst []float64, x []byte) {
	if len(x) != c.rows.planes.Length {
		clear(dst)
		return
	}
	c.rows.part(dst, x, 0, len(dst))
}
