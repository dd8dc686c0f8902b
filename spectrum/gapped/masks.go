package gapped

import (
	"context"
	"math/bits"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// Any h is Σ_s a_s C(l−m, s), and C(l−m, s) the number of choices of s positions on which two k-mers at distance m
// agree. So the kernel is
//
//	Σ_s a_s Σ_{|S| = s} (number of pairs of k-mers that agree on the positions S)
//
// a sum of spectrum kernels, one for each mask S with a_s ≠ 0: C(l, k) masks for uncut gapped k-mers, and C(l, 0) + … +
// C(l, d) for an h that is cut at d, which needs s ≥ l − d only. With both strands a mask and its mirror image count
// the same pairs, and one of them suffices.

// mask is a choice of positions.
type mask struct {
	letters uint64  // all bits of the letters chosen, of a packed k-mer
	weight  float64 // a_s, doubled if it includes its mirror image
}

// masks returns the masks of h, by size.
func (e *engine) masks() []mask {
	var list []mask
	l := e.coder.length
	for s, a := range e.parts {
		if a == 0 {
			continue
		}
		eachChoice(l, s, func(positions uint64) {
			weight := a
			if e.rc {
				switch mirrored := bits.Reverse64(positions) >> (64 - l); {
				case mirrored < positions:
					return
				case mirrored > positions:
					weight *= 2
				}
			}
			list = append(list, mask{e.coder.spread(positions), weight})
		})
	}
	return list
}

// eachSize calls visit with the number of one mask of each size, from the middle of those, and how many there are: what
// they have in common is estimated from it.
func eachSize(masks []mask, visit func(typical, count int)) {
	for i := 0; i < len(masks); {
		last := i
		for last < len(masks) && bits.OnesCount64(masks[last].letters) == bits.OnesCount64(masks[i].letters) {
			last++
		}
		visit((i+last)/2, last-i)
		i = last
	}
}

// maskCount returns the number of masks, mirror images included.
func (e *engine) maskCount() float64 {
	count, l := 0.0, len(e.parts)-1
	for s, a := range e.parts {
		if a != 0 {
			count += choices(l, s)
		}
	}
	return count
}

// cancellation returns Σ_s |a_s| C(l, s) / h(0): how much larger the terms of h(0) are than their sum, and rounding
// errors than those of counts of pairs.
func (e *engine) cancellation() float64 {
	sum, l := 0.0, len(e.parts)-1
	for s, a := range e.parts {
		sum += float64(max(a, -a) * choices(l, s))
	}
	return sum / e.h[0]
}

// choices returns C(n, k).
func choices(n, k int) float64 {
	c := 1.0
	for i := range min(k, n-k) {
		c = c * float64(n-i) / float64(i+1)
	}
	return c
}

// eachChoice calls visit for each choice of s of l ≤ 32 positions, as bits, ascending.
func eachChoice(l, s int, visit func(positions uint64)) {
	if s == 0 {
		visit(0)
		return
	}
	for p := uint64(1)<<s - 1; p < 1<<l; {
		visit(p)
		low := p & -p // the next number with as many bits
		next := p + low
		p = next | (p^next)>>2/low
	}
}

// spread returns the bits of the letters at positions.
func (c *coder) spread(positions uint64) uint64 {
	letter, letters := uint64(1)<<c.fold-1, uint64(0)
	for p := positions; p != 0; p &= p - 1 {
		letters |= letter << (c.fold * bits.TrailingZeros64(p))
	}
	return letters
}

// maskTables holds, for each mask, the sums of the coefficients of the k-mers that are the same on its positions: the
// score of a k-mer is one look-up per mask, two with both strands, for all outputs. Those of a k-mer and its reverse
// complement are added mask by mask.
type maskTables []maskTable

// maskTable has a row of values, one per output, for each masked k-mer. Row 0 is zeros, that of k-mers that are not
// there.
type maskTable struct {
	letters uint64
	numbers hash.Table
	values  []float64
}

// newMaskTables builds the tables from k-mers and their coefficients.
func newMaskTables(ctx context.Context, masks []mask, codes []uint64, coef [][]float64) maskTables {
	tables := make(maskTables, len(masks))
	parallel.EachContext(ctx, len(masks), func(i int) { tables[i].fill(ctx, masks[i], codes, coef) })
	return tables
}

// maskTableBytes bounds the size of the tables.
func maskTableBytes(masks, kmers, outputs int) float64 {
	return float64(masks) * float64(hash.Bytes(kmers+kmers/2)+8*outputs*(kmers+1))
}

// fill sums the coefficients by masked k-mer.
func (t *maskTable) fill(ctx context.Context, m mask, codes []uint64, coef [][]float64) {
	outputs := len(coef)
	t.letters = m.letters
	t.numbers.Reset(len(codes) + len(codes)/2)
	t.values = make([]float64, outputs, outputs*(len(codes)+1))
	for i, code := range cancel.All(ctx, codes) {
		row := outputs * int(t.numbers.Number(code&m.letters)+1)
		t.values = t.values[:max(len(t.values), row+outputs)] // the rest is zeros
		for j := range coef {
			t.values[row+j] += float64(m.weight * coef[j][i])
		}
	}
}

// row returns the values of a k-mer.
func (t *maskTable) row(code uint64, outputs int) []float64 {
	return t.values[int(t.numbers.Find(code&t.letters))*outputs:][:outputs]
}

// addTo adds mask by mask.
func (tables maskTables) addTo(dst []float64, w *block, outputs int) {
	for i := range tables {
		t := &tables[i]
		for j, code := range w.codes {
			row, others := dst[w.rows[j]:][:outputs], t.values[:outputs]
			if len(w.opposite) > 0 {
				others = t.row(w.opposite[j], outputs)
			}
			for m, v := range t.row(code, outputs) {
				row[m] += v + others[m]
			}
		}
	}
}
