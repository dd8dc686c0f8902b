package spectrum

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// gram indexes a corpus. By a separable function, short k-mers are in arrays, and long ones of a bounded kernel in one
// list, or products by a suffix tree. All others are sorted.
func (k throughCount) gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	depth := 0 // length up to which k-mers are in arrays
	if k.Count.Separable() {
		depth = gramDepth(Kernel(k), c.Letters())
	}
	if depth == 0 || !k.Bounded {
		return k.sortedGram(ctx, c, depth)
	}
	if Kernel(k).byTree(c, depth) {
		if err := k.checkIndex(c, false, k.K-depth); err != nil {
			return nil, err
		}
		return Kernel(k).treeGram(ctx, c, func(ctx context.Context) *gram { return k.gramByLength(ctx, c, depth) })
	}
	if err := k.checkIndex(c, depth == k.K, 0); err != nil {
		return nil, err
	}
	return k.listGram(ctx, c, depth), nil
}

// LongGram is Gram by counts through a function for others that have the same features in models of their own, such as
// package substring: k-mers may be of up to 64 bits (dna: 32 letters), where Check and models of this package have
// room for twelve letters. It returns nil unless the kernel is Bounded and of nucleotides, whose long k-mers are in one
// list, which takes less time than a suffix tree. The diagonal has not the bits of the others' SelfEval.
func (k Kernel) LongGram(ctx context.Context, c *stringkernel.Corpus) (matrix stringkernel.Gram, err error) {
	defer cancel.Catch(&err)
	depth, through := gramDepth(k, c.Letters()), throughCount(k)
	if !k.Count.Separable() || !k.Bounded || c.Len() >= mostDocuments || k.byTree(c, depth) {
		return nil, nil
	}
	if err := through.checkIndex(c, depth == k.K, 0); err != nil {
		return nil, err
	}
	return matrixAlone{through.listGram(ctx, c, depth)}, nil
}

// matrixAlone is a matrix for kernels whose k(x, x) has other last bits.
type matrixAlone struct{ *gram }

func (matrixAlone) SelfValues() compose.SelfValues { return nil }

// listGram makes the matrix of a bounded kernel: k-mers of up to depth letters are in arrays, longer ones in a list.
func (k throughCount) listGram(ctx context.Context, c *stringkernel.Corpus, depth int) *gram {
	g, records := &gram{diag: make([]float64, c.Len())}, k.records(c)
	if depth < k.K { // first, since it sorts
		g.parts = append(g.parts, newPrefixPart(ctx, Kernel(k), records, depth))
	}
	g.parts = append(g.parts, k.foldPart(ctx, records, depth, g.diag))
	return g
}

// gramByLength makes the matrix of a bounded kernel for rows of records that repeat many k-mers: those of up to depth
// letters are in arrays, longer ones in a list for each length.
func (k throughCount) gramByLength(ctx context.Context, c *stringkernel.Corpus, depth int) *gram {
	f, err := k.sortedPart(ctx, c, depth+1)
	if err != nil {
		panic(err.Error()) // more features, or different counts, than so few letters have
	}
	g := &gram{diag: make([]float64, c.Len()), parts: []part{f}}
	g.parts = append(g.parts, k.foldPart(ctx, c, depth, g.diag))
	return g
}

// sortedGram makes the matrix of k-mers that are sorted by length, or in a table where depth and their number allow.
func (k throughCount) sortedGram(ctx context.Context, c *stringkernel.Corpus, depth int) (stringkernel.Gram, error) {
	if err := k.checkIndex(c, depth == k.K, Kernel(k).lengths()); err != nil {
		return nil, err
	}
	g, records := &gram{diag: make([]float64, c.Len())}, k.records(c)
	if depth > 0 {
		if f := k.tablePart(ctx, records, g.diag); f != nil {
			g.parts = append(g.parts, f)
			return g, nil
		}
		if err := Kernel(k).checkSorted(c, false); err != nil {
			return nil, err
		}
	}
	f, err := k.sortedPart(ctx, records, Kernel(k).shortest())
	if err != nil {
		return nil, err
	}
	g.parts = append(g.parts, f)
	parallel.EachContext(ctx, c.Len(), func(j int) { g.diag[j] = k.self(ctx, c.Seq(j)) })
	return g, nil
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

// sortedPart sorts the k-mers of all lengths from shortest on. Those that several records have become features: of
// presence one each, of the root and the logarithm one with values, of χ² one for each distinct count, between which a
// product goes over all pairs, of the minimum one for each occurrence or, where these are many, the same as of χ².
func (k throughCount) sortedPart(ctx context.Context, records *stringkernel.Corpus, shortest int) (*flatPart, error) {
	b := &countedBuilder{f: k.Count, own: make([]float64, records.Len()), sizes: make([]int, records.Len()),
		once: make([]int, records.Len())}
	b.values.of, b.square = k.Count.Of, countof.Square(k.Count)
	if k.Count == stringkernel.CountChi2 || k.Count == stringkernel.CountMin && k.Bounded {
		b.pairs = &countPairs{f: k.Count, starts: []uint32{0}}
	}
	for _, kmers := range k.kmers(ctx, records, shortest) {
		for _, h := range kmers {
			if err := b.add(h); err != nil {
				return nil, err
			}
		}
	}
	return b.part(ctx), nil
}

// checkIndex returns an error if the index of a corpus, made by sorting or in tables, would take too much memory. lists
// is the number of lengths with a list of their own; of the others, repeats are listed.
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
	once     []int     // and those of count 1
	features int
	entries  chunks[entry]
	values   valueTable
	pairs    *countPairs // nil: features are orthonormal

	square   func(n uint32) float64 // what a count adds to k(x, x)
	*holding                        // the k-mer at hand
}

// entry is a feature of a record.
type entry struct {
	doc, feature uint32
	value        uint16 // its place in the table of values
}

// add adds a k-mer.
func (b *countedBuilder) add(h *holding) error {
	if len(h.docs) == 1 {
		b.own[h.docs[0]] += b.square(uint32(h.counts[0]))
		return nil
	}
	b.holding = h
	return b.share()
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
	if value == 1 {
		b.once[b.docs[i]]++
	}
}

// part lists the features by record.
func (b *countedBuilder) part(ctx context.Context) *flatPart {
	valued := b.f.Separable() && b.f != stringkernel.CountPresence && b.features > 0
	inc, next := newReserved(b.features, b.sizes, valued)
	if valued {
		inc.values, inc.once = b.values.list, inc.placesAfter(b.once)
	}
	repeated := slices.Clone(inc.once) // of valued ones, where the next entry of another count goes
	for e := range b.entries.drain(ctx) {
		at := &next[e.doc]
		if valued && e.value != 1 {
			at = &repeated[e.doc]
		}
		*at = inc.put(*at, e.feature, 1)
		if valued {
			inc.counts[*at-1] = e.value
		}
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
