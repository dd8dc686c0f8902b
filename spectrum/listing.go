package spectrum

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/engine/table"
)

// listCodes lists the codes of the k-mers of exactly c.K letters: each occurrence, or each code with its count.
func listCodes(ctx context.Context, c *kmer.Coder, corpus *stringkernel.Corpus, f stringkernel.Count) *table.List {
	l := codeLister{c, corpus, 1 << (c.Bits * uint(c.K)), table.Blocks(corpus, runtime.GOMAXPROCS(0)), sync.Pool{}}
	if !f.Linear() || l.repetitive() {
		return weigh(l.counted(ctx), f)
	}
	sizes := make([]int, corpus.Len())
	parallel.EachContext(ctx, len(sizes), func(j int) {
		for lo, hi := range c.Runs(ctx, corpus.Seq(j)) {
			sizes[j] += max(0, hi-lo-c.K+1)
		}
	})
	list, next := table.NewList(l.features, sizes, false)
	l.each(ctx, func(j int, codes []uint64, _ []uint32) { next[j] = list.PutAll(next[j], codes) }, nil)
	return list
}

// codeLister passes over the k-mers of a corpus, blocks of records side by side.
type codeLister struct {
	coder    *kmer.Coder
	corpus   *stringkernel.Corpus
	features int
	blocks   []int
	counts   sync.Pool // *[]uint32, zero at rest
}

// repetitive reports whether entries with counts would be fewer bytes, by a few records from everywhere in the corpus.
func (l *codeLister) repetitive() bool {
	const most = 32
	n := l.corpus.Len()
	some := min(n, most)
	var list []uint64
	occurrences, distinct := 0, 0
	for i := range some {
		l.coder.EachPiece(&list, l.corpus.Seq(i*n/some), false, func(codes []uint64) {
			occurrences += len(codes)
			slices.Sort(codes)
			distinct += len(slices.Compact(codes))
		})
	}
	return weightsPay(l.features, occurrences, distinct)
}

// counted lists each distinct feature of a record once with its count.
func (l *codeLister) counted(ctx context.Context) *table.List {
	count := func(_ int, codes []uint64, counts []uint32) {
		for _, code := range codes {
			counts[code]++
		}
	}
	return table.Collect(l.features, l.corpus.Len(), true, func(add func(j int, feature, weight uint32)) {
		l.each(ctx, count, func(j int, codes []uint64, counts []uint32) {
			for _, code := range codes {
				if counts[code] > 0 {
					add(j, uint32(code), counts[code])
					counts[code] = 0
				}
			}
		})
	})
}

// each calls first with all codes of each record, some at a time, and then again, if it is not nil, with the same.
// counts has a count for each feature, which is zero before a record and must be so after it; it is empty without
// again.
func (l *codeLister) each(ctx context.Context, first, again func(j int, codes []uint64, counts []uint32)) {
	parallel.EachContext(ctx, len(l.blocks)-1, func(b int) {
		counts := new([]uint32)
		if again != nil {
			counts = scratch.BorrowOf[uint32](&l.counts, l.features)
			defer l.counts.Put(counts)
		}
		var list []uint64
		for j := l.blocks[b]; j < l.blocks[b+1]; j++ {
			cancel.Check(ctx)
			x := l.corpus.Seq(j)
			l.coder.EachPiece(&list, x, false, func(codes []uint64) {
				cancel.Check(ctx)
				first(j, codes, *counts)
			})
			if again != nil {
				l.coder.EachPiece(&list, x, true, func(codes []uint64) {
					cancel.Check(ctx)
					again(j, codes, *counts)
				})
			}
		}
	})
}

// weightsPay reports whether entries with weights are fewer bytes than one for each occurrence.
func weightsPay(features, occurrences, entries int) bool {
	width := 4
	if features <= table.MostNarrow {
		width = 2
	}
	return entries*(width+4) < occurrences*width
}

// weigh ends the filling of a list whose weights are counts.
func weigh(l *table.List, f stringkernel.Count) *table.List {
	values := countof.New(f)
	l.Weigh(values.At)
	return l
}

// checkSorted returns an error if k-mers are sorted, since not all are counted in tables, and letters are more than the
// places of a list.
func (k Kernel) checkSorted(c *stringkernel.Corpus, tables bool) error {
	if !tables && int64(c.Letters()) >= 1<<32 {
		return fmt.Errorf("spectrum: %d letters; k-mers of %d are sorted, of fewer than 2³² letters: take fewer "+
			"records, or shorter k-mers (of DNA 10), which are counted in tables", c.Letters(), k.K)
	}
	return nil
}

// sortingBytes returns the memory of sorting the k-mers of a corpus.
func sortingBytes(letters int) float64 {
	return float64(2*letters) + float64(14*min(letters, table.WholeLetters))
}

// holders are the k-mers of one length with the sequences that have them.
type holders struct {
	*table.Postings
	coder  kmer.Coder
	codes  []uint64 // ascending
	places []int32  // by code: the 1-based number of the k-mer, 0 if it does not occur; nil: found by search
}

// newHolders lists the k-mers of a corpus.
func newHolders(ctx context.Context, c kmer.Coder, corpus *stringkernel.Corpus) *holders {
	var codes table.Chunks[uint64]
	l := table.NewLister(corpus.Len())
	for code, list := range table.SortedKmers(ctx, corpus, c) {
		codes.Add(code)
		l.Add(list)
	}
	table.CollectAfter(corpus) // sorting
	h := &holders{coder: c, codes: codes.List(ctx)}
	table.CollectAfter(corpus) // the list of codes
	h.Postings = l.Postings(ctx)
	table.CollectAfter(corpus) // the lists of postings
	return h
}

// makePlaces makes the table of places if most of its entries are used.
func (h *holders) makePlaces() {
	const (
		mostBits  = 20 // of a k-mer
		mostEmpty = 4  // entries of a k-mer
	)
	width := h.coder.Bits * uint(h.coder.K)
	if width > mostBits || 1<<width > mostEmpty*len(h.codes) {
		return
	}
	h.places = make([]int32, 1<<width)
	for i, code := range h.codes {
		h.places[code] = int32(i + 1)
	}
}

// number returns that of a k-mer.
func (h *holders) number(code uint64) (number int, found bool) {
	if h.places != nil {
		at := int(h.places[code]) - 1
		return at, at >= 0
	}
	return slices.BinarySearch(h.codes, code)
}

// addTo adds the products of the k-mers of x, and reports whether there is one.
func (h *holders) addTo(dst []float64, x []byte) (common bool) {
	h.coder.EachCount(x, func(code uint64, count int) {
		if number, found := h.number(code); found {
			common = true
			h.AddTo(dst, uint32(number), float64(count), uint32(number))
		}
	})
	return common
}
