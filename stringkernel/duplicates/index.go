package duplicates

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/seqsvm/seqsvm/internal/ends"
	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// mostIndexed is the number of letters above which only some of the words are indexed.
const mostIndexed = 1 << 26

// index is an inverted index of the words that several records share.
type index struct {
	coder   coder
	corpus  *stringkernel.Corpus
	records []int32 // the records that the numbers below mean: those that equal none before them
	size    []int32 // |W| of each
	kept    []int32 // how many of these words are indexed
	drop    uint    // a word is indexed if that many bits of its hash are 0

	runEnds []int   // run r, a word, is in members[runEnds[r−1]:runEnds[r]]
	members []int32 // in order

	listEnds []int   // words of number x, the rarest first: runs[listEnds[x−1]:listEnds[x]]
	runs     []int32 // none for an x that shares fewer words than would make a near-duplicate
}

// newIndex indexes the words of records, or of more than mostIndexed letters some of them.
func newIndex(ctx context.Context, c *stringkernel.Corpus, records []int32, f Finder, mostIndexed int) (*index, error) {
	x := &index{coder: newCoder(f.Alphabet), corpus: c, records: records, size: make([]int32, len(records)),
		kept: make([]int32, len(records))}
	for letters := c.Letters(); letters>>x.drop > mostIndexed; {
		x.drop++
	}
	keys, numberBits, err := x.sortedKeys(ctx)
	if err != nil {
		return nil, err
	}
	x.makeRuns(keys, numberBits)
	return x, x.makeLists(ctx, f.Similarity)
}

// indexed reports whether a word goes into the index.
func (x *index) indexed(code uint64) bool { return hash.SplitMix(code)>>(64-x.drop) == 0 }

// each calls use with the distinct words of each record, on all processors.
func (x *index) each(ctx context.Context, use func(i int, words []uint64)) error {
	const block = 256
	n := len(x.records)
	return parallel.Do(ctx, (n+block-1)/block, func(b int) error {
		var set wordSet
		var codes []uint64
		for i := b * block; i < min(n, (b+1)*block); i++ {
			codes = x.coder.append(codes[:0], x.corpus.Seq(int(x.records[i])))
			if len(codes) > mostHashed {
				use(i, x.coder.sort(codes))
			} else {
				use(i, set.fill(codes))
			}
		}
		return nil
	})
}

// sortedKeys returns a key for every word of every record, with the number of the record in the low bits: the code of
// the word or, for bytes, as much of a hash as there is room for, above. Keys are sorted.
func (x *index) sortedKeys(ctx context.Context) (keys []uint64, numberBits uint, err error) {
	err = x.each(ctx, func(i int, words []uint64) {
		x.size[i] = int32(len(words))
		for _, code := range words {
			if x.indexed(code) {
				x.kept[i]++
			}
		}
	})
	if err != nil {
		return nil, 0, err
	}
	starts := make([]int, len(x.records)+1)
	for i, n := range x.kept {
		starts[i+1] = starts[i] + int(n)
	}
	keys = make([]uint64, starts[len(x.records)])
	numberBits = uint(bits.Len(uint(len(x.records))))
	// four digits to sort by; two of ten million words share a hash now and then, which costs a comparison
	const mostHashBits = 44
	wordBits := min(x.coder.Bits*uint(x.coder.K), 64-numberBits, mostHashBits)
	err = x.each(ctx, func(i int, words []uint64) {
		at := starts[i]
		for _, code := range words {
			if !x.indexed(code) {
				continue
			}
			if x.coder.Bits == 8 {
				code = hash.SplitMix(code) & (1<<wordBits - 1)
			}
			keys[at] = code<<numberBits | uint64(i)
			at++
		}
	})
	if err != nil {
		return nil, 0, err
	}
	var space []uint64
	kmer.Sort(keys, numberBits, numberBits+wordBits, &space) // numbers are in order
	return keys, numberBits, nil
}

// makeRuns keeps the words that several records have.
func (x *index) makeRuns(keys []uint64, numberBits uint) {
	shared, runs := 0, 0
	eachRun(keys, numberBits, func(run []uint64) { shared += len(run); runs++ })
	x.members, x.runEnds = make([]int32, 0, shared), make([]int, 0, runs)
	eachRun(keys, numberBits, func(run []uint64) {
		for _, key := range run {
			x.members = append(x.members, int32(key&(1<<numberBits-1)))
		}
		x.runEnds = append(x.runEnds, len(x.members))
	})
}

// eachRun calls visit for the keys of each word that has several.
func eachRun(keys []uint64, numberBits uint, visit func(run []uint64)) {
	for lo := 0; lo < len(keys); {
		hi := lo + 1
		for hi < len(keys) && keys[hi]>>numberBits == keys[lo]>>numberBits {
			hi++
		}
		if hi-lo > 1 {
			visit(keys[lo:hi])
		}
		lo = hi
	}
}

// run returns the members of a word that several records have.
func (x *index) run(r int32) []int32 {
	lo, hi := ends.Bounds(x.runEnds, int(r))
	return x.members[lo:hi]
}

// list returns the words of number i that are to be looked up, the rarest first.
func (x *index) list(i int) []int32 {
	lo, hi := ends.Bounds(x.listEnds, i)
	return x.runs[lo:hi]
}

// makeLists lists, for each record, the words to look up.
func (x *index) makeLists(ctx context.Context, t float64) error {
	n := len(x.records)
	shared := make([]int32, n)
	for _, i := range x.members {
		shared[i]++
	}
	x.listEnds = make([]int, n)
	starts, sum := make([]int, n), 0
	for i := range n {
		starts[i] = sum
		if need := needed(t, x.kept[i]); x.kept[i] > 0 && shared[i] >= need {
			sum += int(shared[i])
		}
		x.listEnds[i] = sum
	}
	x.runs = make([]int32, sum)
	for r := range x.runEnds {
		for _, i := range x.run(int32(r)) {
			if starts[i] < x.listEnds[i] {
				x.runs[starts[i]] = int32(r)
				starts[i]++
			}
		}
	}
	const block = 256
	return parallel.Do(ctx, (n+block-1)/block, func(b int) error {
		var keys []uint64
		for i := b * block; i < min(n, (b+1)*block); i++ {
			keys = x.sortByMembers(x.list(i), keys[:0])
		}
		return nil
	})
}

// sortByMembers puts runs in the order of their sizes, then their numbers. keys is scratch.
func (x *index) sortByMembers(runs []int32, keys []uint64) []uint64 {
	for _, r := range runs {
		keys = append(keys, uint64(len(x.run(r)))<<32|uint64(r))
	}
	slices.Sort(keys)
	for j, key := range keys {
		runs[j] = int32(uint32(key))
	}
	return keys
}

// needed returns the number of words, of n, that make a share of t.
func needed(t float64, n int32) int32 {
	const slack = 1e-9 // of a product that is whole but for rounding
	return max(1, int32(math.Ceil(float64(t*float64(n))-slack)))
}
