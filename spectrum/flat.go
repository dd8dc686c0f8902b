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
type flatPart struct {
	features int
	inc      *incidence
	weight   []float64 // nil: each feature counts once; else the number of lengths it represents
	// Σ weight·count² over each document's features that no other has; nil: none are left out, and features are not in
	// order of frequency
	own    []float64
	tables sync.Pool // *[]float64, zero at rest

	plan      sync.Once // fills inverted at the first Row
	inverted  *postings // nil: a row by scatter and gather is cheaper
	byFeature bool      // products by postings too: inverted is there from the start
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
	return newFlatPart(ctx, features, listCodes(ctx, &coder, c, features, diag), nil, nil)
}

func newFlatPart(ctx context.Context, features int, inc *incidence, weight, own []float64) *flatPart {
	f := &flatPart{features: features, inc: inc, weight: weight, own: own}
	bytes := productBytes
	if own != nil {
		bytes = productBytesOrdered
	}
	if features > productFeatures && 8*features+4*inc.len() > bytes && len(inc.ends) < features/4 && inc.postable() {
		f.plan.Do(func() { f.inverted = newPostings(ctx, f.inc, f.features, false) })
		f.byFeature = f.inverted != nil
	}
	return f
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
	if f.byFeature {
		f.inverted.product(dst, v, f.weight)
	} else {
		f.productByDocument(dst, v)
	}
	for j, d := range f.own {
		dst[j] += float64(d * v[j])
	}
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
		t[i] *= w
	}
	gatherAll(dst, t, f.inc)
	clear(t[:f.features])
}

// row adds column i, by whichever way was found cheaper.
func (f *flatPart) row(dst []float64, i int) {
	f.plan.Do(func() {
		if f.inc.postable() {
			f.inverted = newPostings(context.Background(), f.inc, f.features, true)
		}
	})
	if f.inverted != nil {
		f.inverted.row(dst, f.inc, f.weight, i)
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
			t[feature] *= f.weight[feature]
			previous = int(feature)
		}
	}
}
