package gapped

import (
	"context"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
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

// part is the k-mers of consecutive records. Those of a record in a region begin with the ones of the usual weight.
type part[P uint16 | uint32] struct {
	first, rows int      // the first record, and how many
	starts      []int    // by region: where its k-mers begin; and the end of the last
	counts      []uint32 // of k-mers, by region, and in it by record
	others      []uint32 // those of them that have not the usual weight; nil if all have it
	places      []P      // in the region
	weighted    []int    // by region: where the weights of others begin; and the end of the last
	weights     []weight // of others
	usual       float64
	values      *weighing
}

// source lists the places in a table of the k-mers of record i.
type source interface {
	list(w *placed, i int)
}

// placed is k-mers by their places in a table.
type placed struct {
	places  []uint32
	weights []weight // empty if all are 1
}

var placedPool = sync.Pool{New: func() any { return new(placed) }}

func (w *placed) reset() { w.places, w.weights = w.places[:0], w.weights[:0] }

// isUsual reports whether k-mer j has the usual weight.
func (w *placed) isUsual(j int, usual weight) bool {
	return len(w.weights) == 0 || w.weights[j] == usual
}

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

// fill lists the k-mers of the records one after another, and then by region.
func (p *part[P]) fill(ctx context.Context, s source, regions, bits int) {
	p.starts, p.weighted, p.counts = make([]int, regions+1), make([]int, regions+1), make([]uint32, regions*p.rows)
	usual := p.values.usual()
	p.usual = p.values.of(usual)
	var w placed
	all := placedPool.Get().(*placed)
	defer placedPool.Put(all)
	all.reset()
	ends := make([]int, p.rows)
	for i := range ends {
		cancel.Check(ctx)
		s.list(&w, p.first+i)
		for j, place := range w.places {
			at := int(place>>bits)*p.rows + i
			p.counts[at]++
			p.starts[place>>bits+1]++
			if w.isUsual(j, usual) {
				continue
			}
			if p.others == nil {
				p.others = make([]uint32, len(p.counts))
			}
			p.others[at]++
			p.weighted[place>>bits+1]++
		}
		all.places, all.weights = append(all.places, w.places...), append(all.weights, w.weights...)
		ends[i] = len(all.places)
	}
	for r := range regions {
		p.starts[r+1] += p.starts[r]
		p.weighted[r+1] += p.weighted[r]
	}
	p.places, p.weights = make([]P, p.starts[regions]), make([]weight, p.weighted[regions])
	p.sort(all, ends, usual, bits)
}

// sort moves the k-mers of the records, which end at ends, to their regions.
func (p *part[P]) sort(all *placed, ends []int, usual weight, bits int) {
	next, nextWeight := slices.Clone(p.starts), slices.Clone(p.weighted)
	others := make([]int, len(next)-1) // by region: where the record's next k-mer of another weight goes
	first := 0
	for i, end := range ends {
		if p.others != nil {
			for r := range others {
				at := r*p.rows + i
				others[r] = next[r] + int(p.counts[at]-p.others[at])
			}
		}
		for j := first; j < end; j++ {
			r := all.places[j] >> bits
			at := &next[r]
			if !all.isUsual(j, usual) {
				at = &others[r]
				p.weights[nextWeight[r]] = all.weights[j]
				nextWeight[r]++
			}
			p.places[*at] = P(all.places[j] & (1<<bits - 1))
			*at++
		}
		if p.others != nil {
			copy(next, others)
		}
		first = end
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
	at, weights := p.starts[r], p.weights[p.weighted[r]:p.weighted[r+1]]
	for i, n := range p.counts[r*p.rows : (r+1)*p.rows] {
		places := p.places[at : at+int(n)]
		at += int(n)
		a := v[p.first+i]
		if p.others != nil {
			others := int(p.others[r*p.rows+i])
			if a != 0 {
				for j, place := range places[len(places)-others:] {
					region[place] += float64(a * p.values.of(weights[j]))
				}
			}
			places, weights = places[:len(places)-others], weights[others:]
		}
		if a = float64(a * p.usual); a != 0 {
			for _, place := range places {
				region[place] += a
			}
		}
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
	at, weights := p.starts[r], p.weights[p.weighted[r]:p.weighted[r+1]]
	for i, n := range p.counts[r*p.rows : (r+1)*p.rows] {
		places := p.places[at : at+int(n)]
		at += int(n)
		if p.others == nil {
			sum := 0.0
			for _, place := range places {
				sum += region[place]
			}
			dst[i] += float64(sum * p.usual)
			continue
		}
		others := int(p.others[r*p.rows+i])
		dst[i] += p.gatherBoth(region, places, weights[:others])
		weights = weights[others:]
	}
}

// gatherBoth is gather of a record in a region, whose last places have weights.
func (p *part[P]) gatherBoth(region []float64, places []P, weights []weight) float64 {
	sum, usuals := 0.0, len(places)-len(weights)
	for _, place := range places[:usuals] {
		sum += region[place]
	}
	sum = float64(sum * p.usual)
	for j, place := range places[usuals:] {
		sum += float64(p.values.of(weights[j]) * region[place])
	}
	return sum
}
