package gapped

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/engine/table"
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

// maskIndex lists the masked k-mers that documents share.
type maskIndex struct {
	weight float64
	list   *table.List
}

// bytes returns the size of the index.
func (x *maskIndex) bytes() float64 { return float64(4*x.list.Entries() + 8*x.list.Len()) }

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
		s := borrowSharer()
		defer sharers.Put(s)
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
	s, own, estimate := borrowSharer(), make([]float64, len(list.ends)), 0.0
	defer sharers.Put(s)
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
		for i, v := range *part {
			dst[i] += v
		}
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

// Dense finds the whole matrix by the same masks.
func (g *maskGram) Dense() stringkernel.Dense {
	return dense(g.engine, g.corpus, g.diag, g.kmers, g.productTime())
}

// productTime estimates the time of a product.
func (g *maskGram) productTime() (sum float64) {
	for i := range g.masks {
		sum += float64(maskedTime * float64(g.masks[i].list.Entries()+len(g.diag)))
	}
	return sum
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

// kmerList is the k-mers of all documents, of both strands if both count.
type kmerList struct {
	codes   []uint64
	weights []weight // nil if all are 1
	values  weighing
	ends    []int
}

func listKmers(ctx context.Context, e *engine, c *stringkernel.Corpus) *kmerList {
	list := &kmerList{values: e.weights, ends: make([]int, c.Len())}
	for i := range c.Len() {
		cancel.Check(ctx)
		e.eachWeighed(c.Seq(i), func(packed uint64, w weight) {
			list.codes = append(list.codes, packed)
			if e.rc {
				list.codes = append(list.codes, e.coder.reverseComplement(packed))
			}
			for !e.uniform() && len(list.weights) < len(list.codes) {
				list.weights = append(list.weights, w)
			}
		})
		list.ends[i] = len(list.codes)
	}
	return list
}

// sharer numbers masked k-mers.
type sharer struct {
	table hash.Table
	ids   []uint32 // by k-mer
}

var sharers = sync.Pool{New: func() any { return new(sharer) }}

func borrowSharer() *sharer { return sharers.Get().(*sharer) }

// index lists the k-mers that documents share under a mask, and adds the squares of the others to own.
func (s *sharer) index(ctx context.Context, list *kmerList, m mask, own []float64) maskIndex {
	s.numberKmers(ctx, list.codes, m)
	sizes, lo := make([]int, len(list.ends)), 0
	for i, hi := range list.ends {
		sizes[i], lo = hi-lo, hi
	}
	all, _ := table.NewList(s.table.Len(), sizes, list.weights != nil)
	for j, id := range s.ids {
		if list.weights != nil {
			all.Put(j, id, uint32(list.weights[j]))
		} else {
			all.Put(j, id, 1)
		}
	}
	all.Weigh(func(w uint32) float64 { return list.values.of(weight(w)) })
	shared, squares := all.Shared(ctx)
	for i, square := range squares {
		own[i] += float64(m.weight * square)
	}
	return maskIndex{m.weight, shared}
}

// numberKmers numbers the masked k-mers in order of first meeting.
func (s *sharer) numberKmers(ctx context.Context, codes []uint64, m mask) {
	s.ids = s.ids[:0]
	s.table.Reset(len(codes) + len(codes)/2)
	for _, code := range cancel.All(ctx, codes) {
		s.ids = append(s.ids, s.table.Number(code&m.letters))
	}
}
