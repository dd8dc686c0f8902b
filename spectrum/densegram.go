package spectrum

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/simd"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/engine/table"
)

// denseGram computes all entries of a matrix of counts of at most 2¹³ features. It takes the records of a block side
// by side: their counts of a feature are a row of a table, 16 bits each, and the sum of the rows of another record's
// features is its kernel value with each of them.
type denseGram struct {
	*flatPart
	diag []float64
}

// sideBySide is the number of records of a block, whose counts of a feature take a cache line.
const sideBySide = 32

// mostDenseFeatures is the greatest number of features of a table: 512 KB. Rows of a larger one are found more slowly
// than records by feature.
const mostDenseFeatures = 1 << 13

// leastOverflow is the least sum that 16 bits do not hold. No entry is greater than the greatest on the diagonal.
const leastOverflow = 1 << 16

// Dense returns the way to all entries at once where counts are whole, a table of them is small and no sum is too
// great, else nil.
func (g *gram) Dense() stringkernel.Dense {
	if len(g.parts) != 1 {
		return nil
	}
	f, ok := g.parts[0].(*flatPart)
	if !ok || !g.linear || f.byFeature || f.byRecord().Features() > mostDenseFeatures {
		return nil
	}
	for _, value := range g.diag {
		if value >= leastOverflow {
			return nil
		}
	}
	return denseGram{f, g.diag}
}

// Nanoseconds on one core.
const (
	denseSumTime     = 1.5 // of a feature of a record, for a block
	denseEntryTime   = 1.5
	denseProductTime = 1.2 // of a feature of a record
)

// DenseCost estimates the time of DenseTo, half of which the symmetry saves, and of a product.
func (g denseGram) DenseCost(context.Context, float64) (matrix, product float64, err error) {
	n, entries := float64(len(g.diag)), float64(g.byRecord().Entries())
	blocks := n / sideBySide
	return float64(denseSumTime*entries*blocks/2) + float64(denseEntryTime*n*n), denseProductTime * entries, nil
}

// DenseTo writes blocks of columns, of the rows up to the last one no further than the diagonal, and mirrors these.
func (g denseGram) DenseTo(ctx context.Context, dst []float64, from, to int) error {
	n := len(g.diag)
	err := parallel.Do(ctx, (n+sideBySide-1)/sideBySide, func(b int) error {
		lo, hi := b*sideBySide, min((b+1)*sideBySide, n)
		first := from
		if hi <= to {
			first = max(from, lo)
		}
		g.block(ctx, dst[(first-from)*n:], first, to, lo, hi)
		return nil
	})
	if err != nil {
		return err
	}
	stringkernel.Mirror(dst, n, from, to)
	for i, value := range g.diag[from:to] {
		dst[i*n+from+i] = value
	}
	return nil
}

// block writes columns lo … hi−1 of rows from … to−1.
func (g denseGram) block(ctx context.Context, dst []float64, from, to, lo, hi int) {
	n := len(g.diag)
	space := scratch.BorrowOf[simd.Counts](&g.lanes, table.MostNarrow)
	defer g.lanes.Put(space)
	lanes, list := (*[table.MostNarrow]simd.Counts)(*space), g.byRecord()
	for i := lo; i < hi; i++ {
		lane, one := (i-lo)/4, uint64(1)<<(16*uint(i&3))
		features, weights := list.Narrow(i)
		for e, f := range features {
			count := one
			if weights != nil {
				count *= uint64(weights[e])
			}
			lanes[f][lane] += count
		}
	}
	sums, times := new(simd.Counts), []uint16(nil)
	for j := from; j < to; j++ {
		cancel.Check(ctx)
		features, weights := list.Narrow(j)
		times = times[:0]
		for _, count := range weights {
			times = append(times, uint16(count))
		}
		simd.SumCounts(sums, lanes, features, times)
		row := dst[(j-from)*n+lo : (j-from)*n+hi]
		for i := range row {
			row[i] = float64(uint16(sums[i/4] >> (16 * uint(i&3))))
		}
	}
	clear(lanes[:list.Features()])
}
