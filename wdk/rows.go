package wdk

import (
	"context"
	"fmt"
	"math/bits"
	"sync"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/simd"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/wdk/internal/windowed"
)

// rows evaluates the kernel of one window with all windows of a corpus, bit-parallel. The window is moved by each
// shift, so that a value takes 2S + 1 masks.
type rows struct {
	kernel  Kernel
	corpus  *stringkernel.Corpus
	windows *windowed.Blocks
	most    int      // the largest shift possible for this length
	starts  []starts // by offset + most: the weights of positions at which matches begin; nil if uniform
	scratch sync.Pool
}

func newRows(k Kernel, c *stringkernel.Corpus, length int) *rows {
	r := &rows{kernel: k, corpus: c, windows: windowed.New(k.Alphabet, c, length), most: min(k.Shift, max(0, length-1))}
	if k.uniform() {
		return r
	}
	for offset := -r.most; offset <= r.most; offset++ {
		r.starts = append(r.starts, newStarts(r.windows.Words, func(position int) float64 {
			other := position + offset
			if position >= length || other < 0 || other >= length {
				return 0
			}
			return k.pair(min(position, other), max(offset, -offset))
		}))
	}
	return r
}

// rowPart is the number of masks that a processor takes at a time.
const rowPart = 8192

// row writes k(x_j, x_i) for every j.
func (r *rows) row(dst []float64, i int) {
	x := r.encode(r.corpus.Seq(i))
	defer r.scratch.Put(x)
	n := r.corpus.Len()
	each := max(1, rowPart/(2*r.most+1)/simd.WindowsAtOnce) * simd.WindowsAtOnce
	if n <= each {
		r.part(dst[:n], *x, 0)
		return
	}
	parallel.Each((n+each-1)/each, func(part int) {
		lo := part * each
		r.part(dst[lo:min(lo+each, n)], *x, lo)
	})
}

// encode returns the planes of a window, from the scratch space.
func (r *rows) encode(x []byte) *[]uint64 {
	planes := scratch.BorrowOf[uint64](&r.scratch, r.windows.Size())
	r.windows.Encode(*planes, x)
	return planes
}

// part writes k(x_j, x) for the windows j from lo on, a multiple of simd.WindowsAtOnce.
func (r *rows) part(dst []float64, x []uint64, lo int) {
	size := len(x)
	space := scratch.BorrowOf[uint64](&r.scratch, 2*size+(simd.WindowsAtOnce+1)*r.windows.Words)
	defer r.scratch.Put(space)
	moved, rest := (*space)[:size], (*space)[size:]
	clear(dst)
	for n := range 2*r.most + 1 {
		offset := (n + 1) / 2 // 0, 1, −1, 2, −2, …
		if n%2 == 0 {
			offset = -offset
		}
		r.windows.Move(moved, x, offset)
		if r.starts == nil {
			r.windows.AddDegrees(dst, lo, moved, rest, r.kernel.D, r.kernel.delta(max(offset, -offset)))
			continue
		}
		starts, y, mask := r.starts[offset+r.most], rest[:size], rest[size:][:r.windows.Words]
		for j := range dst {
			r.windows.Match(mask, moved, y, lo+j)
			dst[j] += starts.degrees(mask, r.kernel.D)
		}
	}
	vectors.Scale(dst, r.kernel.unit())
}

// comparison is rows of windows of elsewhere.
type comparison struct{ rows *rows }

// compare encodes windows of one length: 48 bytes each of DNA of up to 192 letters, 72 if some are not nucleotides.
func (k Kernel) compare(_ context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	length, err := k.windows(c)
	if err != nil {
		return nil, err
	}
	if k.resembling() {
		k, err := k.Compile()
		return stringkernel.DirectComparison(k, c), err
	}
	layout := windowed.Layout(k.Alphabet, length)
	if err := stringkernel.CheckIndex(c, float64(8*layout.Size())/float64(max(length, 1))); err != nil {
		return nil, fmt.Errorf("wd: %w", err)
	}
	return comparison{newRows(k, c, length)}.rowTo, nil
}

func (c comparison) rowTo(dst []float64, x []byte) {
	if len(x) != c.rows.windows.Length {
		clear(dst)
		return
	}
	planes := c.rows.encode(x)
	defer c.rows.scratch.Put(planes)
	c.rows.part(dst, *planes, 0)
}

// starts are the weights of the positions at which matches begin: for each byte of a mask, a sum per value.
type starts [][256]float64

// newStarts tabulates the weights of positions 0 … words·64 − 1 in the layout of planes.
func newStarts(words int, weight func(position int) float64) starts {
	table := make(starts, 8*words)
	for w := range words {
		for b := range 8 {
			sums := &table[8*w+b]
			for value := 1; value < 256; value++ {
				low := bits.TrailingZeros8(uint8(value))
				sums[value] = sums[value&(value-1)] + weight((8*b+low)*words+w)
			}
		}
	}
	return table
}

// degrees returns Σ_k (d − k + 1) Σ weight over the set bits of m_k; it overwrites the mask.
func (t starts) degrees(mask []uint64, d int) float64 {
	total, sum := 0.0, 0.0
	for left := d; left > 0; left-- {
		for w, m := range mask {
			for b := 8 * w; m != 0; b++ {
				sum += t[b][m&255]
				m >>= 8
			}
		}
		total += sum
		if !simd.Longer(mask) {
			return total + float64(float64(left-1)*sum)
		}
	}
	return total
}
