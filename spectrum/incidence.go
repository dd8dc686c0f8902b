package spectrum

import (
	"context"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/ends"
	"github.com/seqsvm/seqsvm/internal/gather"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/internal/scratch"
)

// incidence lists, document by document, the feature of each occurrence: 2 bytes each if there are at most 2¹⁶
// features, else 4. If that is smaller it lists each distinct feature once with its count in 2 more bytes (a larger
// count is split into several entries).
type incidence struct {
	ends   []int // ends[j] is the offset just after document j
	narrow []uint16
	wide   []uint32
	counts []uint16   // nil: every entry counts once
	more   *rows.Rows // surplus of repeats, where counts are seen through a function; nil: counts are raw
}

// wholeNumbers are the values of counts.
var wholeNumbers = sync.OnceValue(func() []float64 {
	values := make([]float64, maxCount+1)
	for i := range values {
		values[i] = float64(i)
	}
	return values
})

// maxCount is the largest count of one entry.
const maxCount = 1<<16 - 1

// newIncidence returns an empty list for n documents with room for size entries.
func newIncidence(n, features, size int, counted bool) *incidence {
	inc := &incidence{ends: make([]int, 0, n)}
	if counted {
		inc.counts = make([]uint16, 0, size)
	}
	if features <= mostNarrow {
		inc.narrow = make([]uint16, 0, size)
	} else {
		inc.wide = make([]uint32, 0, size)
	}
	return inc
}

// mostNarrow is the greatest number of features that 2 bytes tell apart.
const mostNarrow = 1 << 16

// layout returns the number of entries of the smaller layout, and whether it is the counted one. entries is the
// distinct features per document, summed, as countEntries gives them.
func layout(features, occurrences, entries int) (size int, counted bool) {
	width := 4
	if features <= mostNarrow {
		width = 2
	}
	if entries*(width+2) < occurrences*width {
		return entries, true
	}
	return occurrences, false
}

// countEntries returns the number of entries a count takes in the counted layout.
func countEntries(count int) int { return (count + maxCount - 1) / maxCount }

// len returns the number of entries.
func (c *incidence) len() int { return len(c.narrow) + len(c.wide) }

// add appends count occurrences of a feature to the document that is being listed.
func (c *incidence) add(feature uint32, count int) {
	for count > 0 {
		part := 1
		if c.counts != nil {
			part = min(count, maxCount)
			c.counts = append(c.counts, uint16(part))
		}
		if c.narrow != nil {
			c.narrow = append(c.narrow, uint16(feature))
		} else {
			c.wide = append(c.wide, feature)
		}
		count -= part
	}
}

// newReserved returns a list with room for documents of the given sizes, in entries, and overwrites each size by the
// place of the document's first entry.
func newReserved(features int, sizes []int, counted bool) (c *incidence, starts []int) {
	c = newIncidence(len(sizes), features, sum(sizes), counted)
	size := 0
	for j, n := range sizes {
		sizes[j] = size
		size += n
		c.ends = append(c.ends, size)
	}
	if c.counts != nil {
		c.counts = c.counts[:size]
	}
	if c.narrow != nil {
		c.narrow = c.narrow[:size]
	} else {
		c.wide = c.wide[:size]
	}
	return c, sizes
}

func sum(list []int) (total int) {
	for _, n := range list {
		total += n
	}
	return total
}

// put stores count occurrences of a feature in the entries from at on, and returns the place after them.
func (c *incidence) put(at int, feature uint32, count int) int {
	for count > 0 {
		part := 1
		if c.counts != nil {
			part = min(count, maxCount)
		}
		c.putOne(at, feature, uint16(part))
		count -= part
		at++
	}
	return at
}

// putOne stores a feature and its count in entry at. Without counts it is one occurrence.
func (c *incidence) putOne(at int, feature uint32, count uint16) {
	if c.counts != nil {
		c.counts[at] = count
	}
	if c.narrow != nil {
		c.narrow[at] = uint16(feature)
	} else {
		c.wide[at] = feature
	}
}

// putCodes stores features, each once, in the entries from at on, and returns the place after them.
func (c *incidence) putCodes(at int, codes []uint64) int {
	if c.narrow != nil {
		to := c.narrow[at : at+len(codes)]
		for i, code := range codes {
			to[i] = uint16(code)
		}
		return at + len(codes)
	}
	to := c.wide[at : at+len(codes)]
	for i, code := range codes {
		to[i] = uint32(code)
	}
	return at + len(codes)
}

// end closes the document that is being listed.
func (c *incidence) end() { c.ends = append(c.ends, c.len()) }

// bounds returns the entries of document j.
func (c *incidence) bounds(j int) (lo, hi int) { return ends.Bounds(c.ends, j) }

// entry returns the feature and the count of entry i.
func (c *incidence) entry(i int) (feature uint32, count int) {
	count = 1
	if c.counts != nil {
		count = int(c.counts[i])
	}
	if c.narrow != nil {
		return uint32(c.narrow[i]), count
	}
	return c.wide[i], count
}

// narrowTable is a scatter array for 2-byte features: no index can be out of its bounds, and the compiler knows.
type narrowTable = *[1 << 16]float64

// tableSize returns how long a scatter array must be.
func (c *incidence) tableSize(features int) int {
	if c.narrow != nil {
		return 1 << 16
	}
	return features
}

// scatter adds a to t at every occurrence of document j.
func (c *incidence) scatter(t []float64, j int, a float64) {
	lo, hi := c.bounds(j)
	if c.more != nil {
		c.more.Scatter(t, j, a)
	}
	switch {
	case c.counts == nil:
		c.scatterOnce(t, lo, hi, a)
	case c.narrow != nil:
		scatterCounts(t, c.narrow[lo:hi], c.counts[lo:hi], wholeNumbers(), a)
	default:
		scatterCounts(t, c.wide[lo:hi], c.counts[lo:hi], wholeNumbers(), a)
	}
}

// scatterOnce adds a to t at entries lo…hi−1, whatever their counts.
func (c *incidence) scatterOnce(t []float64, lo, hi int, a float64) {
	if c.narrow != nil {
		table := narrowTable(t)
		for _, f := range c.narrow[lo:hi] {
			table[f] += a
		}
		return
	}
	for _, f := range c.wide[lo:hi] {
		t[f] += a
	}
}

// A scatter is divided into parts, each of which adds its documents' coefficients to a table of its own; then each word
// is summed over the tables, in order of the parts. Their number depends on the data alone, and so do the bits.
const (
	mostParts     = 16
	entriesPerSum = 40 // least entries per word of a part: adding its table takes a fiftieth of its time
)

// scatterParts returns the number of parts for a scatter to a number of features.
func scatterParts(entries, features int) int {
	return max(1, min(mostParts, entries/(entriesPerSum*max(features, 1))))
}

// scatterAll adds v[j] to the sums t of all features of document j, for every document. Features are numbered from 0,
// and t may have room for more of them.
func (c *incidence) scatterAll(t, v []float64, features int, pool *sync.Pool) {
	parts := scatterParts(c.len(), features)
	if parts == 1 {
		c.scatterRange(t, v, 0, len(v))
		return
	}
	tables := make([]*[]float64, parts)
	cuts := cut(c.ends, parts)
	parallel.Each(parts, func(p int) {
		table := scratch.Borrow(pool, len(t))
		clear((*table)[:features])
		c.scatterRange(*table, v, cuts[p], cuts[p+1])
		tables[p] = table
	})
	parallel.For(features, func(lo, hi int) {
		for _, table := range tables {
			from := (*table)[lo:hi]
			for i := range t[lo:hi] {
				t[lo+i] += from[i]
			}
		}
	})
	for _, table := range tables {
		pool.Put(table)
	}
}

// scatterRange adds v to the features of the documents lo…hi−1.
func (c *incidence) scatterRange(t, v []float64, lo, hi int) {
	for j := lo; j < hi; j++ {
		if v[j] != 0 {
			c.scatter(t, j, v[j])
		}
	}
}

// cut divides documents whose entries end at ends into parts with about as many each: part p is cuts[p]…cuts[p+1]−1.
func cut(ends []int, parts int) (cuts []int) {
	cuts = append(cuts, 0)
	for j, end := range ends {
		for len(cuts) < parts && end*parts >= len(cuts)*ends[len(ends)-1] {
			cuts = append(cuts, j+1)
		}
	}
	return append(cuts, len(ends))
}

// gather returns the sum of t over the occurrences of document j, in four partial sums of every fourth entry, so
// that additions need not wait for one another.
func (c *incidence) gather(t []float64, j int) float64 {
	if c.more != nil {
		return c.more.Gather(t, j) + c.gatherCounts(t, j)
	}
	return c.gatherCounts(t, j)
}

// gatherCounts is gather of raw counts.
func (c *incidence) gatherCounts(t []float64, j int) float64 {
	lo, hi := c.bounds(j)
	switch {
	case c.counts == nil:
		return c.gatherOnce(t, lo, hi)
	case c.narrow != nil:
		return gatherCounts(t, c.narrow[lo:hi], c.counts[lo:hi], wholeNumbers())
	default:
		return gatherCounts(t, c.wide[lo:hi], c.counts[lo:hi], wholeNumbers())
	}
}

// gatherOnce is gather of entries lo…hi−1, whatever their counts.
func (c *incidence) gatherOnce(t []float64, lo, hi int) float64 {
	if c.narrow != nil {
		return gatherNarrow(narrowTable(t), c.narrow[lo:hi])
	}
	return gather.Sum(t, c.wide[lo:hi])
}

func gatherNarrow(t narrowTable, f []uint16) float64 {
	var a, b, c, d float64
	for ; len(f) >= 4; f = f[4:] {
		a += t[f[0]]
		b += t[f[1]]
		c += t[f[2]]
		d += t[f[3]]
	}
	for _, f := range f {
		a += t[f]
	}
	return (a + b) + (c + d)
}

func gatherCounts[T uint16 | uint32](t []float64, f []T, n []uint16, values []float64) float64 {
	var a, b, c, d float64
	for ; len(f) >= 4 && len(n) >= 4; f, n = f[4:], n[4:] {
		a += float64(t[f[0]] * values[n[0]])
		b += float64(t[f[1]] * values[n[1]])
		c += float64(t[f[2]] * values[n[2]])
		d += float64(t[f[3]] * values[n[3]])
	}
	for i, f := range f {
		a += float64(t[f] * values[n[i]])
	}
	return (a + b) + (c + d)
}

func scatterCounts[T uint16 | uint32](t []float64, f []T, n []uint16, values []float64, a float64) {
	for i, f := range f {
		t[f] += float64(a * values[n[i]])
	}
}

// erase sets t to zero at every occurrence of document j.
func (c *incidence) erase(t []float64, j int) {
	lo, hi := c.bounds(j)
	for _, f := range c.narrow[min(lo, len(c.narrow)):min(hi, len(c.narrow))] {
		t[f] = 0
	}
	for _, f := range c.wide[min(lo, len(c.wide)):min(hi, len(c.wide))] {
		t[f] = 0
	}
}

// postable reports whether an incidence has few enough entries for postings.
func (c *incidence) postable() bool { return int64(c.len()) < 1<<32-1 }

// addSurplus lists the features that documents have more than once, with what a function makes of their counts beyond.
func (c *incidence) addSurplus(ctx context.Context, features int, values countof.Values) {
	var pool sync.Pool // *[]uint32, zero at rest
	c.more = rows.Collect(ctx, len(c.ends), features, func(r *rows.Rows, from, to int) {
		counts := scratch.BorrowOf[uint32](&pool, features)
		for j := from; j < to; j++ {
			cancel.Check(ctx)
			lo, hi := c.bounds(j)
			for e := lo; e < hi; e++ {
				feature, count := c.entry(e)
				(*counts)[feature] += uint32(count)
			}
			for e := lo; e < hi; e++ {
				feature, _ := c.entry(e)
				if n := (*counts)[feature]; n > 1 {
					r.Add(int32(feature), values.Surplus(n))
				}
				(*counts)[feature] = 0
			}
			r.End()
		}
		pool.Put(counts)
	})
}
