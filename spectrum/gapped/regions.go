package gapped

import (
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
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
	// scatter fills a region of a table as add does from zeros.
	scatter(table, v []float64, r int)
	// add adds v[i] times its weight to the entry of each k-mer of record i in a region of a table.
	add(table, v []float64, r int)
	// mark sets the entry of each k-mer in a region.
	mark(used []bool, r int)
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
	weights     []weight // of k-mers; nil if all are 1
	values      *weighing
}

// source lists the places in a table of the k-mers of record i.
type source interface {
	list(w *placed, i int)
}

// placed is k-mers by their places in a table.
type placed struct {
	places  []uint32
	weights []weight // nil if all are 1
}

func (w *placed) reset() { w.places, w.weights = w.places[:0], w.weights[:0] }

// newIndex lists the k-mers of records, given the number of their letters, for a table of that many entries.
func newIndex(ctx context.Context, s source, values *weighing, letters []int, entries int) index {
	sum := 0
	for _, n := range letters {
		sum += n
	}
	most := max(fewRegions, sum/max(len(letters), 1)/leastRun)
	bits := regionBits
	for entries>>bits >= most && bits < largestBits {
		bits++
	}
	if bits == regionBits {
		return newRegions[uint16](ctx, s, values, letters, sum, entries, bits)
	}
	return newRegions[uint32](ctx, s, values, letters, sum, entries, bits)
}

// newRegions lists k-mers part by part; parts have about the same number of letters.
func newRegions[P uint16 | uint32](
	ctx context.Context, s source, values *weighing, letters []int, sum, entries, bits int,
) *regions[P] {
	g := &regions[P]{bits: bits, count: (entries-1)>>bits + 1}
	first, before := 0, 0
	for i, n := range letters {
		before += n
		if last := i == len(letters)-1; last || before*mostParts >= (len(g.list)+1)*max(sum, 1) {
			g.list = append(g.list, part[P]{first: first, rows: i + 1 - first, values: values})
			first = i + 1
		}
	}
	parallel.EachContext(ctx, len(g.list), func(p int) { g.list[p].fill(ctx, s, g.count, bits) })
	for p := range g.list {
		g.listed += len(g.list[p].places)
	}
	return g
}

// fill counts the k-mers of the records by region, then lists them.
func (p *part[P]) fill(ctx context.Context, s source, regions, bits int) {
	p.starts, p.counts = make([]int, regions+1), make([]uint32, regions*p.rows)
	var w placed
	weighted := false
	for i := range p.rows {
		cancel.Check(ctx)
		s.list(&w, p.first+i)
		weighted = weighted || len(w.weights) > 0
		for _, place := range w.places {
			p.counts[int(place>>bits)*p.rows+i]++
			p.starts[place>>bits+1]++
		}
	}
	for r := range regions {
		p.starts[r+1] += p.starts[r]
	}
	p.places = memory.InLargePages[P](p.starts[regions])
	if weighted {
		p.weights = make([]weight, len(p.places))
	}
	next := slices.Clone(p.starts)
	for i := range p.rows {
		cancel.Check(ctx)
		s.list(&w, p.first+i)
		for j, place := range w.places {
			at := next[place>>bits]
			next[place>>bits]++
			p.places[at] = P(place & (1<<bits - 1))
			if p.weights != nil {
				p.weights[at] = w.weights[j]
			}
		}
	}
}

func (g *regions[P]) kmers() int   { return g.listed }
func (g *regions[P]) regions() int { return g.count }
func (g *regions[P]) parts() int   { return len(g.list) }

func (g *regions[P]) region(table []float64, r int) []float64 {
	return table[r<<g.bits : min((r+1)<<g.bits, len(table))]
}

func (g *regions[P]) scatter(table, v []float64, r int) {
	clear(g.region(table, r))
	g.add(table, v, r)
}

func (g *regions[P]) add(table, v []float64, r int) {
	region := g.region(table, r)
	for i := range g.list {
		g.list[i].scatter(region, v, r)
	}
}

func (g *regions[P]) mark(used []bool, r int) {
	region := used[r<<g.bits:]
	for i := range g.list {
		p := &g.list[i]
		for _, place := range p.places[p.starts[r]:p.starts[r+1]] {
			region[place] = true
		}
	}
}

func (p *part[P]) scatter(region, v []float64, r int) {
	at := p.starts[r]
	for i, n := range p.counts[r*p.rows : (r+1)*p.rows] {
		next := at + int(n)
		a, places := v[p.first+i], p.places[at:next]
		switch {
		case a == 0:
		case p.weights == nil:
			for _, place := range places {
				region[place] += a
			}
		default:
			for j, weight := range p.weights[at:next] {
				region[places[j]] += float64(a * p.values.of(weight))
			}
		}
		at = next
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
		next, sum := at+int(n), 0.0
		if p.weights == nil {
			for _, place := range p.places[at:next] {
				sum += region[place]
			}
		} else {
			for j, weight := range p.weights[at:next] {
				sum += float64(p.values.of(weight) * region[p.places[at+j]])
			}
		}
		dst[i] += sum
		at = next
	}
}
