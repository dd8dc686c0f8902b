package gapped

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/ends"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// maskGram is the operator K·v as a sum over masks: for each, v is scattered on the masked k-mers that several
// documents share and gathered from them; those of one document add to its diagonal only. With both strands the k-mers
// of a document are those of both.
type maskGram struct {
	*engine
	corpus *stringkernel.Corpus
	kmers  int         // of all documents
	diag   []float64   // K_ii
	own    []float64   // the share of K_ii from masked k-mers that no other document has
	masks  []maskIndex // by mask
	parts  sync.Pool   // *[]float64, sums of a block of masks
	tables sync.Pool   // *[]float64, one per masked k-mer
}

// maskBlocks is the number of parts the masks are divided into: each is summed separately, and then all in order, so
// that the number of processors changes nothing.
const maskBlocks = 16

// maskLetterBytes is the memory of a letter in a list of k-mers.
const maskLetterBytes = 12

// newMaskGram indexes a corpus. The size of the whole is estimated from one mask of each size before the work begins.
func newMaskGram(ctx context.Context, e *engine, c *stringkernel.Corpus) (*maskGram, error) {
	g := &maskGram{engine: e, corpus: c, own: make([]float64, c.Len())}
	perLetter := float64(maskLetterBytes)
	if !e.uniform() {
		perLetter += weightBytes
	}
	if err := e.checkIndex(c, perLetter, 0); err != nil {
		return nil, err
	}
	masks := e.masks()
	list := listKmers(ctx, e, c)
	g.kmers = len(list.codes)
	if g.kmers > math.MaxInt32 {
		return nil, fmt.Errorf("%s: %d k-mers, want at most %d", e.name, g.kmers, math.MaxInt32)
	}
	if err := g.checkMemory(ctx, masks, list); err != nil {
		return nil, err
	}
	g.diag = e.selfValues(ctx, c)
	g.masks = make([]maskIndex, len(masks))
	g.sum(ctx, g.own, func(lo, hi int, own []float64) {
		s := numbererPool.Get().(*numberer)
		defer numbererPool.Put(s)
		for i := lo; i < hi; i++ {
			cancel.Check(ctx)
			g.masks[i] = s.index(ctx, list, masks[i], own)
		}
	})
	return g, nil
}

// checkMemory returns an error if the index would be larger than maxMaskBytes.
func (g *maskGram) checkMemory(ctx context.Context, masks []mask, list *kmerList) error {
	upper := float64(len(masks)) * float64(4*(len(list.codes)+len(list.weights)+len(list.ends)))
	if upper <= maxMaskBytes && memory.Check(upper) == nil {
		return nil
	}
	s, own, estimate := numbererPool.Get().(*numberer), make([]float64, len(list.ends)), 0.0
	defer numbererPool.Put(s)
	eachSize(masks, func(typical, count int) {
		x := s.index(ctx, list, masks[typical], own)
		estimate += float64(float64(count) * x.bytes())
	})
	if estimate > maxMaskBytes {
		return fmt.Errorf("%s: %d choices of positions on %d k-mers would take %.1f GB, want at most %.1f:"+
			" take %s, or fewer sequences",
			g.name, len(masks), len(list.codes), estimate/1e9, maxMaskBytes/1e9, g.remedy)
	}
	return g.checkIndex(g.corpus, 0, estimate)
}

// sum writes into dst the sum over blocks of masks of what task adds up.
func (g *maskGram) sum(ctx context.Context, dst []float64, task func(lo, hi int, part []float64)) {
	n := len(g.masks)
	blocks := min(maskBlocks, n)
	parts := make([]*[]float64, blocks)
	parallel.EachContext(ctx, blocks, func(b int) {
		parts[b] = scratch.Borrow(&g.parts, len(dst))
		clear(*parts[b])
		task(b*n/blocks, (b+1)*n/blocks, *parts[b])
	})
	clear(dst)
	for _, part := range parts {
		vectors.Add(dst, *part)
		g.parts.Put(part)
	}
}

// Len returns n.
func (g *maskGram) Len() int { return len(g.diag) }

// Diag copies what indexing computed.
func (g *maskGram) Diag(dst []float64) { copy(dst, g.diag) }

// Row counts pairs of k-mers, which is exact, or takes the product with a unit vector where that is less work.
func (g *maskGram) Row(dst []float64, i int) {
	x := g.corpus.Seq(i)
	if g.pairTime(float64(len(x))*float64(g.kmers)/g.strandCount()) > g.productTime() {
		unit := make([]float64, len(dst))
		unit[i] = 1
		g.MulVecTo(dst, unit)
		dst[i] = g.diag[i]
		return
	}
	parallel.Each(len(dst), func(j int) { dst[j] = g.eval(g.corpus.Seq(j), x) })
	dst[i] = g.diag[i]
}

// MulVecTo writes K·v.
func (g *maskGram) MulVecTo(dst, v []float64) {
	g.sum(context.Background(), dst, func(lo, hi int, part []float64) {
		space := scratch.Borrow(&g.tables, 0)
		defer g.tables.Put(space)
		for i := lo; i < hi; i++ {
			g.masks[i].product(part, v, space)
		}
	})
	for i, a := range v {
		dst[i] += float64(g.own[i] * a)
	}
}

// product adds the product with v to dst.
func (x *maskIndex) product(dst, v []float64, space *[]float64) {
	*space = scratch.Resize(*space, x.list.TableSize())
	clear((*space)[:x.list.Features()])
	for i, a := range v {
		x.list.Scatter(*space, i, float64(a*x.weight))
	}
	for i := range dst {
		dst[i] += x.list.Gather(*space, i)
	}
}

// productTime estimates the time of a product.
func (g *maskGram) productTime() (sum float64) {
	for i := range g.masks {
		sum += float64(maskedTime * float64(g.masks[i].list.Entries()+len(g.diag)))
	}
	return sum
}

// Dense finds the whole matrix by the same masks.
func (g *maskGram) Dense() stringkernel.Dense {
	return dense(g.engine, g.corpus, g.diag, g.kmers, g.productTime())
}

// The whole matrix at once is a sum over masks as products are: for each, documents are listed by masked k-mer, and
// every document meets those before it in the lists of its k-mers. That takes a step for each pair of documents that
// share a masked k-mer, where n products with unit vectors would take n convolutions: on 6,000 proteins at l = 5, k = 3
// as long as a hundred products.

// mostListed bounds the k-mers of a corpus that are listed by mask, in addition to what the index takes: 50 bytes each.
const mostListed = 1 << 24

// maskMatrix is the whole matrix of a corpus.
type maskMatrix struct {
	*engine
	corpus  *stringkernel.Corpus
	diag    []float64
	kmers   int     // of the corpus, of both strands if both count
	product float64 // nanoseconds of a product
}

// dense returns the matrix if there are not too many masks or k-mers to list documents by, else nil.
func dense(e *engine, c *stringkernel.Corpus, diag []float64, kmers int, product float64) stringkernel.Dense {
	if e.alike != nil || !e.listable() || kmers > mostListed {
		return nil
	}
	return maskMatrix{e, c, diag, kmers, product}
}

// lister returns what lists the k-mers of documents under one mask at a time, by document and by masked k-mer. Those of
// one document alone stay in: to take them out would take longer than they do.
func (m maskMatrix) lister(ctx context.Context, masks []mask) func(i int) (*rows.Rows, *rows.Columns) {
	s, list := new(numberer), listKmers(ctx, m.engine, m.corpus)
	return func(i int) (*rows.Rows, *rows.Columns) {
		s.numberKmers(ctx, list.codes, masks[i])
		all, value := rows.New(len(list.ends), len(s.ids), s.table.Len()), 1.0
		for i := range list.ends {
			lo, hi := ends.Bounds(list.ends, i)
			for j := lo; j < hi; j++ {
				if list.weights != nil {
					value = list.values.of(list.weights[j])
				}
				all.Add(int32(s.ids[j]), value)
			}
			all.End()
		}
		return all, all.Columns()
	}
}

// DenseCost estimates the time of DenseTo from one mask of each size; infinite if it exceeds that of products.
func (m maskMatrix) DenseCost(ctx context.Context, products float64) (time, product float64, err error) {
	defer cancel.Catch(&err)
	n, masks, most := float64(len(m.diag)), m.masks(), products*m.product
	time = float64(entryTime*n*n) + float64(indexingTime*float64(m.kmers)*float64(len(masks)))
	if time > most {
		return math.Inf(1), m.product, nil
	}
	list := m.lister(ctx, masks)
	eachSize(masks, func(typical, count int) {
		if time > most {
			return
		}
		all, columns := list(typical)
		entries, steps := 0.0, 0.0
		for id := range all.Width() {
			documents, _ := columns.Column(uint32(id))
			if k := float64(len(documents)); documents[0] != documents[len(documents)-1] {
				entries, steps = entries+k, steps+float64(k*k/2)
			}
		}
		time += float64(float64(count) * (float64(listingTime*entries) + float64(meetingTime*steps)))
	})
	if time > most {
		time = math.Inf(1)
	}
	return time, m.product, nil
}

// DenseTo indexes the corpus by one mask after the other. Each entry is summed in the order of masks by one task: left
// of the diagonal, and beyond the last row as that of a later record, which meets the rows that are asked for.
func (m maskMatrix) DenseTo(ctx context.Context, dst []float64, from, to int) (err error) {
	defer cancel.Catch(&err)
	n, masks := len(m.diag), m.masks()
	clear(dst)
	list := m.lister(ctx, masks)
	for mask := range masks {
		all, columns := list(mask)
		weight := masks[mask].weight
		parallel.EachContext(ctx, n-from, func(i int) {
			i = n - 1 - i // later rows, which are longer, first
			if i < to {
				addTo(dst[(i-from)*n:], weight, all, columns, i, 0, i, 1)
			} else {
				addTo(dst[i:], weight, all, columns, i, from, to, n)
			}
		})
	}
	stringkernel.Mirror(dst, n, from, to)
	for i, v := range m.diag[from:to] {
		dst[i*n+from+i] = v
	}
	return nil
}

// addTo adds the share of a mask in K_ij to dst[(j−from)·stride] for every j with from ≤ j < to ≤ i.
func addTo(dst []float64, weight float64, all *rows.Rows, columns *rows.Columns, i, from, to, stride int) {
	ids, values := all.Row(i)
	for e, id := range ids {
		a := float64(weight * values[e])
		documents, others := columns.Column(id)
		for at, doc := range documents {
			if j := int(doc); j >= to {
				break
			} else if j >= from {
				dst[(j-from)*stride] += float64(a * others[at])
			}
		}
	}
}
