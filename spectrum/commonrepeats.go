package spectrum

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/scratch"
)

// commonRepeats lists, record by record, the repeats of lengths and counts that are common, in 16 bits each: such a
// pair of a length and a count has a place for each k-mer in a table that a product makes, where an entry is looked up
// without a count and a product of its own. Rare pairs are left to other lists.
type commonRepeats struct {
	steps  *ladder
	layers []layer
	firsts [][]int // by length and count, the place of the first k-mer; 0: the pair is rare
	list   *incidence
	of     *[smallCounts]float64 // what a function makes of a count beyond raw counts
	tables sync.Pool             // *[]float64
	parts  sync.Pool             // *[]float64
}

// layer is a length and a count that have places.
type layer struct{ length, count, first int }

// entriesPerPlace is how many entries a pair has at least for each of its places: each product passes over these, too.
const entriesPerPlace = 2

// newCommonRepeats returns no repeats yet of n records, with places for the pairs that a sample has most often for each
// place, except those in bytes; nil where no pair is common enough.
func newCommonRepeats(
	n int, steps *ladder, seen sampledRepeats, short *countBytes, of *[smallCounts]float64,
) *commonRepeats {
	c := &commonRepeats{steps: steps, of: of, firsts: make([][]int, steps.depth+1)}
	share := func(l layer) float64 { return seen[l.length][l.count] / float64(c.places(l.length)) }
	var candidates []layer
	for length := 1; length <= steps.depth; length++ {
		c.firsts[length] = make([]int, greatCount)
		for count := 2; count < greatCount; count++ {
			l := layer{length: length, count: count}
			if share(l)*float64(n) >= entriesPerPlace && (short == nil || !short.has(length, uint32(count))) {
				candidates = append(candidates, l)
			}
		}
	}
	slices.SortStableFunc(candidates, func(a, b layer) int { return cmp.Compare(share(b), share(a)) })
	size := 1
	for _, l := range candidates {
		if places := c.places(l.length); size+places <= mostNarrow {
			l.first = size
			c.layers, c.firsts[l.length][l.count] = append(c.layers, l), size
			size += places
		}
	}
	if len(c.layers) == 0 {
		return nil
	}
	return c
}

// places returns how many k-mers have a length.
func (c *commonRepeats) places(length int) int { return c.steps.base(length+1) - c.steps.base(length) }

// size returns how many places there are.
func (c *commonRepeats) size() int {
	last := c.layers[len(c.layers)-1]
	return last.first + c.places(last.length)
}

// take appends the common ones of the repeats of a record to a list, and returns their number and the others, in their
// place.
func (c *commonRepeats) take(list *chunks[uint16], repeats []repeat) (n int, others []repeat) {
	entries, others := list.room(len(repeats)), repeats[:0]
	for _, r := range repeats {
		first := 0
		if counts := c.firsts[r.length]; int(r.count) < len(counts) {
			first = counts[r.count]
		}
		if first == 0 {
			others = append(others, r)
			continue
		}
		entries[n] = uint16(first + int(r.code))
		n++
	}
	list.keep(n)
	return n, others
}

// join makes the list of those of blocks of records, whose sizes are by record.
func (c *commonRepeats) join(ctx context.Context, blocks []chunks[uint16], sizes []int) {
	c.list, _ = newReserved(c.size(), sizes, false)
	at := 0
	for b := range blocks {
		for entry := range blocks[b].drain(ctx) {
			c.list.narrow[at] = entry
			at++
		}
	}
}

// scatterAll adds v[j] times the surplus of document j to t, for every document.
func (c *commonRepeats) scatterAll(t, v []float64) {
	c.scatterWith(t, func(sums []float64) { scatterAll(c.list, c.list.ends, sums, v, c.size(), &c.parts) })
}

// scatterOne adds the surplus of document j to t.
func (c *commonRepeats) scatterOne(t []float64, j int) {
	c.scatterWith(t, func(sums []float64) { c.list.scatter(sums, j, 1) })
}

// scatterWith adds to t what a function adds to sums by place.
func (c *commonRepeats) scatterWith(t []float64, add func(sums []float64)) {
	table := scratch.Borrow(&c.tables, mostNarrow)
	clear((*table)[:c.size()])
	add(*table)
	c.each(t, *table, func(t, sums []float64, of float64) {
		for i, sum := range sums {
			t[i] += float64(of * sum)
		}
	})
	c.tables.Put(table)
}

// gatherAll adds to dst[j] the sum of t over the surplus of document j, for every document.
func (c *commonRepeats) gatherAll(dst, t []float64) {
	table := scratch.Borrow(&c.tables, mostNarrow)
	c.each(t, *table, func(t, values []float64, of float64) {
		for i, x := range t {
			values[i] = float64(of * x)
		}
	})
	gatherAll(dst, *table, c.list, c.list.ends)
	c.tables.Put(table)
}

// each calls visit for every layer, with its parts of t and of a table, and what a function makes of its count.
func (c *commonRepeats) each(t, table []float64, visit func(t, values []float64, of float64)) {
	for _, l := range c.layers {
		visit(t[c.steps.base(l.length):c.steps.base(l.length+1)], table[l.first:][:c.places(l.length)], c.of[l.count])
	}
}
