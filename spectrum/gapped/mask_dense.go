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

// What the parts of a dense matrix and of products take, in nanoseconds on one core of a server.
const (
	meetingTime    = 0.5 // a document and one before it that share a masked k-mer
	listingTime    = 30  // a k-mer in the lists of a mask
	indexingTime   = 15  // a k-mer in the index of a mask
	entryTime      = 3   // an entry of the matrix: to clear, to mirror and to scale
	maskedTime     = 0.8 // a k-mer of a mask in a product
	placeTime      = 1   // a k-mer in a product by a table, at least
	additionTime   = 0.2 // a k-mer of the table and letter in a convolution of four letters
	reflectionTime = 1   // of other alphabets
	selfMaskedTime = 8   // a k-mer under a mask in k(x, x)
	diagonalTime   = 0.1 // a pair of k-mers along a diagonal, at least
	pairTime       = 0.6 // a pair of k-mers, at least
	alikePairTime  = 4   // a pair of k-mers whose letters resemble each other
	alikeTime      = 0.4 // a k-mer of the table, letter, letter it resembles and layer
)

const (
	// mostListed bounds the k-mers of a corpus that are listed by mask, in addition to what the index takes: 50 bytes
	// each.
	mostListed = 1 << 24
	rowsAtOnce = 32 // of one task
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

// addTo adds the share of the mask in K_ij to row[j] for every j < i.
func (m *meetings) addTo(row []float64, i int) {
	lo, hi := ends.Bounds(m.ends, i)
	for _, own := range m.shares[lo:hi] {
		a := float64(m.weight * own.amount)
		amounts := m.amounts[own.lo:own.at]
		for at, doc := range m.docs[own.lo:own.at] {
			row[doc] += float64(a * amounts[at])
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

// dense writes the matrix of a corpus with a given diagonal into dst, given the index of each mask. Each entry is
// summed in the order of masks by one task.
func dense(ctx context.Context, dst, diag []float64, masks int, index func(i int) *maskIndex) {
	n := len(diag)
	clear(dst)
	var m meetings
	blocks := (n + rowsAtOnce - 1) / rowsAtOnce
	for i := range masks {
		cancel.Check(ctx)
		m.fill(index(i))
		parallel.EachContext(ctx, blocks, func(b int) {
			b = blocks - 1 - b // later rows, which are longer, first
			for i := b * rowsAtOnce; i < min(n, (b+1)*rowsAtOnce); i++ {
				cancel.Check(ctx)
				m.addTo(dst[i*n:(i+1)*n], i)
			}
		})
	}
	mirror(ctx, dst, n)
	for i, v := range diag {
		dst[i*n+i] = v
	}
}

// mirror copies what is below the diagonal of an n × n matrix to the place above it, tile by tile, so that columns are
// read while they are in the cache.
func mirror(ctx context.Context, dst []float64, n int) {
	tiles := (n + rowsAtOnce - 1) / rowsAtOnce
	parallel.EachContext(ctx, tiles, func(t int) {
		first, last := t*rowsAtOnce, min(n, (t+1)*rowsAtOnce)
		for lo := first; lo < n; lo += rowsAtOnce {
			for i := first; i < last; i++ {
				for j := max(lo, i+1); j < min(n, lo+rowsAtOnce); j++ {
					dst[i*n+j] = dst[j*n+i]
				}
			}
		}
	})
}

// denseTime estimates the time of dense from one mask of each size, given that of indexing a mask; infinite for more
// than can be listed, or if it exceeds most.
func denseTime(
	ctx context.Context, docs, kmers int, indexing float64, masks []mask, index func(i int) *maskIndex, most float64,
) float64 {
	time := float64(entryTime*float64(docs)*float64(docs)) + float64(indexing*float64(len(masks)))
	if kmers > mostListed {
		return math.Inf(1)
	}
	var m meetings
	eachSize(masks, func(typical, count int) {
		if time > most {
			return
		}
		cancel.Check(ctx)
		x := index(typical)
		m.fill(x)
		time += float64(float64(count) * (float64(listingTime*float64(len(x.ids))) + float64(meetingTime*m.steps())))
	})
	if time > most {
		return math.Inf(1)
	}
	return time
}

// listable reports whether the kernel is a sum over masks that can be taken.
func (e *engine) listable() bool {
	return e.maskCount() <= maxMasks && e.cancellation() <= maxCancellation
}

// indexer returns what indexes masks of a corpus that is not indexed by masks, one at a time.
func (e *engine) indexer(ctx context.Context, s *sharer, c *stringkernel.Corpus, masks []mask) func(i int) *maskIndex {
	list := listKmers(ctx, e, c)
	own := make([]float64, len(list.ends)) // which the diagonal has already
	return func(i int) *maskIndex {
		x := s.index(ctx, list, masks[i], own)
		return &x
	}
}

// Dense returns g if there are not too many masks or k-mers to list documents by, else nil.
func (g *gram) Dense() stringkernel.Dense {
	if g.alike != nil || !g.listable() || g.kmers() > mostListed {
		return nil
	}
	return g
}

// kmers is the number of k-mers of the corpus, of both strands if both count.
func (g *gram) kmers() int {
	n := g.index.kmers()
	if _, one := g.strands(); one {
		n *= 2
	}
	return n
}

// pairTime estimates the time of counting pairs of k-mers, at least.
func (e *engine) pairTime(pairs float64) float64 {
	time := pairTime
	switch {
	case e.alike != nil:
		time = alikePairTime
	case e.diagonal():
		time = diagonalTime
	}
	return time * e.strandCount() * pairs
}

// productTime estimates the time of a product by the table.
func (g *gram) productTime() float64 {
	return g.convolutionTime(float64(g.tableEntries())) + float64(placeTime*float64(g.index.kmers()))
}

// convolutionTime estimates the time of convolving a table with that many entries.
func (e *engine) convolutionTime(entries float64) float64 {
	perKmer := float64(reflectionTime)
	switch {
	case e.alike != nil:
		perKmer = float64(alikeTime * float64(e.coder.sigma*e.layers()))
	case e.coder.sigma == 4:
		perKmer = additionTime
	}
	return perKmer * float64(e.coder.length) * entries
}

// DenseCost estimates the time of DenseTo by masks, and of a product by the table.
func (g *gram) DenseCost(ctx context.Context, products float64) (matrix, product float64, err error) {
	defer cancel.Catch(&err)
	kmers := g.kmers()
	product = g.productTime()
	indexing, most := float64(indexingTime*float64(kmers)), float64(products*product)
	if float64(indexing*g.maskCount()/2) > most { // of a mask and its mirror image one is indexed at least
		return math.Inf(1), product, nil
	}
	s, masks := borrowSharer(), g.masks()
	defer sharers.Put(s)
	return denseTime(ctx, g.Len(), kmers, indexing, masks, g.indexer(ctx, s, g.corpus, masks), most), product, nil
}

// DenseTo indexes the corpus by one mask after the other.
func (g *gram) DenseTo(ctx context.Context, dst []float64) (err error) {
	defer cancel.Catch(&err)
	s, masks := borrowSharer(), g.masks()
	defer sharers.Put(s)
	dense(ctx, dst, g.diag, len(masks), g.indexer(ctx, s, g.corpus, masks))
	return nil
}

// DenseCost estimates the times from the masks indexed.
func (g *maskGram) DenseCost(ctx context.Context, products float64) (matrix, product float64, err error) {
	defer cancel.Catch(&err)
	for i := range g.masks {
		product += float64(maskedTime * float64(len(g.masks[i].ids)+len(g.diag)))
	}
	return denseTime(ctx, g.Len(), g.kmers, 0, g.engine.masks(), g.index, products*product), product, nil
}

// DenseTo lists documents by the masks indexed.
func (g *maskGram) DenseTo(ctx context.Context, dst []float64) (err error) {
	defer cancel.Catch(&err)
	dense(ctx, dst, g.diag, len(g.masks), g.index)
	return nil
}

func (g *maskGram) index(i int) *maskIndex { return &g.masks[i] }
