package spectrum

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// flatPart is the Gram matrix of features of which none is a prefix of another, or that are treated as if none were:
// one scatter array, no fold. Codes of k-mers of K letters are such features, and so are the dense ids of the sorted
// regime.
//
// Features are listed by document, and by feature where products or rows are cheaper so: that list is made when first
// asked for unless it is there from the start.
type flatPart struct {
	features int
	// Σ count² over each document's features that no other has; nil: none are left out
	own    []float64
	tables sync.Pool // *[]float64, zero at rest
	parts  sync.Pool // *[]float64
	lanes  sync.Pool // *[]simd.Counts, zero at rest

	inc       *incidence             // by document
	inverted  cancel.Once[*postings] // by feature; nil if they are too many or rows and products without are cheaper
	byFeature bool                   // products by postings
}

// A product by documents reaches a sum per feature at random and passes over all entries twice. A product by postings
// passes over them once, and reaches v and dst at random, n numbers each: it pays where the former's sums leave the
// second-level cache and its sums and entries fill the third. Postings that have to be made take the time of some ten
// products, and their lists are not in order of length, by which the ends of loops would be foreseen: they pay where
// sums and entries are several times as large.
const (
	productFeatures     = 1 << 17 // 1 MB of sums
	productBytes        = 1 << 27 // of sums and entries
	productBytesOrdered = 1 << 24
)

// newTablePart indexes the k-mers of exactly K letters by their codes.
func newTablePart(ctx context.Context, k Kernel, c *stringkernel.Corpus) *flatPart {
	coder := newCoder(k.Alphabet, k.K)
	features := 1 << (coder.Bits * uint(k.K))
	inc := listCodes(ctx, &coder, c, features)
	return newListedPart(ctx, k, &flatPart{
		features:  features,
		byFeature: inc.postable() && productByFeature(features, inc.len(), len(inc.ends), productBytes),
	}, inc)
}

// newListedPart completes a part by what is listed by document.
func newListedPart(ctx context.Context, k Kernel, f *flatPart, inc *incidence) *flatPart {
	f.inc = inc
	if !k.Count.Linear() {
		f.byFeature = false
		inc.addSurplus(ctx, f.features, countof.New(k.Count))
	}
	f.inverted.Make = func(ctx context.Context) *postings {
		if !inc.postable() {
			return nil
		}
		return newPostings(ctx, inc, f.features, !f.byFeature)
	}
	return f
}

// newSharedPart is a part whose features are listed by feature and by document. sizes are the occurrences of features
// in each document, and counted what those take with counts.
func newSharedPart(ctx context.Context, k Kernel, p *postings, own []float64, sizes, counted []int) *flatPart {
	f, n := &flatPart{features: p.features(), own: own}, len(own)
	size, smaller := layout(p.features(), sum(sizes), sum(counted))
	if smaller {
		sizes = counted
	}
	inc := p.documents(ctx, sizes, smaller)
	f.byFeature = inc.postable() && productByFeature(p.features(), size, n, productBytesOrdered)
	newListedPart(ctx, k, f, inc)
	if f.byFeature {
		f.inverted.Make = func(context.Context) *postings { return p }
	}
	return f
}

// productByFeature reports whether products should be by postings: that is so if the features and entries of n
// documents do not fit into caches of the given number of bytes, and documents are far fewer than features.
func productByFeature(features, entries, n, bytes int) bool {
	return features > productFeatures && 8*features+4*entries > bytes && n < features/4
}

// listCodes lists the codes of the k-mers of exactly c.K letters.
func listCodes(ctx context.Context, c *coder, corpus *stringkernel.Corpus, features int) *incidence {
	l := codeLister{c, corpus, features, documentBlocks(corpus, runtime.GOMAXPROCS(0)), sync.Pool{}}
	sizes := make([]int, corpus.Len())
	if l.repetitive() {
		return l.counted(ctx, sizes)
	}
	parallel.EachContext(ctx, len(sizes), func(j int) {
		for lo, hi := range c.runs(ctx, corpus.Seq(j)) {
			sizes[j] += max(0, hi-lo-c.K+1)
		}
	})
	inc, next := newReserved(features, sizes, false)
	l.each(ctx, func(j int, codes []uint64, _ []uint32) { next[j] = inc.putCodes(next[j], codes) }, nil)
	return inc
}

// repetitive reports whether counts would be the smaller layout of a few documents from everywhere in the corpus.
func (l *codeLister) repetitive() bool {
	const most = 32
	n := l.corpus.Len()
	some := min(n, most)
	var list []uint64
	occurrences, distinct := 0, 0
	for i := range some {
		l.coder.eachPiece(&list, l.corpus.Seq(i*n/some), false, func(codes []uint64) {
			occurrences += len(codes)
			slices.Sort(codes)
			distinct += len(slices.Compact(codes))
		})
	}
	_, counted := layout(l.features, occurrences, distinct)
	return counted
}

// counted lists each distinct feature of a document once with its count. It writes the number of entries to sizes.
func (l *codeLister) counted(ctx context.Context, sizes []int) *incidence {
	erase := func(_ int, codes []uint64, counts []uint32) {
		for _, code := range codes {
			counts[code] = 0
		}
	}
	l.each(ctx, func(j int, codes []uint64, counts []uint32) {
		for _, code := range codes {
			if counts[code]%maxCount == 0 {
				sizes[j]++
			}
			counts[code]++
		}
	}, erase)
	inc, next := newReserved(l.features, sizes, true)
	l.each(ctx, func(_ int, codes []uint64, counts []uint32) {
		for _, code := range codes {
			counts[code]++
		}
	}, func(j int, codes []uint64, counts []uint32) {
		for _, code := range codes {
			next[j] = inc.put(next[j], uint32(code), int(counts[code])) // 0 after the first
			counts[code] = 0
		}
	})
	return inc
}

// codeLister passes over the k-mers of a corpus, blocks of documents side by side.
type codeLister struct {
	coder    *coder
	corpus   *stringkernel.Corpus
	features int
	blocks   []int
	counts   sync.Pool // *[]uint32, zero at rest
}

// each calls first, and then again if it is not nil, with all codes of each document, some at a time. counts has a
// count for each feature, which is zero before a document and must be so after it.
func (l *codeLister) each(ctx context.Context, first, again func(j int, codes []uint64, counts []uint32)) {
	parallel.EachContext(ctx, len(l.blocks)-1, func(b int) {
		var counts *[]uint32
		if again != nil {
			counts = scratch.BorrowOf[uint32](&l.counts, l.features)
			defer l.counts.Put(counts)
		} else {
			counts = new([]uint32)
		}
		var list []uint64
		for j := l.blocks[b]; j < l.blocks[b+1]; j++ {
			cancel.Check(ctx)
			x := l.corpus.Seq(j)
			l.coder.eachPiece(&list, x, false, func(codes []uint64) {
				cancel.Check(ctx)
				first(j, codes, *counts)
			})
			if again != nil {
				l.coder.eachPiece(&list, x, true, func(codes []uint64) {
					cancel.Check(ctx)
					again(j, codes, *counts)
				})
			}
		}
	})
}

func (f *flatPart) prepare(ctx context.Context) { f.productPostings(ctx) }

// product adds K·v by postings or by the scatter and gather of v.
func (f *flatPart) product(dst, v []float64) {
	if p := f.productPostings(context.Background()); p != nil {
		p.product(dst, v)
	} else {
		f.productByDocument(dst, v)
	}
	for j, d := range f.own {
		dst[j] += float64(d * v[j])
	}
}

// productPostings returns the postings if products should take them, and makes them if they are not there.
func (f *flatPart) productPostings(ctx context.Context) *postings {
	if !f.byFeature {
		return nil
	}
	return f.inverted.Get(ctx)
}

func (f *flatPart) productByDocument(dst, v []float64) {
	table := scratch.Borrow(&f.tables, f.inc.tableSize(f.features))
	defer f.tables.Put(table)
	t := *table
	f.inc.scatterAll(t, v, f.features, &f.parts)
	f.inc.gatherAll(dst, t)
	clear(t[:f.features])
}

// row adds column i, by whichever way was found cheaper.
func (f *flatPart) row(dst []float64, i int) {
	switch p := f.inverted.Get(context.Background()); {
	case p == nil:
		f.rowByProduct(dst, i)
	default:
		f.rowByPostings(dst, p, i)
	}
	if f.own != nil {
		dst[i] += f.own[i]
	}
}

// rowByPostings adds what documents have of the features of document i: their counts, by postings, and the surplus.
func (f *flatPart) rowByPostings(dst []float64, p *postings, i int) {
	lo, hi := f.inc.bounds(i)
	for e := lo; e < hi; e++ {
		feature, count := f.inc.entry(e)
		p.addTo(dst, feature, float64(count))
	}
	if f.inc.more == nil {
		return
	}
	ids, values := f.inc.more.Row(i)
	for e, id := range ids {
		p.addTo(dst, id, values[e])
	}
	table := scratch.Borrow(&f.tables, f.inc.tableSize(f.features))
	defer f.tables.Put(table)
	f.inc.scatter(*table, i, 1)
	for j := range dst {
		dst[j] += f.inc.more.Gather(*table, j)
	}
	f.inc.erase(*table, i)
}

// rowByProduct scatters document i alone, gathers every document, and erases what it scattered.
func (f *flatPart) rowByProduct(dst []float64, i int) {
	table := scratch.Borrow(&f.tables, f.inc.tableSize(f.features))
	defer f.tables.Put(table)
	t := *table
	f.inc.scatter(t, i, 1)
	for j := range dst {
		dst[j] += f.inc.gather(t, j)
	}
	f.inc.erase(t, i)
}

// FeatureRows returns the explicit rows of the plain kernel: its k-mers, or those that several sequences share where
// k-mers are sorted. The bounded kernel has none (nil): a position would have K features, and one look-up per position
// in a folded array is what makes that kernel fast. O(1).
func (g *gram) FeatureRows() stringkernel.FeatureRows {
	if len(g.parts) != 1 {
		return nil
	}
	f, ok := g.parts[0].(*flatPart)
	if !ok {
		return nil
	}
	return flatRows{f, len(g.diag), math.Sqrt(g.scale)}
}

// flatRows are the rows of a flat part for n documents: counts of its features, and their surplus, times g(1).
type flatRows struct {
	part *flatPart
	n    int
	one  float64
}

// Width returns the length of a scatter array.
func (r flatRows) Width() int { return r.part.inc.tableSize(r.part.features) }

// Scatter adds a times the features of document i.
func (r flatRows) Scatter(t []float64, i int, a float64) { r.part.inc.scatter(t, i, float64(a*r.one)) }

// Gather sums the table over the features of document i.
func (r flatRows) Gather(t []float64, i int) float64 { return float64(r.part.inc.gather(t, i) * r.one) }

// Own writes what k-mers of one sequence alone add to the diagonal.
func (r flatRows) Own(dst []float64) {
	clear(dst[:r.n])
	for j, own := range r.part.own {
		dst[j] = own * r.one * r.one
	}
}

// AppendRow lists the entries of document i: one per occurrence, or per distinct k-mer, and the surplus of repeats.
func (r flatRows) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	lo, hi := r.part.inc.bounds(i)
	for e := lo; e < hi; e++ {
		feature, count := r.part.inc.entry(e)
		ids, values = append(ids, feature), append(values, float64(count)*r.one)
	}
	if r.part.inc.more != nil {
		more, surplus := r.part.inc.more.Row(i)
		for e, id := range more {
			ids, values = append(ids, id), append(values, surplus[e]*r.one)
		}
	}
	return ids, values
}
