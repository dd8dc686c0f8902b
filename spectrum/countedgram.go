package spectrum

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// gram indexes a corpus. By a separable function, short k-mers are in arrays. All others are sorted.
func (k throughCount) gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	depth := 0 // length up to which k-mers are in arrays
	if k.Count.Separable() {
		depth = gramDepth(Kernel(k), c.Letters())
	}
	g, err := k.index(ctx, c, depth, k.lists(ctx, c, depth))
	if err != nil {
		return nil, err
	}
	return g, nil
}

// LongGram is Gram by counts through a function for others that have the same features in models of their own, such as
// package substring: k-mers may be of up to 64 bits (dna: 32 letters), where Check and models of this package have
// room for twelve letters. It returns nil unless the kernel is Bounded and the long k-mers of all lengths are in one
// list, which takes less time than a suffix tree: records that repeat many of them need a list for each length. The
// diagonal has not the bits of the others' SelfEval.
func (k Kernel) LongGram(ctx context.Context, c *stringkernel.Corpus) (matrix stringkernel.Gram, err error) {
	defer cancel.Catch(&err)
	if !k.Count.Separable() || !k.Bounded || c.Len() >= mostDocuments {
		return nil, nil
	}
	depth, through := gramDepth(k, c.Letters()), throughCount(k)
	if depth == 0 || through.lists(ctx, c, depth) > 0 {
		return nil, nil
	}
	g, err := through.index(ctx, c, depth, 0)
	if err != nil {
		return nil, err
	}
	return matrixAlone{g}, nil
}

// matrixAlone is a matrix for kernels whose k(x, x) has other last bits.
type matrixAlone struct{ *gram }

func (matrixAlone) SelfValues() compose.SelfValues { return nil }

// index makes the matrix: k-mers of up to depth letters are in arrays, and as many of the greatest lengths as lists says
// in a list each. See the method lists.
func (k throughCount) index(ctx context.Context, c *stringkernel.Corpus, depth, lists int) (*gram, error) {
	if err := k.checkIndex(c, depth == k.K, lists); err != nil {
		return nil, err
	}
	g, records := &gram{diag: make([]float64, c.Len())}, k.records(c)
	if depth > 0 && !k.Bounded {
		if f := k.tablePart(ctx, records, g.diag); f != nil {
			g.parts = append(g.parts, f)
			return g, nil
		}
		depth = 0
		if err := Kernel(k).checkSorted(c, false); err != nil {
			return nil, err
		}
	}
	switch {
	case lists > 0:
		f, err := k.sortedPart(ctx, records, k.K-lists+1)
		if err != nil {
			return nil, err
		}
		g.parts = append(g.parts, f)
	case depth < k.K:
		g.parts = append(g.parts, newPrefixPart(ctx, Kernel(k), records, depth))
	}
	if depth > 0 {
		g.parts = append(g.parts, k.foldPart(ctx, records, depth, g.diag))
	} else {
		parallel.EachContext(ctx, c.Len(), func(j int) { g.diag[j] = k.self(ctx, c.Seq(j)) })
	}
	return g, nil
}

// lists returns how many lengths of k-mers, but for those of up to depth letters in arrays, are sorted one by one, each
// k-mer once for a record. Of a bounded kernel with arrays the others are in a list of all positions, and repeats
// beside it, unless they are many.
func (k throughCount) lists(ctx context.Context, c *stringkernel.Corpus, depth int) int {
	switch {
	case !k.Bounded || depth == 0:
		return Kernel(k).lengths()
	case depth == k.K || k.repeatedShare(ctx, c, depth) < mostRepeated:
		return 0
	}
	return k.K - depth
}

// mostRepeated is the share of repeats from which lists by length are faster: DNA has 0.01 in records of 20,000 bases
// and 0.05 in those of 100,000, text of 600 letters 0.13 to 0.2.
const mostRepeated = 1.0 / 12

// repeatedShare returns the number of k-mers of more than depth letters that some records from everywhere in the corpus
// repeat, for each position and length.
func (k throughCount) repeatedShare(ctx context.Context, corpus *stringkernel.Corpus, depth int) float64 {
	const most = 32
	n, coder := corpus.Len(), newCoder(k.Alphabet, k.K)
	some := min(n, most)
	repeats, places := 0, 1
	c := counters.Get().(*counter)
	for i := range some {
		c.findRepeats(ctx, &coder, 1, k.record(corpus.Seq(i*n/some)))
		repeats += len(c.repeats) - len(upTo(c.repeats, depth))
		places += len(c.codes) + len(c.tails)
	}
	counters.Put(c)
	return float64(repeats) / float64(places*(k.K-depth))
}

// foldPart indexes the k-mers of 1…depth letters, and writes k(x, x) by those of all lengths to diag.
func (k throughCount) foldPart(
	ctx context.Context, records *stringkernel.Corpus, depth int, diag []float64,
) *foldPart {
	f := newFoldPart(ctx, Kernel{K: depth, Bounded: true, Alphabet: k.Alphabet}, records)
	f.scale = k.Count.Pair(1, 1)
	f.more = k.listSurplus(ctx, records, f.steps, diag)
	return f
}

// sortedPart sorts the k-mers of each length from shortest on. Those that several records have become features: of
// presence one each, of the root and the logarithm one with values, of χ² one for each distinct count, between which a
// product goes over all pairs, of the minimum one for each occurrence or, where these are many, the same as of χ².
func (k throughCount) sortedPart(ctx context.Context, records *stringkernel.Corpus, shortest int) (*flatPart, error) {
	b := &countedBuilder{f: k.Count, own: make([]float64, records.Len()), sizes: make([]int, records.Len())}
	b.values.of = k.Count.Of
	if k.Count.Separable() {
		b.squares = countof.New(k.Count)
	}
	if k.Count == stringkernel.CountChi2 || k.Count == stringkernel.CountMin && k.Bounded {
		b.pairs = &countPairs{f: k.Count, starts: []uint32{0}}
	}
	for length := shortest; length <= k.K; length++ {
		coder := newCoder(k.Alphabet, length)
		for list := range sortedOccurrences(ctx, records, coder, length) {
			if err := b.add(ctx, list); err != nil {
				return nil, err
			}
		}
		collectAfter(records)
	}
	return b.part(ctx), nil
}

// checkIndex returns an error if the index of a corpus, made by sorting or in tables, would take too much memory: lists
// for so many lengths, and the repeats of all other lengths.
func (k throughCount) checkIndex(c *stringkernel.Corpus, table bool, lists int) error {
	if err := Kernel(k).checkSorted(c, table); err != nil {
		return err
	}
	strands := 1.0
	if k.rc {
		strands = 2
	}
	perLetter := strands * (float64(18*lists+3*(Kernel(k).lengths()-lists)) + Kernel(k).indexBytes(false, c.Letters()))
	if err := stringkernel.CheckIndex(c, perLetter); err != nil {
		return fmt.Errorf("spectrum: %w", err)
	}
	return nil
}

// countedBuilder collects the features of k-mers.
type countedBuilder struct {
	f        stringkernel.Count
	own      []float64 // of each record, what k-mers of it alone add to k(x, x)
	sizes    []int     // of each record, its entries
	features int
	entries  chunks[entry]
	values   valueTable
	pairs    *countPairs // nil: features are orthonormal

	squares countof.Values // if the function is separable
	holding                // the k-mer at hand
}

// entry is a feature of a record.
type entry struct {
	doc, feature uint32
	value        uint16 // its place in the table of values
}

// add adds sorted k-mers, greater than those before of their length.
func (b *countedBuilder) add(ctx context.Context, list []occurrence) error {
	for range b.each(ctx, list) {
		if len(b.docs) == 1 {
			b.own[b.docs[0]] += b.square(b.counts[0])
			continue
		}
		if err := b.share(); err != nil {
			return err
		}
	}
	return nil
}

// square returns what the function makes of a count and the same one.
func (b *countedBuilder) square(n int) float64 {
	if b.f.Separable() {
		return b.squares.Square(uint32(n))
	}
	return b.f.Pair(n, n)
}

// holding is the documents that have a k-mer, in order, and how often each has it.
type holding struct {
	docs   []uint32
	counts []int
	sorted []int
}

// each yields the k-mers of sorted occurrences, each while h is what holds it.
func (h *holding) each(ctx context.Context, list []occurrence) iter.Seq[uint64] {
	return func(yield func(code uint64) bool) {
		for lo, hi := 0, 0; lo < len(list); lo = hi {
			key := list[lo].key
			h.docs, h.counts = h.docs[:0], h.counts[:0]
			for ; hi < len(list) && list[hi].key == key; hi++ {
				o := &list[hi]
				if last := len(h.docs) - 1; last >= 0 && h.docs[last] == o.doc {
					h.counts[last] += int(o.count)
					continue
				}
				h.docs = append(h.docs, o.doc)
				h.counts = append(h.counts, int(o.count))
			}
			if lo == 0 || lo/leastStretch != hi/leastStretch {
				cancel.Check(ctx)
			}
			if !yield(key) {
				return
			}
		}
	}
}

// distinct returns the distinct counts, ascending, in a list to write over.
func (h *holding) distinct() []int {
	h.sorted = append(h.sorted[:0], h.counts...)
	slices.Sort(h.sorted)
	return slices.Compact(h.sorted)
}

// share makes features of a k-mer that several records have.
func (b *countedBuilder) share() error {
	switch {
	case b.f == stringkernel.CountPresence:
		for i := range b.docs {
			b.put(i, 0, 0)
		}
		b.features++
	case b.pairs != nil:
		distinct := b.distinct()
		for i, n := range b.counts {
			at, _ := slices.BinarySearch(distinct, n)
			b.put(i, at, 0)
		}
		b.pairs.add(b.features, distinct)
		b.features += len(distinct)
	case b.f == stringkernel.CountMin:
		b.sorted = append(b.sorted[:0], b.counts...)
		slices.Sort(b.sorted)
		second := b.sorted[len(b.sorted)-2] // occurrences beyond it are of one record alone
		for i, n := range b.counts {
			for t := range min(n, second) {
				b.put(i, t, 0)
			}
			b.own[b.docs[i]] += float64(max(0, n-second))
		}
		b.features += second
	default:
		for i, n := range b.counts {
			value, err := b.values.place(n)
			if err != nil {
				return err
			}
			b.put(i, 0, value)
		}
		b.features++
	}
	if b.features > math.MaxInt32 {
		return fmt.Errorf("spectrum: more than %d features by count=%s, want a shorter k", math.MaxInt32, b.f)
	}
	return nil
}

// put gives record i of those at hand a feature beyond those there are.
func (b *countedBuilder) put(i, feature int, value uint16) {
	b.entries.add(entry{b.docs[i], uint32(b.features + feature), value})
	b.sizes[b.docs[i]]++
}

// part lists the features by record.
func (b *countedBuilder) part(ctx context.Context) *flatPart {
	valued := b.f.Separable() && b.f != stringkernel.CountPresence
	inc, next := newReserved(b.features, b.sizes, valued)
	for e := range b.entries.drain(ctx) {
		at := next[e.doc]
		next[e.doc] = inc.put(at, e.feature, 1)
		if valued {
			inc.counts[at] = e.value
		}
	}
	if valued {
		inc.values = b.values.list
	}
	f := newFlatPart(b.features, inc)
	f.own = b.own
	if b.pairs != nil {
		f.pairs, f.byFeature = b.pairs, false
	}
	return f
}

// valueTable lists values of counts: small counts are at their places, larger ones follow as they are met.
type valueTable struct {
	of     func(n int) float64
	list   []float64
	larger map[int]uint16
}

// place returns the place of the value of a count.
func (v *valueTable) place(n int) (uint16, error) {
	if n < smallCounts {
		for len(v.list) <= n {
			v.list = append(v.list, v.of(len(v.list)))
		}
		return uint16(n), nil
	}
	if at, known := v.larger[n]; known {
		return at, nil
	}
	if v.larger == nil {
		v.larger = map[int]uint16{}
	}
	at := smallCounts + len(v.larger)
	if at > maxCount {
		return 0, fmt.Errorf("spectrum: k-mers occur in records in more than %d different numbers, want shorter records",
			maxCount)
	}
	for len(v.list) < smallCounts {
		v.list = append(v.list, v.of(len(v.list)))
	}
	v.list, v.larger[n] = append(v.list, v.of(n)), uint16(at)
	return uint16(at), nil
}

// countPairs are features that are distinct counts of a k-mer: by a function that is not separable, a product goes over
// all pairs of them. A k-mer that no record has twice is a feature like any other, and left out.
type countPairs struct {
	f      stringkernel.Count
	firsts []uint32 // of each k-mer, its first feature
	starts []uint32 // of each k-mer, the place of its first count, and at last the number of all
	counts []int32  // ascending for each k-mer
}

// add adds the distinct counts of a k-mer whose features begin with the given one.
func (p *countPairs) add(first int, counts []int) {
	if len(counts) == 1 && counts[0] == 1 {
		return
	}
	p.firsts = append(p.firsts, uint32(first))
	for _, n := range counts {
		p.counts = append(p.counts, int32(n))
	}
	p.starts = append(p.starts, uint32(len(p.counts)))
}

// of returns the counts of k-mer w.
func (p *countPairs) of(w int) []int32 { return p.counts[p.starts[w]:p.starts[w+1]] }

// mix replaces the sums of coefficients of the counts of each k-mer, s_b, by Σ_b s_b·g(a, b). O(Σ d²) for d distinct
// counts of a k-mer.
func (p *countPairs) mix(t []float64) {
	parallel.For(len(p.firsts), func(lo, hi int) {
		var sums []float64
		for w := lo; w < hi; w++ {
			counts := p.of(w)
			t := t[p.firsts[w]:][:len(counts)]
			sums = append(sums[:0], t...)
			for i, a := range counts {
				t[i] = 0
				for j, b := range counts {
					t[i] += float64(sums[j] * p.f.Pair(int(a), int(b)))
				}
			}
		}
	})
}

// row adds column i, by the postings of the features that make pairs with those of document i.
func (p *countPairs) row(dst []float64, lists *postings, inc *incidence, i int) {
	countBits := lists.countBits & 31
	add := func(feature uint32, value float64) {
		for _, posting := range lists.classes[0].list(int(feature)) {
			dst[posting>>countBits] += value
		}
	}
	lo, hi := inc.bounds(i)
	for e := lo; e < hi; e++ {
		feature, _ := inc.entry(e)
		w := sort.Search(len(p.firsts), func(w int) bool { return p.firsts[w] > feature }) - 1
		if w < 0 || int(feature-p.firsts[w]) >= len(p.of(w)) {
			add(feature, 1)
			continue
		}
		counts, first := p.of(w), p.firsts[w]
		for other, b := range counts {
			add(first+uint32(other), p.f.Pair(int(counts[feature-first]), int(b)))
		}
	}
}
