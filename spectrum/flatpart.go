package spectrum

import (
	"context"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/engine/table"
)

// flatPart is the Gram matrix of features of which none is a prefix of another, or that are treated as if none were:
// one scatter array, no fold. Codes of k-mers of K letters are such features, and so are the dense ids of the sorted
// regime.
//
// Features are listed by record, and by feature where products or rows are cheaper so: that list is made when first
// asked for unless it is there from the start, and of raw counts alone.
type flatPart struct {
	own    []float64 // Σ count² over each record's features that no other has; nil: none are left out
	tables sync.Pool // *[]float64, zero at rest
	parts  sync.Pool // *[]float64
	lanes  sync.Pool // *[]simd.Counts, zero at rest

	list      *table.List                  // by record
	inverted  cancel.Once[*table.Postings] // by feature; nil if too many, or if rows and products without are cheaper
	byFeature bool                         // products by postings
}

// A product by records reaches a sum per feature at random and passes over all entries twice. A product by postings
// passes over them once, and reaches v and dst at random, n numbers each: it pays where the former's sums leave the
// second-level cache and its sums and entries fill the third. Postings that have to be made take the time of some ten
// products, and their lists are not in order of length, by which the ends of loops would be foreseen: they pay where
// sums and entries are several times as large.
const (
	productFeatures     = 1 << 17 // 1 MB of sums
	productBytes        = 1 << 27 // of sums and entries
	productBytesOrdered = 1 << 24
)

// newCodePart indexes the k-mers of exactly K letters by their codes.
func newCodePart(ctx context.Context, k Kernel, c *stringkernel.Corpus) *flatPart {
	coder := kmer.New(k.Alphabet, k.K)
	l := listCodes(ctx, &coder, c, k.Count)
	f := &flatPart{list: l, byFeature: k.Count.Linear() && productByFeature(l, productBytes)}
	f.inverted.Make = func(ctx context.Context) *table.Postings {
		if !k.Count.Linear() {
			return nil
		}
		return table.NewPostings(ctx, l, !f.byFeature)
	}
	return f
}

// newSortedPart indexes the k-mers of K letters by sorting them. K-mers that several records share become features
// with dense ids. A k-mer that one record has is not a feature: it only adds to own.
func newSortedPart(ctx context.Context, k Kernel, c *stringkernel.Corpus) *flatPart {
	n, values, list := c.Len(), countof.New(k.Count), table.NewLister(c.Len())
	own, occurrences, entries := make([]float64, n), make([]int, n), make([]int, n)
	for _, holders := range table.SortedKmers(ctx, c, kmer.New(k.Alphabet, k.K)) {
		if len(holders) == 1 { // as most have
			own[holders[0].Record] += values.Square(holders[0].Count)
			continue
		}
		list.Add(holders)
		for _, h := range holders {
			occurrences[h.Record] += int(h.Count)
			entries[h.Record]++
		}
	}
	table.CollectAfter(c) // sorting
	p := list.Postings(ctx)
	table.CollectAfter(c) // the lists in chunks
	return newSharedPart(ctx, k, p, own, occurrences, entries)
}

// newSharedPart lists shared features, of which there are postings, by record: each occurrence, or each feature with
// its count where that is fewer bytes or counts are seen through a function. occurrences and entries are those of each
// record.
func newSharedPart(
	ctx context.Context, k Kernel, p *table.Postings, own []float64, occurrences, entries []int,
) *flatPart {
	f, sizes := &flatPart{own: own}, occurrences
	weighed := !k.Count.Linear() || weightsPay(p.Features(), sum(occurrences), sum(entries))
	if weighed {
		sizes = entries
	}
	l, next := table.NewList(p.Features(), sizes, weighed)
	p.Each(ctx, func(feature, record, count uint32) {
		if weighed {
			l.Put(next[record], feature, count)
			next[record]++
			return
		}
		for range count {
			l.Put(next[record], feature, 1)
			next[record]++
		}
	})
	f.list = weigh(l, k.Count)
	f.inverted.Make = func(context.Context) *table.Postings { return p }
	if !k.Count.Linear() {
		f.inverted.Make = func(context.Context) *table.Postings { return nil }
	}
	f.byFeature = k.Count.Linear() && productByFeature(l, productBytesOrdered)
	return f
}

func sum(list []int) (total int) {
	for _, n := range list {
		total += n
	}
	return total
}

// productByFeature reports whether products should be by postings: that is so if the features and entries of records
// do not fit into caches of the given number of bytes, and records are far fewer than features.
func productByFeature(l *table.List, bytes int) bool {
	return l.Features() > productFeatures && 8*l.Features()+4*l.Entries() > bytes && l.Len() < l.Features()/4
}

func (f *flatPart) prepare(ctx context.Context) { f.productPostings(ctx) }

// product adds K·v by postings or by the scatter and gather of v.
func (f *flatPart) product(dst, v []float64) {
	if p := f.productPostings(context.Background()); p != nil {
		p.Product(dst, v)
	} else {
		f.productByRecord(dst, v)
	}
	for j, d := range f.own {
		dst[j] += float64(d * v[j])
	}
}

// productPostings returns the postings if products should take them, and makes them if they are not there.
func (f *flatPart) productPostings(ctx context.Context) *table.Postings {
	if !f.byFeature {
		return nil
	}
	return f.inverted.Get(ctx)
}

func (f *flatPart) productByRecord(dst, v []float64) {
	space := scratch.Borrow(&f.tables, f.list.TableSize())
	defer f.tables.Put(space)
	t := *space
	f.list.ScatterAll(t, v, &f.parts)
	f.list.GatherAll(dst, t)
	clear(t[:f.list.Features()])
}

// row adds column i, by postings or by a scatter of record i alone and a gather of all.
func (f *flatPart) row(dst []float64, i int) {
	if p := f.inverted.Get(context.Background()); p != nil {
		lo, hi := f.list.Bounds(i)
		for e := lo; e < hi; e++ {
			feature, value := f.list.Entry(e)
			p.AddTo(dst, feature, value)
		}
	} else {
		f.rowByProduct(dst, i)
	}
	if f.own != nil {
		dst[i] += f.own[i]
	}
}

func (f *flatPart) rowByProduct(dst []float64, i int) {
	space := scratch.Borrow(&f.tables, f.list.TableSize())
	defer f.tables.Put(space)
	t := *space
	f.list.Scatter(t, i, 1)
	for j := range dst {
		dst[j] += f.list.Gather(t, j)
	}
	f.list.Erase(t, i)
}

// flatRows are the rows of a flat part for n records.
type flatRows struct {
	part *flatPart
	n    int
}

// Width returns the length of a scatter array.
func (r flatRows) Width() int { return r.part.list.TableSize() }

// Scatter adds a times the features of record i.
func (r flatRows) Scatter(t []float64, i int, a float64) { r.part.list.Scatter(t, i, a) }

// Gather sums the table over the features of record i.
func (r flatRows) Gather(t []float64, i int) float64 { return r.part.list.Gather(t, i) }

// Own writes what k-mers of one sequence alone add to the diagonal.
func (r flatRows) Own(dst []float64) {
	clear(dst[:r.n])
	copy(dst, r.part.own)
}

// AppendRow lists the entries of record i: one per occurrence, or per distinct k-mer.
func (r flatRows) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	lo, hi := r.part.list.Bounds(i)
	for e := lo; e < hi; e++ {
		feature, value := r.part.list.Entry(e)
		ids, values = append(ids, feature), append(values, value)
	}
	return ids, values
}
