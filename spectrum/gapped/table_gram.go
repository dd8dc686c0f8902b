package gapped

import (
	"context"
	"runtime"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/spectrum/hadamard"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/engine/table"
)

// tableGram is the operator K·v: scatter v on the table of k-mers, convolve with h, gather.
type tableGram struct {
	*engine
	corpus *stringkernel.Corpus
	index  *regions
	diag   []float64
}

// newTableGram indexes a corpus, without the diagonal.
func newTableGram(ctx context.Context, e *engine, c *stringkernel.Corpus) *tableGram {
	return &tableGram{engine: e, corpus: c, index: newRegions(ctx, e, c, e.tableEntries(), e.listPlaces)}
}

// checkTable returns an error if the k-mers of a corpus and a table of products would take too much memory.
func (e *engine) checkTable(c *stringkernel.Corpus) error {
	perLetter := 5.0
	if !e.uniform() {
		perLetter += weightBytes
	}
	if _, one := e.strands(); one {
		perLetter /= 2 // checkIndex doubles it for two
	}
	return e.checkIndex(c, perLetter, 8*float64(e.tableEntries()*(2+e.layers())))
}

// strands returns the layout of a table on which k-mers of one strand are scattered, if both count and k-mers are long
// enough.
func (e *engine) strands() (s hadamard.Strands, ok bool) {
	if e.rc && e.alike == nil && e.coder.length >= hadamard.LeastStrands {
		return hadamard.NewStrands(e.coder.length), true
	}
	return s, false
}

// tableEntries is the number of entries of a table of products.
func (e *engine) tableEntries() int {
	if s, ok := e.strands(); ok {
		return s.Size()
	}
	return e.coder.size
}

// listPlaces appends the k-mers of x by their places in a table of products; of both strands if both count, unless the
// table adds the other.
func (e *engine) listPlaces(w *placed, x []byte) {
	strands, folded := e.strands()
	if !folded {
		e.listUnfolded(w, x)
		return
	}
	e.eachWeighed(x, func(packed uint64, weight weight) {
		e.put(w, strands.Place(packed, e.coder.reverseComplement(packed)), weight)
	})
}

// listUnfolded appends the k-mers of x, of both strands if both count, by their places in a table of all.
func (e *engine) listUnfolded(w *placed, x []byte) {
	e.eachWeighed(x, func(packed uint64, weight weight) {
		e.put(w, uint32(e.coder.place(packed)), weight)
		if e.rc {
			e.put(w, uint32(e.coder.reverseComplement(packed)), weight)
		}
	})
}

// put adds a k-mer that has a place in a table.
func (e *engine) put(w *placed, place uint32, weight weight) {
	w.places = append(w.places, place)
	if !e.uniform() {
		w.weights = append(w.weights, weight)
	}
}

// Len returns n.
func (g *tableGram) Len() int { return g.corpus.Len() }

// Diag copies what indexing computed.
func (g *tableGram) Diag(dst []float64) { copy(dst, g.diag) }

// Row is the product with a unit vector.
func (g *tableGram) Row(dst []float64, i int) {
	g.rowOf(dst, g.corpus.Seq(i))
	dst[i] = g.diag[i]
}

// rowOf is the product with the features of x.
func (g *tableGram) rowOf(dst []float64, x []byte) {
	g.product(dst, func(table []float64) {
		clear(table)
		var w placed
		g.listPlaces(&w, x)
		for j, place := range w.places {
			value := 1.0
			if !g.uniform() {
				value = g.weights.of(w.weights[j])
			}
			table[place] += value
		}
	})
}

// MulVecTo writes K·v.
func (g *tableGram) MulVecTo(dst, v []float64) {
	g.product(dst, func(table []float64) {
		parallel.Each(len(g.index.lists), func(r int) {
			clear(g.index.region(table, r))
			g.index.scatter(table, v, r)
		})
	})
}

// product gathers from a table that fill has scattered on. A table of both strands has the same value for a k-mer and
// its reverse complement: where one strand is listed, the other scores the same.
func (g *tableGram) product(dst []float64, fill func(table []float64)) {
	space := scratch.Borrow(&tablePool, room(g.tableEntries()))
	defer tablePool.Put(space)
	table := (*space)[:g.tableEntries()]
	fill(table)
	strands, folded := g.strands()
	if folded {
		_ = strands.Convolve(context.Background(), table, g.eigen) // the context never ends
	} else {
		g.convolve(context.Background(), table)
	}
	g.index.gather(dst, table)
	if folded {
		vectors.Scale(dst, 2)
	}
}

// compare lists the k-mers of a corpus as a matrix does: of a tabular engine.
func (e *engine) compare(ctx context.Context, c *stringkernel.Corpus) (values stringkernel.Comparison, err error) {
	defer cancel.Catch(&err)
	if err := e.checkTable(c); err != nil {
		return nil, err
	}
	return newTableGram(ctx, e, c).compareTo, nil
}

// compareTo takes the product with the features of x, or counts pairs of k-mers where that is less work.
func (g *tableGram) compareTo(dst []float64, x []byte) {
	if pairs := float64(g.index.kmers()) * float64(len(x)); g.pairTime(pairs) > g.productTime() {
		g.rowOf(dst, x)
		return
	}
	for i := range dst {
		dst[i] = g.eval(g.corpus.Seq(i), x)
	}
}

// productTime estimates the time of a product.
func (g *tableGram) productTime() float64 {
	return g.convolutionTime(float64(g.tableEntries())) + float64(placeTime*float64(g.index.kmers()))
}

// Dense finds the whole matrix by masks where there are not too many.
func (g *tableGram) Dense() stringkernel.Dense {
	kmers := g.index.kmers()
	if _, one := g.strands(); one {
		kmers *= 2
	}
	return dense(g.engine, g.corpus, g.diag, kmers, g.productTime())
}

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
	each := func(visit func(record int, all *placed)) {
		parallel.EachContext(ctx, c.Len(), func(i int) {
			all := placedPool.Get().(*placed)
			defer placedPool.Put(all)
			all.places, all.weights = all.places[:0], all.weights[:0]
			list(all, c.Seq(i))
			visit(i, all)
		})
	}
	next := make([][]int, len(g.lists)) // by region and record: sizes, and then places
	for r := range next {
		next[r] = make([]int, c.Len())
	}
	each(func(record int, all *placed) {
		for _, place := range all.places {
			next[place>>g.bits][record]++
		}
	})
	for r := range next {
		g.lists[r], next[r] = table.NewList(1<<g.bits, next[r], !e.uniform())
	}
	each(func(record int, all *placed) {
		w := weight(1)
		for j, place := range all.places {
			if len(all.weights) > 0 {
				w = all.weights[j]
			}
			at := &next[place>>g.bits][record]
			g.lists[place>>g.bits].Put(*at, place&(1<<g.bits-1), uint32(w))
			*at++
		}
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
