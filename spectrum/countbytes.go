package spectrum

import (
	"context"
	"sync"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// countBytes has of every record the counts of all k-mers of short lengths, most of which it repeats, in 2, 4 or 8 bits
// each: a product looks up a byte, of up to four k-mers, in a table made for it, in place of a place and a value for
// each repeat. Greater counts are left to lists.
type countBytes struct {
	steps  *ladder
	widths []uint // by length, the bits of a count; 0: this length is left to lists
	firsts []int  // by length, the place of its first byte among those of a record
	stride int    // bytes of a record, a multiple of bytesAtOnce
	bytes  []uint8
	ends   []int                 // ends[j] is the number of bytes of the records up to j
	of     *[smallCounts]float64 // what a function makes of a count beyond raw counts
	tables sync.Pool             // *[]float64
	parts  sync.Pool             // *[]float64
}

// A byte has a table of byteValues, and tables are tableStride apart: at a power of two, the same values of all bytes,
// of which few are common, would share few lines of the first-level cache.
const (
	byteValues  = 1 << 8
	tableStride = byteValues + 8
)

// bytesAtOnce is how many bytes a loop takes at a time.
const bytesAtOnce = 8

// Tables pay for many records, whose mean record is that of a sample; they have to stay in the second-level cache.
const (
	leastRecords  = 1 << 11
	sampleRecords = 1 << 8
	mostBytes     = 1 << 9
	bytesPerEntry = 2 // bytes that are looked up in the time of one entry of a list
)

// fits reports whether a count fits into width bits, in which it is stored less 1.
func fits(count uint32, width uint) bool { return count <= 1<<width }

// newCountBytes returns bytes for n records and no repeats yet, nil where lists take no longer.
func newCountBytes(n int, steps *ladder, seen sampledRepeats, of *[smallCounts]float64) *countBytes {
	b := &countBytes{steps: steps, of: of, widths: bestWidths(steps, seen), firsts: make([]int, steps.depth+1)}
	for length, width := range b.widths { // that of no letters is 0
		b.firsts[length] = b.stride
		b.stride += bytesOf(steps, length, width)
	}
	if b.stride == 0 {
		return nil
	}
	b.stride = (b.stride + bytesAtOnce - 1) / bytesAtOnce * bytesAtOnce
	b.bytes, b.ends = memory.InLargePages[uint8](n*b.stride), make([]int, n)
	for j := range b.ends {
		b.ends[j] = (j + 1) * b.stride
	}
	return b
}

// bytesOf returns how many bytes the counts of all k-mers of a length take.
func bytesOf(steps *ladder, length int, width uint) int {
	return int(width) << (steps.bits * uint(length)) / 8
}

// countWidths are those that counts may have, in bits; by 0 they are left to lists.
var countWidths = [...]uint{0, 2, 4, 8}

// sampledRepeats is how many repeats an average record has, by length and count; the last has all greater counts.
type sampledRepeats [][greatCount + 1]float64

// greatCount is the least count that fits into no width.
const greatCount = 1<<8 + 1

// beyond returns how many repeats of a length do not fit into a width.
func (s sampledRepeats) beyond(length int, width uint) (number float64) {
	for count, n := range s[length] {
		if !fits(uint32(count), width) {
			number += n
		}
	}
	return number
}

// sampleRepeats looks at records from everywhere in the corpus.
func sampleRepeats(
	ctx context.Context, coder *coder, records *stringkernel.Corpus, steps *ladder,
) sampledRepeats {
	seen := make(sampledRepeats, steps.depth+1)
	c := counters.Get().(*counter)
	for i := range sampleRecords {
		c.findRepeats(ctx, coder, 1, records.Seq(i*records.Len()/sampleRecords))
		for _, r := range upTo(c.repeats, steps.depth) {
			seen[r.length][min(r.count, greatCount)] += 1.0 / sampleRecords
		}
	}
	counters.Put(c)
	return seen
}

// bestWidths returns the cheapest widths by length.
func bestWidths(steps *ladder, seen sampledRepeats) []uint {
	widths, total := make([]uint, steps.depth+1), 0
	for length := 1; length <= steps.depth; length++ {
		least := bytesPerEntry * seen.beyond(length, 0)
		for _, width := range countWidths[1:] {
			bytes := bytesOf(steps, length, width)
			time := float64(bytes) + float64(bytesPerEntry*seen.beyond(length, width))
			if time < least && total+bytes <= mostBytes {
				least, widths[length] = time, width
			}
		}
		total += bytesOf(steps, length, widths[length])
	}
	return widths
}

// has reports whether a repeat with a length and a count is in bytes.
func (b *countBytes) has(length int, count uint32) bool {
	return b.widths[length] > 0 && fits(count, b.widths[length])
}

// take keeps those repeats of record j that fit, and returns the others, in their place.
func (b *countBytes) take(j int, repeats []repeat) (others []repeat) {
	row, others := b.row(j), repeats[:0]
	for _, r := range repeats {
		width := b.widths[r.length]
		if width == 0 || !fits(r.count, width) {
			others = append(others, r)
			continue
		}
		bit := uint(r.code) * width
		row[b.firsts[r.length]+int(bit/8)] |= uint8(r.count-1) << (bit % 8)
	}
	return others
}

// scatterAll adds v[j] times the surplus of document j to t, for every document.
func (b *countBytes) scatterAll(t, v []float64) {
	b.scatterWith(t, func(sums []float64) { scatterAll(b, b.ends, sums, v, len(sums), &b.parts) })
}

// scatterOne adds the surplus of document j to t.
func (b *countBytes) scatterOne(t []float64, j int) {
	b.scatterWith(t, func(sums []float64) { b.scatter(sums, j, 1) })
}

// scatterWith adds to t what a function adds to sums by place and value of a byte.
func (b *countBytes) scatterWith(t []float64, add func(sums []float64)) {
	table := scratch.Borrow(&b.tables, b.stride*tableStride)
	clear(*table)
	add(*table)
	b.each(t, *table, func(t, sums []float64, width uint) { b.divide(t, sums, width) })
	b.tables.Put(table)
}

// gatherAll adds to dst[j] the sum of t over the surplus of document j, for every document.
func (b *countBytes) gatherAll(dst, t []float64) {
	table := scratch.Borrow(&b.tables, b.stride*tableStride)
	clear(*table)
	b.each(t, *table, func(t, sums []float64, width uint) { b.combine(sums, t, width) })
	gatherAll(dst, *table, b, b.ends)
	b.tables.Put(table)
}

// each calls visit for every byte, with the part of t of its k-mers and the part of a table that it has.
func (b *countBytes) each(t, table []float64, visit func(t, sums []float64, width uint)) {
	for length, width := range b.widths {
		if width == 0 {
			continue
		}
		kmers := t[b.steps.base(length):b.steps.base(length+1)]
		for at := b.firsts[length]; len(kmers) > 0; at++ {
			visit(kmers[:8/width], table[at*tableStride:][:byteValues], width)
			kmers = kmers[8/width:]
		}
	}
}

// combine sets sums, of each value of a byte, to those of the surplus of its counts times t, one count after another:
// a value of the counts so far is one with the next count 1, which has no surplus, and then of each greater one.
func (b *countBytes) combine(sums, t []float64, width uint) {
	sums[0] = 0
	for i, x := range t {
		size := 1 << (uint(i) * width)
		for n := 1; n < 1<<width; n++ {
			add := float64(b.of[n+1] * x)
			for value, sum := range sums[:size] {
				sums[n*size+value] = sum + add
			}
		}
	}
}

// divide adds to t the surplus of each count times the sum over the values of a byte that have it, one count after
// another, from the last: then those of the others are summed over it. It leaves sums so.
func (b *countBytes) divide(t, sums []float64, width uint) {
	for i := len(t) - 1; i >= 0; i-- {
		size := 1 << (uint(i) * width)
		for n := 1; n < 1<<width; n++ {
			total := 0.0
			for value, sum := range sums[n*size:][:size] {
				total += sum
				sums[value] += sum
			}
			t[i] += float64(b.of[n+1] * total)
		}
	}
}

// byteTables are those of bytesAtOnce bytes.
type byteTables = *[bytesAtOnce * tableStride]float64

// row returns the bytes of document j.
func (b *countBytes) row(j int) []uint8 { return b.bytes[j*b.stride : (j+1)*b.stride] }

func (b *countBytes) scatterRange(sums, v []float64, lo, hi int) {
	for j := lo; j < hi; j++ {
		if v[j] != 0 {
			b.scatter(sums, j, v[j])
		}
	}
}

// scatter adds a to the sums of the values of the bytes of document j.
func (b *countBytes) scatter(sums []float64, j int, a float64) {
	for row := b.row(j); len(row) >= bytesAtOnce; row = row[bytesAtOnce:] {
		s, x := byteTables(sums), (*[bytesAtOnce]uint8)(row)
		s[0*tableStride+int(x[0])] += a
		s[1*tableStride+int(x[1])] += a
		s[2*tableStride+int(x[2])] += a
		s[3*tableStride+int(x[3])] += a
		s[4*tableStride+int(x[4])] += a
		s[5*tableStride+int(x[5])] += a
		s[6*tableStride+int(x[6])] += a
		s[7*tableStride+int(x[7])] += a
		sums = sums[len(s):]
	}
}

// gather returns what the tables have for the bytes of document j.
func (b *countBytes) gather(tables []float64, j int) (sum float64) {
	for row := b.row(j); len(row) >= bytesAtOnce; row = row[bytesAtOnce:] {
		t, x := byteTables(tables), (*[bytesAtOnce]uint8)(row)
		sum += ((t[0*tableStride+int(x[0])] + t[1*tableStride+int(x[1])]) +
			(t[2*tableStride+int(x[2])] + t[3*tableStride+int(x[3])])) +
			((t[4*tableStride+int(x[4])] + t[5*tableStride+int(x[5])]) +
				(t[6*tableStride+int(x[6])] + t[7*tableStride+int(x[7])]))
		tables = tables[len(t):]
	}
	return sum
}
