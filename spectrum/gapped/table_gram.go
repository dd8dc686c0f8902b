package gapped

import (
	"context"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/spectrum/hadamard"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// gram is the operator K·v: scatter v on the table of k-mers, convolve with h, gather.
type gram struct {
	*engine
	corpus *stringkernel.Corpus
	index  *regions
	diag   []float64
	tables sync.Pool // *[]float64 of tableEntries
}

// newGram indexes a corpus, without the diagonal.
func newGram(ctx context.Context, e *engine, c *stringkernel.Corpus) *gram {
	return &gram{engine: e, corpus: c, index: newRegions(ctx, e, c, e.tableEntries(), e.list)}
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

// list appends the k-mers of x by their places in a table of products; of both strands if both count, unless the table
// adds the other.
func (e *engine) list(w *placed, x []byte) {
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
func (g *gram) Len() int { return g.corpus.Len() }

// Diag copies what indexing computed.
func (g *gram) Diag(dst []float64) { copy(dst, g.diag) }

// Row is the product with a unit vector.
func (g *gram) Row(dst []float64, i int) {
	g.rowOf(dst, g.corpus.Seq(i))
	dst[i] = g.diag[i]
}

// rowOf is the product with the features of x.
func (g *gram) rowOf(dst []float64, x []byte) {
	g.product(dst, func(table []float64) {
		clear(table)
		var w placed
		g.list(&w, x)
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
func (g *gram) MulVecTo(dst, v []float64) {
	g.product(dst, func(table []float64) {
		parallel.Each(len(g.index.lists), func(r int) {
			clear(g.index.region(table, r))
			g.index.scatter(table, v, r)
		})
	})
}

// product gathers from a table that fill has scattered on. A table of both strands has the same value for a k-mer and
// its reverse complement: where one strand is listed, the other scores the same.
func (g *gram) product(dst []float64, fill func(table []float64)) {
	space := scratch.Borrow(&g.tables, room(g.tableEntries()))
	defer g.tables.Put(space)
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
		for i := range dst {
			dst[i] *= 2
		}
	}
}

// compare lists the k-mers of a corpus as a matrix does: of a tabular engine.
func (e *engine) compare(
	ctx context.Context, c *stringkernel.Corpus,
) (values stringkernel.Comparison, err error) {
	defer cancel.Catch(&err)
	if err := e.checkTable(c); err != nil {
		return nil, err
	}
	return newGram(ctx, e, c).compareTo, nil
}

// compareTo takes the product with the features of x, or counts pairs of k-mers where that is less work.
func (g *gram) compareTo(dst []float64, x []byte) {
	if pairs := float64(g.index.kmers()) * float64(len(x)); g.pairTime(pairs) > g.productTime() {
		g.rowOf(dst, x)
		return
	}
	for i := range dst {
		dst[i] = g.eval(g.corpus.Seq(i), x)
	}
}

// productTime estimates the time of a product.
func (g *gram) productTime() float64 {
	return g.convolutionTime(float64(g.tableEntries())) + float64(placeTime*float64(g.index.kmers()))
}

// Dense finds the whole matrix by masks where there are not too many.
func (g *gram) Dense() stringkernel.Dense {
	kmers := g.index.kmers()
	if _, one := g.strands(); one {
		kmers *= 2
	}
	return dense(g.engine, g.corpus, g.diag, kmers, g.productTime())
}
