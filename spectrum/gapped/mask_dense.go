package gapped

import (
	"context"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/ends"
	"github.com/seqsvm/seqsvm/internal/parallel"
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
	pairTime       = 0.2 // a pair of k-mers in eval, at least
	alikePairTime  = 4   // a pair of k-mers whose letters resemble each other
	alikeTime      = 0.4 // a k-mer of the table, letter, letter it resembles and layer
)

const (
	docBits   = 16
	mostDocs  = 1 << docBits // the matrix has 32 GB then
	mostCount = 1<<(32-docBits) - 1
	// mostListed bounds the k-mers of a corpus that are listed by mask, in addition to what the index takes: 50 bytes
	// each.
	mostListed = 1 << 24
	rowsAtOnce = 32 // of one task
)

// meetings lists the documents of a mask by masked k-mer.
type meetings struct {
	weight float64
	lists  []uint32 // document | count << docBits, k-mer by k-mer, documents ascending
	// through a function, documents alone in lists, and the sums of weights there
	amounts []float64
	shares  []share // of the k-mers in documents, document by document
	ends    []int   // ends[i] is one past the shares of document i

	starts, next []uint32  // by k-mer: where its list begins, and where it continues
	counts       []uint32  // by k-mer: how often the current document has it, or 1
	sums         []float64 // by k-mer, through a function: the sum of its weights in the current document
}

// share is a k-mer of a document.
type share struct {
	lo, at uint32  // lists[lo:at] are the documents before that have the k-mer
	count  float64 // of the k-mer in this one, or the sum of its weights
}

// fill lists the documents of a mask.
func (m *meetings) fill(x *maskIndex) {
	m.weight = x.weight
	m.starts = append(m.starts[:0], make([]uint32, x.shared+1)...)
	m.counts = append(m.counts[:0], make([]uint32, x.shared)...)
	m.collect(x)
	for w := range x.shared {
		m.starts[w+1] += m.starts[w]
	}
	m.next = append(m.next[:0], m.starts...)
	total := int(m.starts[x.shared])
	m.lists = slices.Grow(m.lists[:0], total)[:total]
	if m.amounts = m.amounts[:0]; x.fractional() {
		m.amounts = slices.Grow(m.amounts, total)[:total]
	}
	lo := 0
	for i, hi := range m.ends {
		for s := lo; s < hi; s++ {
			m.enter(&m.shares[s], uint32(i))
		}
		lo = hi
	}
}

// collect lists the k-mers of documents, whose numbers are in lo until enter replaces them by places, and the lengths
// of the k-mers' lists.
func (m *meetings) collect(x *maskIndex) {
	m.shares, m.ends = slices.Grow(m.shares[:0], len(x.ids)), slices.Grow(m.ends[:0], len(x.ends))
	if x.fractional() {
		m.collectFractional(x)
		return
	}
	lo := uint32(0)
	for _, hi := range x.ends {
		first := len(m.shares)
		for j := lo; j < hi; j++ {
			mer, weight := x.ids[j], uint32(1)
			if x.weights != nil {
				weight = uint32(x.weights[j])
			}
			if m.counts[mer] == 0 && weight > 0 {
				m.shares = append(m.shares, share{lo: mer})
			}
			m.counts[mer] += weight
		}
		for s := range m.shares[first:] {
			own := &m.shares[first+s]
			count := &m.counts[own.lo]
			own.count = float64(*count)
			m.starts[own.lo+1] += (*count + mostCount - 1) / mostCount
			*count = 0
		}
		m.ends = append(m.ends, len(m.shares))
		lo = hi
	}
}

// collectFractional is collect through a function.
func (m *meetings) collectFractional(x *maskIndex) {
	m.sums = append(m.sums[:0], make([]float64, x.shared)...)
	lo := uint32(0)
	for _, hi := range x.ends {
		first := len(m.shares)
		for j := lo; j < hi; j++ {
			mer := x.ids[j]
			if m.sums[mer] == 0 { // no weight is
				m.shares = append(m.shares, share{lo: mer})
			}
			m.sums[mer] += x.values.of(x.weights[j])
		}
		for s := range m.shares[first:] {
			own := &m.shares[first+s]
			own.count, m.sums[own.lo] = m.sums[own.lo], 0
			m.starts[own.lo+1]++
		}
		m.ends = append(m.ends, len(m.shares))
		lo = hi
	}
}

// enter puts a document into the list of one of its k-mers, several times if the count exceeds that of an entry.
func (m *meetings) enter(own *share, doc uint32) {
	mer := own.lo
	own.lo, own.at = m.starts[mer], m.next[mer]
	if len(m.amounts) > 0 {
		m.lists[own.at], m.amounts[own.at] = doc, own.count
		m.next[mer]++
		return
	}
	for count := uint32(own.count); count > 0; {
		part := min(count, mostCount)
		m.lists[m.next[mer]] = doc | part<<docBits
		m.next[mer]++
		count -= part
	}
}

// addTo adds the share of the mask in K_ij to row[j] for every j < i.
func (m *meetings) addTo(row []float64, i int) {
	lo, hi := ends.Bounds(m.ends, i)
	for _, own := range m.shares[lo:hi] {
		a := float64(m.weight * own.count)
		if len(m.amounts) > 0 {
			for at := own.lo; at < own.at; at++ {
				row[m.lists[at]] += float64(a * m.amounts[at])
			}
			continue
		}
		for _, other := range m.lists[own.lo:own.at] {
			row[other&(mostDocs-1)] += float64(a * float64(other>>docBits))
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
	if docs > mostDocs || kmers > mostListed {
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
	if e.alike != nil {
		return alikePairTime * pairs
	}
	return pairTime * pairs
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
