package gapped

import (
	"context"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// A table of k-mers is cut into regions that fit into a processor's own cache, and the records into parts. The k-mers
// of a part are listed region by region, and in a region record by record. So each task of a scatter takes the k-mers
// of all parts in one region, which no other task writes to, and each task of a gather takes as many parts as it can,
// region by region: the more k-mers it looks up in a region, the less it waits for that to come into its cache. Every
// sum is in the order of regions and of records, whatever the tasks.

const (
	regionBits  = 16 // of 512 KB; places in it take two bytes
	leastRun    = 4  // k-mers of a record in a region, on average: shorter runs cost more than a cache saves
	mostParts   = 64
	fewRegions  = 8 // are made however short the records are
	largestBits = 31
)

// index is the k-mers of a corpus, whatever the type of places.
type index interface {
	regions() int
	// scatter adds v[i] times its weight to the entry of each k-mer of record i in a region of a table.
	scatter(table, v []float64, r int)
	// region returns a region of a table.
	region(table []float64, r int) []float64
	parts() int
	// gather writes, for each record of the parts lo ≤ i < hi, the sum over its k-mers of their entries times weights.
	gather(dst, table []float64, lo, hi int)
	kmers() int
}

// regions is an index with places of type P.
type regions[P uint16 | uint32] struct {
	bits   int // a region has 1 << bits entries
	count  int
	list   []part[P]
	listed int
}

// part is the k-mers of consecutive records.
type part[P uint16 | uint32] struct {
	first, rows int      // the first record, and how many
	starts      []int    // by region: where its k-mers begin; and the end of the last
	counts      []uint32 // of k-mers, by region, and in it by record
	places      []P      // in the region
	weights     []weight // nil if all are 1
	values      weighing
}

// placed is k-mers by their places in a table.
type placed struct {
	places  []uint32
	weights []weight // empty if all are 1
}

var placedPool = sync.Pool{New: func() any { return new(placed) }}

// newIndex lists the k-mers of a corpus, which list appends for a record, for a table of that many entries.
func newIndex(
	ctx context.Context, e *engine, c *stringkernel.Corpus, entries int, list func(w *placed, x []byte),
) index {
	most := max(fewRegions, c.Letters()/max(c.Len(), 1)/leastRun)
	bits := regionBits
	for entries>>bits >= most && bits < largestBits {
		bits++
	}
	if bits == regionBits {
		return newRegions[uint16](ctx, e, c, entries, bits, list)
	}
	return newRegions[uint32](ctx, e, c, entries, bits, list)
}

// newRegions lists k-mers part by part; parts have about the same number of letters.
func newRegions[P uint16 | uint32](
	ctx context.Context, e *engine, c *stringkernel.Corpus, entries, bits int, list func(w *placed, x []byte),
) *regions[P] {
	g := &regions[P]{bits: bits, count: (entries-1)>>bits + 1}
	first, before := 0, 0
	for i := range c.Len() {
		before += len(c.Seq(i))
		if last := i == c.Len()-1; last || before*mostParts >= (len(g.list)+1)*max(c.Letters(), 1) {
			g.list = append(g.list, part[P]{first: first, rows: i + 1 - first, values: e.weights})
			first = i + 1
		}
	}
	parallel.EachContext(ctx, len(g.list), func(p int) { g.list[p].fill(ctx, c, g.count, bits, list) })
	for p := range g.list {
		g.listed += len(g.list[p].places)
	}
	return g
}

// fill lists the k-mers of the records one after another, and then by region.
func (p *part[P]) fill(
	ctx context.Context, c *stringkernel.Corpus, regions, bits int, list func(w *placed, x []byte),
) {
	p.starts, p.counts = make([]int, regions+1), make([]uint32, regions*p.rows)
	all := placedPool.Get().(*placed)
	defer placedPool.Put(all)
	all.places, all.weights = all.places[:0], all.weights[:0]
	listed, ends := 0, make([]int, p.rows)
	for i := range ends {
		cancel.Check(ctx)
		list(all, c.Seq(p.first+i))
		for _, place := range all.places[listed:] {
			p.counts[int(place>>bits)*p.rows+i]++
			p.starts[place>>bits+1]++
		}
		listed = len(all.places)
		ends[i] = listed
	}
	for r := range regions {
		p.starts[r+1] += p.starts[r]
	}
	p.places = make([]P, listed)
	if len(all.weights) > 0 {
		p.weights = make([]weight, listed)
	}
	next := slices.Clone(p.starts)
	for j, place := range all.places {
		at := &next[place>>bits]
		p.places[*at] = P(place & (1<<bits - 1))
		if p.weights != nil {
			p.weights[*at] = all.weights[j]
		}
		*at++
	}
}

func (g *regions[P]) kmers() int   { return g.listed }
func (g *regions[P]) regions() int { return g.count }
func (g *regions[P]) parts() int   { return len(g.list) }

func (g *regions[P]) region(table []float64, r int) []float64 {
	return table[r<<g.bits : min((r+1)<<g.bits, len(table))]
}

func (g *regions[P]) scatter(table, v []float64, r int) {
	region := g.region(table, r)
	for i := range g.list {
		g.list[i].scatter(region, v, r)
	}
}

func (p *part[P]) scatter(region, v []float64, r int) {
	at := p.starts[r]
	for i, n := range p.counts[r*p.rows : (r+1)*p.rows] {
		places := p.places[at : at+int(n)]
		switch a := v[p.first+i]; {
		case a == 0:
		case p.weights == nil:
			for _, place := range places {
				region[place] += a
			}
		default:
			weights := p.weights[at : at+int(n)]
			for j, place := range places {
				region[place] += float64(a * p.values.of(weights[j]))
			}
		}
		at += int(n)
	}
}

func (g *regions[P]) gather(dst, table []float64, lo, hi int) {
	list := g.list[lo:hi]
	for r := range g.count {
		region := g.region(table, r)
		for i := range list {
			p := &list[i]
			to := dst[p.first : p.first+p.rows]
			if r == 0 {
				clear(to)
			}
			p.gather(to, region, r)
		}
	}
}

func (p *part[P]) gather(dst, region []float64, r int) {
	at := p.starts[r]
	for i, n := range p.counts[r*p.rows : (r+1)*p.rows] {
		places, sum := p.places[at:at+int(n)], 0.0
		if p.weights == nil {
			for _, place := range places {
				sum += region[place]
			}
		} else {
			weights := p.weights[at : at+int(n)]
			for j, place := range places {
				sum += float64(p.values.of(weights[j]) * region[place])
			}
		}
		dst[i] += sum
		at += int(n)
	}
}
