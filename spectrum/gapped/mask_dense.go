package gapped

import (
	"context"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/ends"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
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

// meetings lists the documents of a mask by masked k-mer.
type meetings struct {
	weight  float64
	docs    []uint32  // k-mer by k-mer, ascending
	amounts []float64 // the sums of the weights of the k-mer there
	shares  []share   // of the k-mers in documents, document by document
	ends    []int     // ends[i] is one past the shares of document i

	next []uint32  // by k-mer: where its list continues
	sums []float64 // by k-mer: the sum of its weights in the current document
}

// share is a k-mer of a document.
type share struct {
	lo, at uint32  // the documents before that have the k-mer are lo … at−1 in the lists
	amount float64 // of the k-mer in this one
}

// fill lists the documents of a mask.
func (m *meetings) fill(x *maskIndex) {
	m.weight = x.weight
	m.next, m.sums = scratch.Resize(m.next, x.shared), scratch.Resize(m.sums, x.shared)
	clear(m.next)
	clear(m.sums)
	m.collect(x)
	total := uint32(0)
	for mer, n := range m.next {
		m.next[mer] = total
		total += n
	}
	starts := slices.Clone(m.next)
	m.docs, m.amounts = scratch.Resize(m.docs, int(total)), scratch.Resize(m.amounts, int(total))
	lo := 0
	for i, hi := range m.ends {
		for s := lo; s < hi; s++ {
			own := &m.shares[s]
			mer := own.lo
			own.lo, own.at = starts[mer], m.next[mer]
			m.docs[own.at], m.amounts[own.at] = uint32(i), own.amount
			m.next[mer]++
		}
		lo = hi
	}
}

// collect lists the k-mers of documents, whose numbers are in lo until fill replaces them by places, and counts the
// documents of each k-mer in next.
func (m *meetings) collect(x *maskIndex) {
	m.shares, m.ends = slices.Grow(m.shares[:0], len(x.ids)), m.ends[:0]
	lo := 0
	for _, hi := range x.ends {
		first := len(m.shares)
		for j := lo; j < int(hi); j++ {
			mer := x.ids[j]
			if m.sums[mer] == 0 { // no weight is
				m.shares = append(m.shares, share{lo: mer})
			}
			m.sums[mer] += x.value(j)
		}
		for s := range m.shares[first:] {
			own := &m.shares[first+s]
			own.amount, m.sums[own.lo] = m.sums[own.lo], 0
			m.next[own.lo]++
		}
		m.ends = append(m.ends, len(m.shares))
		lo = int(hi)
	}
}

// addTo adds the share of the mask in K_ij to dst[(j−from)·stride] for every j with from ≤ j < to ≤ i.
func (m *meetings) addTo(dst []float64, i, from, to, stride int) {
	lo, hi := ends.Bounds(m.ends, i)
	for _, own := range m.shares[lo:hi] {
		a := float64(m.weight * own.amount)
		docs, amounts := m.docs[own.lo:own.at], m.amounts[own.lo:own.at]
		for at, doc := range docs {
			if j := int(doc); j >= from && j < to {
				dst[(j-from)*stride] += float64(a * amounts[at])
			}
		}
	}
}

// steps returns how many pairs of documents meet.
func (m *meetings) steps() float64 {
	sum := 0.0
	for _, own := range m.shares {
		sum += float64(own.at - own.lo)
	}
	return sum
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
	var meet meetings
	index := m.indexer(ctx, masks)
	eachSize(masks, func(typical, count int) {
		if time > most {
			return
		}
		x := index(typical)
		meet.fill(&x)
		time += float64(float64(count) * (float64(listingTime*float64(len(x.ids))) + float64(meetingTime*meet.steps())))
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
	var meet meetings
	index := m.indexer(ctx, masks)
	for i := range masks {
		x := index(i)
		meet.fill(&x)
		parallel.EachContext(ctx, n-from, func(i int) {
			i = n - 1 - i // later rows, which are longer, first
			if i < to {
				meet.addTo(dst[(i-from)*n:], i, 0, i, 1)
			} else {
				meet.addTo(dst[i:], i, from, to, n)
			}
		})
	}
	stringkernel.Mirror(dst, n, from, to)
	for i, v := range m.diag[from:to] {
		dst[i*n+from+i] = v
	}
	return nil
}
