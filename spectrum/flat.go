package spectrum

import (
	"context"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// flatPart is the Gram matrix of features of which none is a prefix of another, or that are treated as if none were:
// one scatter array, no fold. Codes of k-mers of K letters are such features, and so are the dense ids of the sorted
// regime.
//
// Features are listed by document, by feature, or both, as products, rows and feature rows need them: a list takes 4
// bytes for each occurrence, and is made when first asked for unless it is there from the start.
type flatPart struct {
	features int
	weight   []uint8 // nil: each feature counts once; else the number of lengths it represents
	// Σ weight·count² over each document's features that no other has; nil: none are left out
	own    []float64
	tables sync.Pool // *[]float64, zero at rest

	inc       *incidence // by document; nil for documents to make, where n is the number of documents
	listing   sync.Once
	inverted  *postings // by feature; nil for postings to make, or if a row by scatter and gather is cheaper
	inverting sync.Once
	byFeature bool // products by postings

	n, occurrences, entries int // for documents
}

// A product by documents reaches a sum per feature at random and passes over all entries twice. A product by postings
// passes over them once, and reaches v and dst at random, n numbers each: it pays where the former's sums leave the
// second-level cache and its sums and entries fill the third; earlier where the lists are in order of length, so that
// the ends of its loops are foreseen.
const (
	productFeatures     = 1 << 17 // 1 MB of sums
	productBytes        = 1 << 25 // of sums and entries
	productBytesOrdered = 1 << 24
)

// newTablePart indexes the k-mers of exactly K letters by their codes and adds their squares to diag.
func newTablePart(ctx context.Context, k Kernel, c *stringkernel.Corpus, diag []float64) *flatPart {
	coder := newCoder(k.Alphabet, k.K)
	features := 1 << (coder.Bits * uint(k.K))
	return newFlatPart(features, listCodes(ctx, &coder, c, features, diag))
}

// newFlatPart is a part whose features are listed by document.
func newFlatPart(features int, inc *incidence) *flatPart {
	return &flatPart{
		features: features, inc: inc, n: len(inc.ends),
		byFeature: inc.postable() && productByFeature(features, inc.len(), len(inc.ends), productBytes),
	}
}

// newSharedPart is a part whose features are listed by feature, and without weights by document too: these have feature
// rows.
func newSharedPart(
	ctx context.Context, p *postings, weight []uint8, own []float64, occurrences, entries int,
) *flatPart {
	f := &flatPart{
		features: p.features, weight: weight, own: own, n: len(own), occurrences: occurrences, entries: entries,
		inverted: p,
	}
	size, _ := layout(p.features, occurrences, entries)
	f.byFeature = productByFeature(p.features, size, f.n, productBytesOrdered)
	if weight == nil || !f.byFeature {
		f.documents(ctx)
	}
	if !f.byFeature {
		f.inverted = nil
		return f
	}
	if weight != nil { // else the k-mers of a feature are equal, and their documents in order
		p.sort(ctx)
	}
	f.inverting.Do(func() {})
	return f
}

// productByFeature reports whether products should be by postings: so many features and entries of n documents are too
// large for the caches, and there are not more sums of documents than of features.
func productByFeature(features, entries, n, bytes int) bool {
	return features > productFeatures && 8*features+4*entries > bytes && n < features/4
}

// documents returns the features by document.
func (f *flatPart) documents(ctx context.Context) *incidence {
	f.listing.Do(func() {
		if f.inc == nil {
			f.inc = f.inverted.documents(ctx, f.n, f.occurrences, f.entries)
		}
	})
	return f.inc
}

// postings returns the documents by feature, or nil where they are too many or rows and products without them are
// cheaper.
func (f *flatPart) postings() *postings {
	f.inverting.Do(func() {
		if f.inc.postable() {
			f.inverted = newPostings(context.Background(), f.inc, f.features, !f.byFeature)
		}
	})
	return f.inverted
}

// listCodes lists the codes of the k-mers of exactly c.K letters. Where diag is not nil it adds Σ count² of each
// document.
func listCodes(ctx context.Context, c *coder, corpus *stringkernel.Corpus, features int, diag []float64) *incidence {
	counts := make([]uint32, features)
	occurrences, entries := 0, 0
	var codes []uint64
	for j := range corpus.Len() {
		x, squares := corpus.Seq(j), uint64(0)
		c.eachPiece(&codes, x, false, func(codes []uint64) {
			cancel.Check(ctx)
			occurrences += len(codes)
			for _, code := range codes {
				counts[code]++
			}
		})
		c.eachPiece(&codes, x, true, func(codes []uint64) {
			cancel.Check(ctx)
			for _, code := range codes {
				if n := uint64(counts[code]); n > 0 {
					squares += n * n
					entries += countEntries(int(n))
					counts[code] = 0
				}
			}
		})
		if diag != nil {
			diag[j] += float64(squares)
		}
	}
	inc := newIncidence(corpus.Len(), features, occurrences, entries)
	for j := range corpus.Len() {
		x, counted := corpus.Seq(j), inc.counts != nil
		c.eachPiece(&codes, x, false, func(codes []uint64) {
			cancel.Check(ctx)
			for _, code := range codes {
				if counted {
					counts[code]++
				} else {
					inc.add(uint32(code), 1)
				}
			}
		})
		if counted {
			c.eachPiece(&codes, x, true, func(codes []uint64) {
				cancel.Check(ctx)
				for _, code := range codes {
					inc.add(uint32(code), int(counts[code])) // 0 after the first
					counts[code] = 0
				}
			})
		}
		inc.end()
	}
	return inc
}

// product adds K·v by postings or by the scatter and gather of v.
func (f *flatPart) product(dst, v []float64) {
	if p := f.productPostings(); p != nil {
		p.product(dst, v, f.weight)
	} else {
		f.productByDocument(dst, v)
	}
	for j, d := range f.own {
		dst[j] += float64(d * v[j])
	}
}

// productPostings returns the postings if products should take them.
func (f *flatPart) productPostings() *postings {
	if !f.byFeature {
		return nil
	}
	return f.postings()
}

func (f *flatPart) productByDocument(dst, v []float64) {
	table := scratch.Borrow(&f.tables, f.inc.tableSize(f.features))
	defer f.tables.Put(table)
	t := *table
	for j, a := range v {
		if a != 0 {
			f.inc.scatter(t, j, a)
		}
	}
	for i, w := range f.weight {
		t[i] *= float64(w)
	}
	gatherAll(dst, t, f.inc)
	clear(t[:f.features])
}

// row adds column i, by whichever way was found cheaper.
func (f *flatPart) row(dst []float64, i int) {
	inc := f.documents(context.Background())
	if p := f.postings(); p != nil {
		p.row(dst, inc, f.weight, i)
	} else {
		f.rowByProduct(dst, i)
	}
	if f.own != nil {
		dst[i] += f.own[i]
	}
}

// rowByProduct scatters document i alone, gathers every document, and erases what it scattered.
func (f *flatPart) rowByProduct(dst []float64, i int) {
	table := scratch.Borrow(&f.tables, f.inc.tableSize(f.features))
	defer f.tables.Put(table)
	t := *table
	f.inc.scatter(t, i, 1)
	if f.weight != nil {
		f.weigh(t, i)
	}
	for j := range dst {
		dst[j] += f.inc.gather(t, j)
	}
	f.inc.erase(t, i)
}

// weigh multiplies the scattered counts of document i by their weights, each feature once: a feature that occurs
// several times there is summed before it is weighted.
func (f *flatPart) weigh(t []float64, i int) {
	lo, hi := f.inc.bounds(i)
	previous := -1
	for e := lo; e < hi; e++ {
		feature, _ := f.inc.entry(e)
		if int(feature) != previous { // occurrences of a feature are consecutive in the sorted regime
			t[feature] *= float64(f.weight[feature])
			previous = int(feature)
		}
	}
}
