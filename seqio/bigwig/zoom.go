package bigwig

import (
	"math"
)

// zoom is a zoom level that is being written: a summary for each bin of the genome that has a value. Bins begin at
// multiples of the level's reduction, and those of the next level are four of them, so that each level is made of the
// one before.
type zoom struct {
	reduction int
	next      *zoom // nil: the coarsest

	chrom  int // of the bin that is being filled
	bin    int
	start  int // first position with a value
	end    int // after the last one
	filled Summary

	raw         []byte // records of the block that is being collected
	first, last extent
	blocks      []block
	data, index int64
}

// newZooms chooses the reductions by the first intervals: ten of them to a bin at first, four bins to the next, until
// one spans a chromosome.
func newZooms(items []Interval, chroms []Chromosome) []*zoom {
	letters, longest := 0, 0
	for _, item := range items {
		letters += item.End - item.Start
	}
	for _, c := range chroms {
		longest = max(longest, c.Length)
	}
	zooms := []*zoom{} // not nil: they have been chosen
	for r := max(16, 10*letters/len(items)); r < longest && len(zooms) < maxZooms; r *= 4 {
		z := &zoom{reduction: r}
		if len(zooms) > 0 {
			zooms[len(zooms)-1].next = z
		}
		zooms = append(zooms, z)
	}
	return zooms
}

// addInterval adds an interval, bin by bin.
func (z *zoom) addInterval(b *Writer, chrom int, item Interval) {
	for start := item.Start; start < item.End; {
		end := min(item.End, (start/z.reduction+1)*z.reduction)
		z.enter(b, chrom, start)
		z.filled.add(float64(item.Value), end-start)
		z.end = end
		start = end
	}
}

// enter begins the bin of a position, if it is another one.
func (z *zoom) enter(b *Writer, chrom, start int) {
	bin := start / z.reduction
	if z.filled.Covered > 0 && bin == z.bin && chrom == z.chrom {
		return
	}
	z.leave(b)
	z.chrom, z.bin, z.start = chrom, bin, start
}

// leave writes the record of the bin, and adds it to the next level.
func (z *zoom) leave(b *Writer) {
	if z.filled.Covered == 0 {
		return
	}
	if len(z.raw) == 0 {
		z.first = extent{uint32(z.chrom), uint32(z.start)}
	}
	z.last = extent{uint32(z.chrom), uint32(z.end)}
	s := z.filled
	for _, x := range []int{z.chrom, z.start, z.end, s.Covered} {
		z.raw = le.AppendUint32(z.raw, uint32(x))
	}
	for _, x := range []float64{s.Min, s.Max, s.Sum, s.SumSquares} {
		z.raw = le.AppendUint32(z.raw, math.Float32bits(finite(x)))
	}
	if next := z.next; next != nil {
		next.enter(b, z.chrom, z.start)
		next.filled.merge(s)
		next.end = z.end
	}
	z.filled = Summary{}
	if len(z.raw) == blockSize*zoomRecord {
		z.flush(b)
	}
}

// finite returns the nearest finite float32: sums of values may exceed it.
func finite(x float64) float32 { return float32(max(-math.MaxFloat32, min(math.MaxFloat32, x))) }

// flush writes the block that is being collected. What precedes the first block is the number of records, which
// readers have in the index.
func (z *zoom) flush(b *Writer) {
	if len(z.raw) == 0 {
		return
	}
	if z.data == 0 {
		z.data = b.at
		b.write(make([]byte, 4))
	}
	b.raw = append(b.raw[:0], z.raw...)
	z.blocks = append(z.blocks, b.pack(z.first, z.last))
	z.raw = z.raw[:0]
}

// finish writes what is left. Coarser levels come later, since this adds to them.
func (z *zoom) finish(b *Writer) {
	z.leave(b)
	z.flush(b)
}
