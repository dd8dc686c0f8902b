package spectrum

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// gram indexes a corpus. Short k-mers are in arrays, and long ones of a bounded kernel in one list, or products by a
// suffix tree. All others are sorted.
func (k throughCount) gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	depth := gramDepth(Kernel(k), c.Letters()) // length up to which k-mers are in arrays
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
	if !k.Bounded || c.Len() >= mostDocuments || k.byTree(c, depth) {
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

// sortedPart sorts the k-mers of all lengths from shortest on. Those that several records have become features, with
// values by all functions but presence.
func (k throughCount) sortedPart(ctx context.Context, records *stringkernel.Corpus, shortest int) (*flatPart, error) {
	b := &countedBuilder{f: k.Count, own: make([]float64, records.Len()), sizes: make([]int, records.Len()),
		once: make([]int, records.Len())}
	b.values.of, b.of = k.Count.Of, countof.New(k.Count)
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

	of       countof.Values
	*holding // the k-mer at hand
}

// entry is a feature of a record.
type entry struct {
	doc, feature uint32
	value        uint16 // its place in the table of values
}

// add adds a k-mer.
func (b *countedBuilder) add(h *holding) error {
	if len(h.docs) == 1 {
		b.own[h.docs[0]] += b.of.Square(uint32(h.counts[0]))
		return nil
	}
	b.holding = h
	return b.share()
}

// share makes features of a k-mer that several records have.
func (b *countedBuilder) share() error {
	for i, n := range b.counts {
		value := uint16(0)
		if b.f != stringkernel.CountPresence {
			var err error
			if value, err = b.values.place(n); err != nil {
				return err
			}
		}
		b.put(i, value)
	}
	b.features++
	if b.features > math.MaxInt32 {
		return fmt.Errorf("spectrum: more than %d features by count=%s, want a shorter k", math.MaxInt32, b.f)
	}
	return nil
}

// put gives record i of those at hand the next feature.
func (b *countedBuilder) put(i int, value uint16) {
	b.entries.add(entry{b.docs[i], uint32(b.features), value})
	b.sizes[b.docs[i]]++
	if value == 1 {
		b.once[b.docs[i]]++
	}
}

// part lists the features by record.
func (b *countedBuilder) part(ctx context.Context) *flatPart {
	valued := b.f != stringkernel.CountPresence && b.features > 0
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
