package spectrum

import (
	"context"
	"runtime"

	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// surplus lists, document by document, the repeats with what a function makes of their counts beyond raw counts, in
// units of g(1).
type surplus struct {
	rows []surplusRow
	ends []int // ends[j] is the number of entries of the documents up to j
	of   [smallCounts]float64
}

// surplusRow is the repeats of a document: places on a ladder, each in one word with its count, which has the low bits.
// Those with a greater count, in long documents a few short k-mers, have their values beside them.
type surplusRow struct {
	entries []uint32
	large   []largeSurplus
}

type largeSurplus struct {
	index uint32
	value float64
}

// A word has room for a place on a ladder of up to 2²¹, which is more than gramBits allow, and a small count.
const (
	smallBits   = 11
	smallCounts = 1 << smallBits
)

// listSurplus lists the repeats on a ladder of each record, and sets k(x, x) of k-mers of all lengths.
func (k throughCount) listSurplus(
	ctx context.Context, records *stringkernel.Corpus, steps *ladder, diag []float64,
) *surplus {
	s := &surplus{rows: make([]surplusRow, records.Len()), ends: make([]int, records.Len())}
	coder, values := newCoder(k.Alphabet, k.K), countof.New(k.Count)
	for n := range uint32(smallCounts) {
		s.of[n] = values.Surplus(n)
	}
	blocks := documentBlocks(records, runtime.GOMAXPROCS(0))
	parallel.EachContext(ctx, len(blocks)-1, func(b int) {
		c := counters.Get().(*counter)
		var list chunks[uint32]
		for j := blocks[b]; j < blocks[b+1]; j++ {
			c.findRepeats(ctx, &coder, 1, records.Seq(j))
			diag[j] = c.selfRepeats(&values)
			s.rows[j] = newSurplusRow(&list, upTo(c.repeats, steps.depth), steps, &values)
		}
		counters.Put(c)
	})
	size := 0
	for j := range s.ends {
		size += len(s.rows[j].entries)
		s.ends[j] = size
	}
	return s
}

// upTo returns those of repeats, which are by length, that are no longer than a length.
func upTo(repeats []repeat, length int) []repeat {
	for len(repeats) > 0 && int(repeats[len(repeats)-1].length) > length {
		repeats = repeats[:len(repeats)-1]
	}
	return repeats
}

// newSurplusRow appends repeats to a list, and returns them.
func newSurplusRow(list *chunks[uint32], repeats []repeat, steps *ladder, values *countof.Values) (row surplusRow) {
	n, entries := 0, list.room(len(repeats))
	for _, r := range repeats {
		index := uint32(steps.index(r.code, int(r.length)))
		if r.count < smallCounts {
			entries[n] = index<<smallBits | r.count
			n++
		} else {
			row.large = append(row.large, largeSurplus{index, values.Surplus(r.count)})
		}
	}
	row.entries = entries[:n:n]
	list.keep(n)
	return row
}

// scatter adds a times the surplus of document j to t.
func (s *surplus) scatter(t []float64, j int, a float64) {
	row := &s.rows[j]
	for _, e := range row.entries {
		t[e>>smallBits] += float64(a * s.of[e&(smallCounts-1)])
	}
	for _, e := range row.large {
		t[e.index] += float64(a * e.value)
	}
}

// scatterRange adds v to the entries of the documents lo…hi−1.
func (s *surplus) scatterRange(t, v []float64, lo, hi int) {
	for j := lo; j < hi; j++ {
		if v[j] != 0 {
			s.scatter(t, j, v[j])
		}
	}
}

// gather returns the sum of t over the surplus of document j, in four partial sums of every fourth entry.
func (s *surplus) gather(t []float64, j int) float64 {
	var a, b, c, d float64
	row := &s.rows[j]
	list := row.entries
	for ; len(list) >= 4; list = list[4:] {
		a += float64(t[list[0]>>smallBits] * s.of[list[0]&(smallCounts-1)])
		b += float64(t[list[1]>>smallBits] * s.of[list[1]&(smallCounts-1)])
		c += float64(t[list[2]>>smallBits] * s.of[list[2]&(smallCounts-1)])
		d += float64(t[list[3]>>smallBits] * s.of[list[3]&(smallCounts-1)])
	}
	for _, e := range list {
		a += float64(t[e>>smallBits] * s.of[e&(smallCounts-1)])
	}
	for _, e := range row.large {
		a += float64(t[e.index] * e.value)
	}
	return (a + b) + (c + d)
}
