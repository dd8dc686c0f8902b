package gapped

import (
	"context"
	"runtime"
	"sync"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/engine/table"
)

// A table of k-mers is cut into regions that fit into a processor's own cache, and the k-mers of a corpus are listed
// region by region. So each task of a scatter takes the k-mers in one region, which no other task writes to, and each
// task of a gather takes as many records as it can, region by region: the more k-mers it looks up in a region, the less
// it waits for that to come into its cache. Every sum is in the order of regions and of records, whatever the tasks.

const (
	regionBits  = 16 // of 512 KB; places in it take two bytes
	leastRun    = 4  // k-mers of a record in a region, on average: shorter runs cost more than a cache saves
	fewRegions  = 8  // are made however short the records are
	largestBits = 31
)

// regions is the k-mers of a corpus by region of a table.
type regions struct {
	bits  int // a region has 1 << bits entries
	lists []*table.List
}

// placed is k-mers by their places in a table.
type placed struct {
	places  []uint32
	weights []weight // empty if all are 1
}

var placedPool = sync.Pool{New: func() any { return new(placed) }}

// newRegions lists the k-mers of a corpus, which list appends for a record, for a table of that many entries.
func newRegions(
	ctx context.Context, e *engine, c *stringkernel.Corpus, entries int, list func(w *placed, x []byte),
) *regions {
	g, most := &regions{bits: regionBits}, max(fewRegions, c.Letters()/max(c.Len(), 1)/leastRun)
	for entries>>g.bits >= most && g.bits < largestBits {
		g.bits++
	}
	g.lists = make([]*table.List, (entries-1)>>g.bits+1)
	each := func(visit func(region, record int, place, weight uint32)) {
		parallel.EachContext(ctx, c.Len(), func(i int) {
			all := placedPool.Get().(*placed)
			defer placedPool.Put(all)
			all.places, all.weights = all.places[:0], all.weights[:0]
			list(all, c.Seq(i))
			for j, place := range all.places {
				w := uint32(1)
				if len(all.weights) > 0 {
					w = uint32(all.weights[j])
				}
				visit(int(place>>g.bits), i, place&(1<<g.bits-1), w)
			}
		})
	}
	next := make([][]int, len(g.lists)) // by region and record: sizes, and then places
	for r := range next {
		next[r] = make([]int, c.Len())
	}
	each(func(region, record int, _, _ uint32) { next[region][record]++ })
	for r := range next {
		g.lists[r], next[r] = table.NewList(1<<g.bits, next[r], !e.uniform())
	}
	each(func(region, record int, place, weight uint32) {
		g.lists[region].Put(next[region][record], place, weight)
		next[region][record]++
	})
	for _, l := range g.lists {
		l.Weigh(func(w uint32) float64 { return e.weights.of(weight(w)) })
	}
	return g
}

// room returns the capacity that a table of that many entries must have: whole regions of the least size.
func room(entries int) int { return (entries + 1<<regionBits - 1) &^ (1<<regionBits - 1) }

// kmers returns the number of k-mers.
func (g *regions) kmers() (sum int) {
	for _, l := range g.lists {
		sum += l.Entries()
	}
	return sum
}

// region returns a region of a table.
func (g *regions) region(table []float64, r int) []float64 {
	return table[r<<g.bits : min((r+1)<<g.bits, cap(table))]
}

// scatter adds v[i] times its weight to the entry of each k-mer of record i in a region of a table.
func (g *regions) scatter(table, v []float64, r int) {
	region := g.region(table, r)
	for i, a := range v {
		if a != 0 {
			g.lists[r].Scatter(region, i, a)
		}
	}
}

// gather writes for each record the sum over its k-mers of their entries times weights.
func (g *regions) gather(dst, table []float64) {
	tasks := min(len(dst), runtime.GOMAXPROCS(0))
	parallel.Each(tasks, func(task int) {
		lo, hi := task*len(dst)/tasks, (task+1)*len(dst)/tasks
		clear(dst[lo:hi])
		for r, l := range g.lists {
			region := g.region(table, r)
			for i := lo; i < hi; i++ {
				dst[i] += l.Gather(region, i)
			}
		}
	})
}
