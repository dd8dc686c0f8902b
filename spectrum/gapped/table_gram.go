package gapped

import (
	"context"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/ends"
	"github.com/seqsvm/seqsvm/internal/gather"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// gram is the operator K·v: scatter v on the table of k-mers, convolve with h, gather.
type gram struct {
	*engine
	corpus   *stringkernel.Corpus
	places   []uint32 // places of the k-mers, document by document
	opposite []uint32 // of their reverse complements; nil unless both strands count
	weights  []uint8  // nil if all are 1
	ends     []int    // ends[i] is one past the k-mers of document i
	diag     []float64
	tables   sync.Pool // *[]float64 of σ^l
}

func newGram(ctx context.Context, e *engine, c *stringkernel.Corpus) *gram {
	g := &gram{engine: e, corpus: c, ends: make([]int, c.Len()), diag: make([]float64, c.Len())}
	g.places = make([]uint32, 0, c.Letters())
	if e.rc {
		g.opposite = make([]uint32, 0, c.Letters())
	}
	for i := range c.Len() {
		cancel.Check(ctx)
		g.add(c.Seq(i))
		g.ends[i] = len(g.places)
	}
	parallel.EachContext(ctx, c.Len(), func(i int) { g.diag[i] = e.selfEval(ctx, c.Seq(i)) })
	return g
}

// add lists the k-mers of the next document.
func (g *gram) add(x []byte) {
	places := len(x) - g.coder.length + 1
	g.coder.each(x, func(i int, packed uint64, place uint32) {
		g.places = append(g.places, place)
		if g.rc {
			g.opposite = append(g.opposite, uint32(g.coder.reverseComplement(packed)))
		}
		if g.centre.peak > 0 {
			g.weights = append(g.weights, uint8(g.centre.weight(i, places)))
		}
	})
}

// Len returns n.
func (g *gram) Len() int { return len(g.ends) }

// Diag copies what indexing computed.
func (g *gram) Diag(dst []float64) { copy(dst, g.diag) }

// Row is the product with a unit vector.
func (g *gram) Row(dst []float64, i int) {
	g.product(dst, func(table []float64) { g.scatter(table, i, 1) })
	dst[i] = g.diag[i]
}

// MulVecTo writes K·v.
func (g *gram) MulVecTo(dst, v []float64) {
	g.product(dst, func(table []float64) {
		for i, a := range v {
			if a != 0 {
				g.scatter(table, i, a)
			}
		}
	})
}

// product gathers from a table that fill has scattered on.
func (g *gram) product(dst []float64, fill func(table []float64)) {
	table := scratch.Borrow(&g.tables, g.tableSize())
	defer g.tables.Put(table)
	clear(*table)
	fill(*table)
	g.convolve(context.Background(), *table)
	parallel.Each(len(dst), func(i int) { dst[i] = g.gather(*table, i) })
}

// scatter adds a times the features of document i.
func (g *gram) scatter(table []float64, i int, a float64) {
	lo, hi := ends.Bounds(g.ends, i)
	for j := lo; j < hi; j++ {
		v := a
		if g.weights != nil {
			v *= float64(g.weights[j])
		}
		table[g.places[j]] += v
		if g.rc {
			table[g.opposite[j]] += v
		}
	}
}

// gather returns the score of document i. A table of both strands is the same for a k-mer and its reverse complement:
// the other strand of the document scores the same.
func (g *gram) gather(table []float64, i int) float64 {
	lo, hi := ends.Bounds(g.ends, i)
	sum := 0.0
	if g.weights == nil {
		sum = gather.Sum(table, g.places[lo:hi])
	} else {
		for j := lo; j < hi; j++ {
			sum += float64(float64(g.weights[j]) * table[g.places[j]])
		}
	}
	if g.rc {
		sum *= 2
	}
	return sum
}
