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
// Features are listed by record, and by feature where products or rows are cheaper so, of raw counts alone. Either list
// is made when first asked for, unless it is there from the start: sorted k-mers are listed by feature, and where
// products are by feature, too, rows alone ask for the other list.
type flatPart struct {
	own    []float64 // Σ count² over each record's features that no other has; nil: none are left out
	tables sync.Pool // *[]float64, zero at rest
	parts  sync.Pool // *[]float64
	lanes  sync.Pool // *[]simd.Counts, zero at rest

	list      cancel.Once[*table.List]     // by record
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
	f := &flatPart{byFeature: k.Count.Linear() && productByFeature(l.Features(), l.Entries(), l.Len(), productBytes)}
	f.list.Make = func(context.Context) *table.List { return l }
	f.inverted.Make = func(ctx context.Context) *table.Postings {
		if !k.Count.Linear() {
			return nil
		}
		return table.NewPostings(ctx, l, !f.byFeature)
	}
	return f
}

// newSortedPart indexes the k-mers of K letters by sorting them. K-mers that several records share become features
// with dense ids. A k-mer that one record has is not a feature: it only adds to own. Features are listed by record with
// each occurrence, or with their counts where that is fewer bytes or counts are seen through a function.
func newSortedPart(ctx context.Context, k Kernel, c *stringkernel.Corpus) *flatPart {
	values, list := countof.New(k.Count), table.NewLister(c.Len())
	f, occurrences, entries := &flatPart{own: make([]float64, c.Len())}, 0, 0
	for _, holders := range table.SortedKmers(ctx, c, kmer.New(k.Alphabet, k.K)) {
		if len(holders) == 1 { // as most have
			f.own[holders[0].Record] += values.Square(holders[0].Count)
			continue
		}
		list.Add(holders)
		entries += len(holders)
		for _, h := range holders {
			occurrences += int(h.Count)
		}
	}
	table.CollectAfter(c) // sorting
	p := list.Postings(ctx)
	table.CollectAfter(c) // the lists in chunks
	weighed := !k.Count.Linear() || weightsPay(p.Features(), occurrences, entries)
	if !weighed {
		entries = occurrences
	}
	f.list.Make = func(ctx context.Context) *table.List {
		return weigh(listShared(ctx, p, c.Len(), weighed), k.Count)
	}
	f.inverted.Make = func(context.Context) *table.Postings { return p }
	f.byFeature = k.Count.Linear() && productByFeature(p.Features(), entries, c.Len(), productBytesOrdered)
	if !k.Count.Linear() {
		f.list.Get(ctx)
		p = nil
	}
	return f
}

// listShared lists features, of which there are postings, by record.
func listShared(ctx context.Context, p *table.Postings, records int, weighed bool) *table.List {
	return table.Collect(p.Features(), records, weighed, func(add func(j int, feature, weight uint32)) {
		p.Each(ctx, func(feature, record, count uint32) {
			times := count
			if weighed {
				times = 1
			}
			for range times {
				add(int(record), feature, count)
			}
		})
	})
}

// productByFeature reports whether products should be by postings: that is so if the features and entries of records
// do not fit into caches of the given number of bytes, and records are far fewer than features.
func productByFeature(features, entries, records, bytes int) bool {
	return features > productFeatures && 8*features+4*entries > bytes && records < features/4
}

func (f *flatPart) prepare(ctx context.Context) {
	if f.productPostings(ctx) == nil {
		f.list.Get(ctx)
	}
}

// byRecord returns the list by record.
func (f *flatPart) byRecord() *table.List { return f.list.Get(context.Background()) }

// product adds K·v by postings or by the scatter and gather of v.
func (f *flatPart) product(dst, v []float64) {
	if p := f.productPostings(context.Background()); p != nil {
		p.Product(dst, v)
	} else {
		l := f.byRecord()
		space := scratch.Borrow(&f.tables, l.TableSize())
		defer f.tables.Put(space)
		l.ScatterAll(*space, v, &f.parts)
		l.GatherAll(dst, *space)
		clear((*space)[:l.Features()])
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

// entriesAhead is how many entries ahead postings are fetched.
const entriesAhead = 4

// row adds column i, by postings or by a scatter of record i alone and a gather of all.
func (f *flatPart) row(dst []float64, i int) {
	l := f.byRecord()
	if p := f.inverted.Get(context.Background()); p != nil {
		lo, hi := l.Bounds(i)
		for e := lo; e < hi; e++ {
			feature, value := l.Entry(e)
			soon, _ := l.Entry(min(e+entriesAhead, hi-1))
			p.AddTo(dst, feature, value, soon)
		}
	} else {
		space := scratch.Borrow(&f.tables, l.TableSize())
		defer f.tables.Put(space)
		l.Scatter(*space, i, 1)
		for j := range dst {
			dst[j] += l.Gather(*space, j)
		}
		l.Erase(*space, i)
	}
	if f.own != nil {
		dst[i] += f.own[i]
	}
}

// flatRows are the rows of a flat part.
type flatRows struct{ part *flatPart }

// Width returns the length of a scatter array.
func (r flatRows) Width() int { return r.part.byRecord().TableSize() }

// Scatter adds a times the features of record i.
func (r flatRows) Scatter(t []float64, i int, a float64) { r.part.byRecord().Scatter(t, i, a) }

// Gather sums the table over the features of record i.
func (r flatRows) Gather(t []float64, i int) float64 { return r.part.byRecord().Gather(t, i) }

// Own writes what k-mers of one sequence alone add to the diagonal.
func (r flatRows) Own(dst []float64) {
	clear(dst[:r.part.byRecord().Len()])
	copy(dst, r.part.own)
}

// AppendRow lists the entries of record i: one per occurrence, or per distinct k-mer.
func (r flatRows) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	l := r.part.byRecord()
	lo, hi := l.Bounds(i)
	for e := lo; e < hi; e++ {
		feature, value := l.Entry(e)
		ids, values = append(ids, feature), append(values, value)
	}
	return ids, values
}
