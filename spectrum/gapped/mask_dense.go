package gapped

import (
	"context"
	"math"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The whole matrix at once is a sum over masks as products are: for each, documents are listed by masked k-mer, and
// every document meets those before it in the lists of its k-mers. That takes a step for each pair of documents that
// share a masked k-mer, where n products with unit vectors would take n convolutions: on 6,000 proteins at l = 5, k = 3
// as long as a hundred products.

const (
	// mostListed bounds the k-mers of a corpus that are listed by mask, in addition to what the index takes: 50 bytes
	// each.
	mostListed = 1 << 24
)

// rows returns the masked k-mers of documents, by document and by k-mer.
func (x *maskIndex) rows() (all *rows.Rows, columns *rows.Columns) {
	all = rows.New(x.list.Len(), x.list.Entries(), x.list.Features())
	for i := range x.list.Len() {
		lo, hi := x.list.Bounds(i)
		for e := lo; e < hi; e++ {
			feature, value := x.list.Entry(e)
			all.Add(int32(feature), value)
		}
		all.End()
	}
	return all, all.Columns()
}

// matrix is the whole matrix of a corpus.
type matrix struct {
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
	return matrix{e, c, diag, kmers, product}
}

// indexer returns what indexes one mask at a time.
func (m matrix) indexer(ctx context.Context, masks []mask) func(i int) maskIndex {
	s, list := new(sharer), listKmers(ctx, m.engine, m.corpus)
	own := make([]float64, len(m.diag)) // which the diagonal has already
	return func(i int) maskIndex { return s.index(ctx, list, masks[i], own) }
}

// DenseCost estimates the time of DenseTo from one mask of each size; infinite if it exceeds that of products.
func (m matrix) DenseCost(ctx context.Context, products float64) (time, product float64, err error) {
	defer cancel.Catch(&err)
	n, masks, most := float64(len(m.diag)), m.masks(), products*m.product
	time = float64(entryTime*n*n) + float64(indexingTime*float64(m.kmers)*float64(len(masks)))
	if time > most {
		return math.Inf(1), m.product, nil
	}
	index := m.indexer(ctx, masks)
	eachSize(masks, func(typical, count int) {
		if time > most {
			return
		}
		x := index(typical)
		_, columns := x.rows()
		steps := 0.0
		for id := range x.list.Features() {
			documents, _ := columns.Column(uint32(id))
			steps += float64(float64(len(documents)) * float64(len(documents)) / 2)
		}
		time += float64(float64(count) * (float64(listingTime*float64(x.list.Entries())) + float64(meetingTime*steps)))
	})
	if time > most {
		time = math.Inf(1)
	}
	return time, m.product, nil
}

// DenseTo indexes the corpus by one mask after the other. Each entry is summed in the order of masks by one task: left
// of the diagonal, and beyond the last row as that of a later record, which meets the rows that are asked for.
func (m matrix) DenseTo(ctx context.Context, dst []float64, from, to int) (err error) {
	defer cancel.Catch(&err)
	n, masks := len(m.diag), m.masks()
	clear(dst)
	index := m.indexer(ctx, masks)
	for i := range masks {
		x := index(i)
		all, columns := x.rows()
		parallel.EachContext(ctx, n-from, func(i int) {
			i = n - 1 - i // later rows, which are longer, first
			if i < to {
				x.addTo(dst[(i-from)*n:], all, columns, i, 0, i, 1)
			} else {
				x.addTo(dst[i:], all, columns, i, from, to, n)
			}
		})
	}
	stringkernel.Mirror(dst, n, from, to)
	for i, v := range m.diag[from:to] {
		dst[i*n+from+i] = v
	}
	return nil
}

// addTo adds the share of the mask in K_ij to dst[(j−from)·stride] for every j with from ≤ j < to ≤ i.
func (x *maskIndex) addTo(dst []float64, all *rows.Rows, columns *rows.Columns, i, from, to, stride int) {
	ids, values := all.Row(i)
	for e, id := range ids {
		a := float64(x.weight * values[e])
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
