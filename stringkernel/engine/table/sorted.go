package table

import (
	"context"
	"iter"
	"math/bits"
	"runtime"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Occurrence is a k-mer in a record, so many times. 16 bytes.
type Occurrence struct {
	key           uint64
	Record, Count uint32
}

// The k-mers of a corpus of up to WholeLetters are sorted at once; of a larger one about a keyRanges-th at a time, in 2
// bytes per letter, with a pass over the corpus for each.
const (
	WholeLetters = 1 << 20
	keyRanges    = 8
)

// CollectAfter collects the garbage of a step on a large corpus, whose memory may else still be there when that of the
// next step is taken.
func CollectAfter(c *stringkernel.Corpus) {
	if c.Letters() > WholeLetters {
		runtime.GC()
	}
}

// SortedKmers yields the k-mers of a corpus, ascending, each with the records that have it, in order, and how often.
func SortedKmers(ctx context.Context, corpus *stringkernel.Corpus, c kmer.Coder) iter.Seq2[uint64, []Occurrence] {
	return func(yield func(uint64, []Occurrence) bool) {
		for list := range sortedOccurrences(ctx, corpus, c) {
			for lo, hi := 0, 0; lo < len(list); lo = hi {
				if lo&(checkedTogether-1) == 0 {
					cancel.Check(ctx)
				}
				last := lo // the last record of the k-mer
				for hi = lo + 1; hi < len(list) && list[hi].key == list[lo].key; hi++ {
					if list[hi].Record == list[last].Record {
						list[last].Count += list[hi].Count
					} else {
						last++
						list[last] = list[hi]
					}
				}
				if !yield(list[lo].key, list[lo:last+1]) {
					return
				}
			}
		}
	}
}

// checkedTogether is about how many k-mers there are between looks at a context.
const checkedTogether = 1 << 8

// sortedOccurrences yields the k-mers at all positions of the corpus in lists sorted by key, stably: records are in
// order among equal keys. Each list has the keys of one range, and the ranges ascend. Equal k-mers in a row are one
// occurrence, so that a long run of a letter is short.
func sortedOccurrences(ctx context.Context, corpus *stringkernel.Corpus, c kmer.Coder) iter.Seq[[]Occurrence] {
	return func(yield func([]Occurrence) bool) {
		s := newCellSorter(ctx, corpus, c)
		ranges, most := s.ranges(), 0
		for _, r := range ranges {
			most = max(most, r.size)
		}
		all := make([]Occurrence, most)
		for _, r := range ranges {
			list := all[:r.size]
			s.collect(ctx, list, r)
			s.sort(ctx, list, r)
			if !yield(list) {
				return
			}
		}
	}
}

// cellSorter sorts the k-mers of a corpus by cells, the keys that share their first bits. It counts those of each cell,
// and then a pass over the corpus puts each occurrence into its cell; what is left to sort are cells, which fit the
// caches. Blocks of records have their own places in each cell, so that they are counted and put side by side.
type cellSorter struct {
	corpus  *stringkernel.Corpus
	coder   kmer.Coder
	blocks  []int      // block b is the records blocks[b]…blocks[b+1]−1
	shift   uint       // of a key to its cell
	places  [][]uint32 // by block and cell: its occurrences; once collected, the place after them in the list
	scratch sync.Pool  // *[]Occurrence
}

// Cells have mostCellBits bits, so that a pass writes to few enough places, and of small corpora fewer.
const (
	mostCellBits   = 16
	lettersPerCell = 1024
)

func newCellSorter(ctx context.Context, corpus *stringkernel.Corpus, c kmer.Coder) *cellSorter {
	cellBits := min(mostCellBits, bits.Len(uint(corpus.Letters()/lettersPerCell)))
	cellBits = min(max(cellBits, 1), int(c.Bits)*c.K)
	s := &cellSorter{corpus: corpus, coder: c, shift: c.Bits*uint(c.K) - uint(cellBits)}
	s.blocks = Blocks(corpus, runtime.GOMAXPROCS(0)) // which change no result: the sort is stable
	s.places = make([][]uint32, len(s.blocks)-1)
	for b := range s.places {
		s.places[b] = make([]uint32, 1<<cellBits)
	}
	parallel.EachContext(ctx, len(s.places), func(b int) {
		places := s.places[b]
		s.eachKeys(ctx, b, func(keys []uint64, record uint32) {
			for i, key := range keys {
				if i == 0 || key != keys[i-1] {
					places[key>>(s.shift&63)]++
				}
			}
		})
	})
	return s
}

// Blocks cuts the records of a corpus into at most n blocks of about the same number of letters: block b is
// blocks[b]…blocks[b+1]−1. Corpora of few letters, an entry each,
// are one block.
func Blocks(corpus *stringkernel.Corpus, n int) (blocks []int) {
	n = min(n, corpus.Letters()/serialEntries+1)
	blocks = append(blocks, 0)
	before := 0
	for j := range corpus.Len() {
		if before*n >= len(blocks)*corpus.Letters() && j > blocks[len(blocks)-1] {
			blocks = append(blocks, j)
		}
		before += len(corpus.Seq(j))
	}
	return append(blocks, corpus.Len())
}

// eachKeys calls visit with the k-mers of a block of records, in order, some of one record at a time.
func (s *cellSorter) eachKeys(ctx context.Context, b int, visit func(keys []uint64, record uint32)) {
	var codes []uint64
	for j := s.blocks[b]; j < s.blocks[b+1]; j++ {
		s.coder.EachPiece(&codes, s.corpus.Seq(j), false, func(codes []uint64) {
			cancel.Check(ctx)
			visit(codes, uint32(j))
		})
	}
}

// cellRange is the cells first…last, which have size occurrences.
type cellRange struct {
	first, last, size int
}

// ranges cuts the cells into ranges of about the same number of occurrences.
func (s *cellSorter) ranges() (ranges []cellRange) {
	room := max(WholeLetters, s.corpus.Letters()/keyRanges)
	var r cellRange
	for cell := range s.places[0] {
		size := 0
		for _, places := range s.places {
			size += int(places[cell])
		}
		if r.size > 0 && r.size+size > room {
			ranges = append(ranges, r)
			r = cellRange{first: cell}
		}
		r.size += size
		r.last = cell
	}
	return append(ranges, r)
}

// collect lists the occurrences of a range by cell, and within a cell in order of records and positions.
func (s *cellSorter) collect(ctx context.Context, list []Occurrence, r cellRange) {
	place := uint32(0)
	for cell := r.first; cell <= r.last; cell++ {
		for _, places := range s.places {
			places[cell], place = place, place+places[cell]
		}
	}
	parallel.EachContext(ctx, len(s.places), func(b int) {
		next := s.places[b][r.first : r.last+1]
		s.eachKeys(ctx, b, func(keys []uint64, record uint32) {
			var latest *Occurrence
			for i, key := range keys {
				switch cell := key>>(s.shift&63) - uint64(r.first); {
				case cell >= uint64(len(next)):
				case i > 0 && key == keys[i-1]:
					latest.Count++
				default:
					latest = &list[next[cell]]
					next[cell]++
					*latest = Occurrence{key, record, 1}
				}
			}
		})
	})
}

// sort sorts the cells of a range.
func (s *cellSorter) sort(ctx context.Context, list []Occurrence, r cellRange) {
	ends := s.places[len(s.places)-1][r.first : r.last+1]
	parallel.ForContext(ctx, len(ends), func(lo, hi int) {
		other := scratch.BorrowOf[Occurrence](&s.scratch, 0)
		defer s.scratch.Put(other)
		start := uint32(0)
		if lo > 0 {
			start = ends[lo-1]
		}
		for _, end := range ends[lo:hi] {
			sortOccurrences(ctx, list[start:end], other, s.shift)
			start = end
		}
	})
}

// sortOccurrences sorts by the low keyBits bits of the key, stably: records stay in order among equal keys. A long
// list takes a radix sort from the lowest digit up that skips digits all keys share, O(n · keyBits / mostDigit), with
// as long a scratch list.
func sortOccurrences(ctx context.Context, list []Occurrence, other *[]Occurrence, keyBits uint) {
	const small = 48 // below this, counting digits costs more than inserting
	if len(list) < small {
		insertionSort(list)
		return
	}
	cancel.Check(ctx)
	*other = scratch.Resize(*other, len(list))
	from, to := list, *other
	passes := (keyBits + mostDigit - 1) / mostDigit
	for pass := range passes {
		shift := keyBits * pass / passes
		mask := uint64(1)<<(keyBits*(pass+1)/passes-shift) - 1
		var counts [1 << mostDigit]int
		next := counts[:mask+1]
		for i := range from {
			next[from[i].key>>(shift&63)&mask]++
		}
		if next[from[0].key>>(shift&63)&mask] == len(list) {
			continue
		}
		sum := 0
		for d, n := range next {
			next[d] = sum
			sum += n
		}
		for _, o := range cancel.All(ctx, from) {
			d := o.key >> (shift & 63) & mask
			to[next[d]] = o
			next[d]++
		}
		from, to = to, from
	}
	if &from[0] != &list[0] {
		copy(list, from)
	}
}

// mostDigit is the most bits of a digit: of the lists that are sorted, few are longer than it has values.
const mostDigit = 8

func insertionSort(list []Occurrence) {
	for i := 1; i < len(list); i++ {
		o, at := list[i], i
		for ; at > 0 && list[at-1].key > o.key; at-- {
			list[at] = list[at-1]
		}
		list[at] = o
	}
}
