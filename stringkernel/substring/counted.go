package substring

import (
	"context"
	"fmt"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/simd"
	"github.com/seqsvm/seqsvm/internal/streams"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/suffix"
)

// throughCount is the kernel whose counts are seen through a function: every method of Kernel for one that is not
// linear in counts. What a separable function g makes of the occurrences of a document below a node is a sum over the
// leaves and the lowest common ancestors of its leaves below: g(c) less what the children have, where the c leaves of
// an ancestor are those of its children together (Hui 1992, where g is 1). Of both strands, x and its reverse
// complement are one record with a break between.
type throughCount Kernel

// record returns what substrings of x are counted in.
func (k throughCount) record(x []byte) []byte {
	if !k.rc {
		return x
	}
	both := make([]byte, 2*len(x)+1) // 0 is no nucleotide
	copy(both, x)
	k.Alphabet.ReverseComplementTo(both[len(x)+1:len(x)+1], x)
	return both
}

// records returns a corpus of the records.
func (k throughCount) records(c *stringkernel.Corpus) *stringkernel.Corpus {
	if !k.rc {
		return c
	}
	var b stringkernel.CorpusBuilder
	b.Grow(c.Len(), 2*c.Letters()+c.Len())
	for i := range c.Len() {
		b.Add(c.Name(i), k.record(c.Seq(i)))
	}
	return b.Corpus()
}

// ofRecords returns the kernel of records.
func (k throughCount) ofRecords() Kernel {
	k.rc = false
	return Kernel(k)
}

// squares returns k(x, x) by the tree of x and the weights of the prefixes of its strings.
func (k throughCount) squares(t *ownTree, nodes, leaves []float64) (sum float64) {
	square := k.square()
	for v := 1; v < t.Len(); v++ {
		sum += float64(square(uint32(t.Hi[v]-t.Lo[v])) * (nodes[v] - nodes[t.Parent[v]]))
	}
	one := square(1)
	for r, v := range t.Leaf {
		sum += float64(one * (leaves[r] - nodes[v]))
	}
	return sum
}

// square returns what counts add to k(x, x).
func (k throughCount) square() func(n uint32) float64 {
	if !k.Count.Separable() {
		return func(n uint32) float64 { return k.Count.Pair(int(n), int(n)) }
	}
	g := countof.New(k.Count)
	return g.Square
}

// share is what a document adds at a node.
type share struct {
	node, doc int32
	value     float64
}

// sharesOf lists, for the first n documents of a tree, values at nodes: those of a document at and below a node sum to
// g of its occurrences there.
func sharesOf(ctx context.Context, t *suffix.Tree, n int, f stringkernel.Count) (list []share) {
	g := countof.New(f)
	list = make([]share, 0, 2*t.Ranks()) // each join has two children at least
	type join struct {
		node   int32
		leaves uint32
		below  float64 // Σ g over the children that are complete
	}
	open := make([][]join, n)         // of each document, joins that are not complete, the deepest last
	latest := make([]join, n)         // the child that is complete last
	complete := func(doc, to int32) { // those below depth to
		stack, child := open[doc], latest[doc]
		for len(stack) > 0 && t.Depth[stack[len(stack)-1].node] > to {
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			top.leaves += child.leaves
			top.below += g.At(child.leaves)
			if value := g.At(top.leaves) - top.below; value != 0 {
				list = append(list, share{top.node, doc, value})
			}
			child = top
		}
		open[doc], latest[doc] = stack, child
	}
	t.EachJoin(0, n, func(rank, doc, at int32) {
		if rank%(1<<12) == 0 {
			cancel.Check(ctx)
		}
		if at >= 0 {
			complete(doc, t.Depth[at])
			stack, child := open[doc], latest[doc]
			if len(stack) == 0 || stack[len(stack)-1].node != at {
				stack = append(stack, join{node: at})
			}
			top := &stack[len(stack)-1]
			top.leaves += child.leaves
			top.below += g.At(child.leaves)
			open[doc] = stack
		}
		list = append(list, share{t.Leaf[rank], doc, g.At(1)})
		latest[doc] = join{leaves: 1}
	})
	for doc := range open {
		complete(int32(doc), -1)
	}
	return list
}

// checkShares returns an error if the tree of a text and the values at its nodes would take too much memory: 120 bytes
// per symbol at the peak, as measured.
func checkShares(c *stringkernel.Corpus, symbols int) error {
	return stringkernel.CheckIndex(c, 120*float64(symbols)/float64(max(1, c.Letters())))
}

// gram indexes a corpus: the tree of raw counts with values at its nodes.
func (k throughCount) gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	if err := Kernel(k).Check(); err != nil {
		return nil, err
	}
	kernel, records := k.ofRecords(), k.records(c)
	e := newEncoding(kernel, records)
	build := newCountedGram[uint8]
	if e.wide() {
		build = newCountedGram[int32]
	}
	g, err := build(ctx, kernel, records, e)
	if err != nil {
		return nil, fmt.Errorf("substring: %w", err)
	}
	return g, nil
}

// countedGram is the operator v ↦ K·v: the values of documents, times v, are summed up the tree, weighed and summed
// down.
type countedGram struct {
	diag, own []float64
	parent    []int32
	omega     []float64
	shares    []share
	sums      sync.Pool // *[]float64, one per node
	blocks    sync.Pool // *[]simd.Lanes
}

func newCountedGram[S suffix.Symbol](ctx context.Context, k Kernel, c *stringkernel.Corpus, e *encoding) (
	stringkernel.Gram, error) {
	text, err := newText[S](ctx, e, c)
	if err != nil {
		return nil, err
	}
	weights := k.lengthWeights(k.longest(c))
	if err := checkShares(c, len(text.Symbols)); err != nil {
		return nil, err
	}
	tree, err := suffix.NewTree(ctx, text, int(weights.bound))
	if err != nil {
		return nil, err
	}
	rest := make([]int32, tree.Ranks())
	text.RestTo(rest, tree.SA)
	n := c.Len()
	s := keepShared(ctx, tree, newEdgeWeights(k, &weights, tree, n, nil), rest, n, throughCount(k).square())
	if !k.Count.Separable() {
		return s.occurrenceGram(ctx, tree, k.Count)
	}
	g := &countedGram{diag: make([]float64, n), own: s.own, parent: s.parent, omega: s.omega}
	g.shares = s.sharesOf(ctx, tree, k.Count)
	return g, k.selfEvalAll(ctx, g.diag, c)
}

// sharesOf lists the shares of documents at the nodes.
func (s *sharedNodes) sharesOf(ctx context.Context, t *suffix.Tree, f stringkernel.Count) []share {
	list := sharesOf(ctx, t, len(s.own), f)
	kept := list[:0]
	for _, x := range list {
		if x.node = s.number[x.node]; x.node != 0 {
			kept = append(kept, x)
		}
	}
	return kept
}

// Len returns the number of documents.
func (g *countedGram) Len() int { return len(g.diag) }

// Diag copies what indexing computed.
func (g *countedGram) Diag(dst []float64) { copy(dst, g.diag) }

// Row is the product with a unit vector.
func (g *countedGram) Row(dst []float64, i int) {
	v := make([]float64, g.Len())
	v[i] = 1
	g.MulVecTo(dst, v)
}

// MulVecTo writes K·v.
func (g *countedGram) MulVecTo(dst, v []float64) {
	space := scratch.Borrow(&g.sums, len(g.parent))
	defer g.sums.Put(space)
	sums := *space
	clear(sums)
	for _, x := range g.shares {
		sums[x.node] += float64(v[x.doc] * x.value)
	}
	for t := len(sums) - 1; t > 0; t-- {
		sums[g.parent[t]] += sums[t]
	}
	sums[0] = 0
	for t := 1; t < len(sums); t++ {
		sums[t] = sums[g.parent[t]] + float64(g.omega[t]*sums[t])
	}
	for d, own := range g.own {
		dst[d] = float64(own * v[d])
	}
	for _, x := range g.shares {
		dst[x.doc] += float64(x.value * sums[x.node])
	}
}

// MulBlockTo writes K·v[m] into dst[m] for every m, to the same bits as MulVecTo: four vectors in each pass over the
// values; one or two that are left, one by one.
func (g *countedGram) MulBlockTo(dst, v [][]float64) {
	const least = 3
	streams.Blocks{
		Own: g.own, Least: least, Space: len(g.parent), One: g.MulVecTo, Four: g.addFour,
	}.MulBlockTo(dst, v, &g.blocks)
}

// addFour adds what MulVecTo does, of four vectors.
func (g *countedGram) addFour(dst, v, sums []simd.Lanes) {
	clear(sums)
	for _, x := range g.shares {
		addTimes(&sums[x.node], &v[x.doc], x.value)
	}
	for t := len(sums) - 1; t > 0; t-- {
		addTimes(&sums[g.parent[t]], &sums[t], 1)
	}
	sums[0] = simd.Lanes{}
	for t := 1; t < len(sums); t++ {
		weighted := sums[g.parent[t]]
		addTimes(&weighted, &sums[t], g.omega[t])
		sums[t] = weighted
	}
	for _, x := range g.shares {
		addTimes(&dst[x.doc], &sums[x.node], x.value)
	}
}

// addTimes adds four numbers times another one.
func addTimes(to, numbers *simd.Lanes, by float64) {
	to[0] += float64(numbers[0] * by)
	to[1] += float64(numbers[1] * by)
	to[2] += float64(numbers[2] * by)
	to[3] += float64(numbers[3] * by)
}

// merge makes a scorer of support vectors.
func (k throughCount) merge(ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients) (
	stringkernel.Scorer, error) {
	if err := Kernel(k).Check(); err != nil {
		return nil, err
	}
	kernel, records := k.ofRecords(), k.records(sv)
	e := newEncoding(kernel, records)
	build := newCountedScorer[uint8]
	if e.wide() {
		build = newCountedScorer[int32]
	}
	s, err := build(ctx, k, kernel, records, c, e)
	if err != nil {
		return nil, fmt.Errorf("substring: %w", err)
	}
	return s, nil
}

// countedScorer scores by the annotated tree of support vectors, and the tree of the query, of whose strings it knows
// the counts.
type countedScorer[S suffix.Symbol] struct {
	merged *scorer[S]
	kernel throughCount
	values countof.Values // if the function is separable

	occurrences *occurrenceWeights // if it is not
}

func newCountedScorer[S suffix.Symbol](ctx context.Context, k throughCount, kernel Kernel, sv *stringkernel.Corpus,
	c *stringkernel.Coefficients, e *encoding) (stringkernel.Scorer, error) {
	s, err := newUnmerged[S](ctx, kernel, sv, e)
	if err == nil {
		err = checkShares(sv, len(s.index.Text().Symbols))
	}
	if err != nil {
		return nil, err
	}
	if err := memory.Check(float64(16*s.tree.Len()+8*s.tree.NumDocs) * float64(c.Outputs)); err != nil {
		return nil, fmt.Errorf("weights of %d classes of substrings for %d outputs need %w", s.tree.Len(), c.Outputs, err)
	}
	if !k.Count.Separable() {
		s.outputs, s.leaf = c.Outputs, leafWeights(c)
		w, err := newOccurrenceWeights(ctx, s, k.Count, c)
		return &countedScorer[S]{merged: s, kernel: k, occurrences: w}, err
	}
	list := sharesOf(ctx, s.tree, sv.Len(), k.Count)
	values := countof.New(k.Count)
	s.single = values.At(1)
	s.sums = func(dst, docs []float64) {
		clear(dst)
		for _, x := range list {
			dst[x.node] += float64(x.value * docs[x.doc])
		}
		for v := len(dst) - 1; v > 0; v-- {
			dst[s.tree.Parent[v]] += dst[v]
		}
	}
	s.annotate(ctx, c.Dense())
	s.sums = nil
	return &countedScorer[S]{merged: s, kernel: k, values: values}, nil
}

// Outputs returns the number of coefficient vectors.
func (s *countedScorer[S]) Outputs() int { return s.merged.outputs }

// ScoreTo adds a term for each leaf and each node of the tree of x: what the strings down to there add in the tree of
// the support vectors, times what g makes of their count beyond those of the children. O(|x|·d) for d nodes on a path
// of the support vectors' tree that are passed on the way up from a match, few but in repeats.
func (s *countedScorer[S]) ScoreTo(dst []float64, x []byte) {
	x = s.kernel.record(x)
	s.score(dst[:s.merged.outputs], x, s.ownTree(x))
}

// SelfScoreTo is ScoreTo with k(x, x), by the same tree of x.
func (s *countedScorer[S]) SelfScoreTo(dst []float64, x []byte) float64 {
	x = s.kernel.record(x)
	kernel, own, c := s.kernel.ofRecords(), s.ownTree(x), stringkernel.View(x)
	s.score(dst[:s.merged.outputs], x, own)
	weights := kernel.lengthWeights(kernel.longest(c))
	nodes, leaves, _ := kernel.pathWeights(context.Background(), c, own, &weights) // no error but of a reference
	return s.kernel.squares(own, nodes, leaves)
}

// ownTree returns the tree of a record.
func (s *countedScorer[S]) ownTree(x []byte) *ownTree {
	own, err := s.kernel.ofRecords().ownTree(context.Background(), stringkernel.View(x), int(s.merged.weights.bound))
	if err != nil {
		panic("stringkernel: ScoreTo: " + err.Error()) // more letters than the package comment allows
	}
	return own
}

func (s *countedScorer[S]) score(dst []float64, x []byte, own *ownTree) {
	clear(dst)
	var matches []suffix.Match
	s.merged.match(x, func(at suffix.Match) { matches = append(matches, at) })
	if s.occurrences != nil {
		s.addOccurrences(dst, own, matches)
		return
	}
	beyond := make([]float64, own.Len())
	for v := own.Len() - 1; v > 0; v-- {
		g := s.values.At(uint32(own.Hi[v] - own.Lo[v]))
		beyond[v] += g
		beyond[own.Parent[v]] -= g
	}
	one := s.values.At(1)
	for r, v := range own.Leaf {
		beyond[v] -= one
		at := matches[own.SA[r]]
		s.merged.addTerm(dst, at, at.Length, one)
	}
	for v := 1; v < own.Len(); v++ {
		if beyond[v] != 0 {
			at := matches[own.SA[own.Lo[v]]]
			s.merged.addTerm(dst, at, min(at.Length, own.Depth[v]), beyond[v])
		}
	}
}

// addTerm adds a multiple of the term of the first length symbols of a match.
func (s *scorer[S]) addTerm(dst []float64, at suffix.Match, length int32, scale float64) {
	if length == 0 {
		return
	}
	omega := s.weights.upTo(length)
	if edge := s.edgeAt(at, length); edge >= 0 {
		for m, e := range s.edges[int(edge)*len(dst):][:len(dst)] {
			dst[m] += float64(scale * e.at(omega))
		}
		return
	}
	above := s.weights.upTo(s.index.Depth(at.Node))
	leaf := s.leaf[int(s.index.DocAt(at.Pos))*len(dst):]
	for m, e := range s.edges[int(at.Node)*len(dst):][:len(dst)] {
		dst[m] += float64(scale * (e.at(above) + float64((omega-above)*leaf[m])))
	}
}

// Stranded has counts of both strands added before a function sees them; nil where counts are raw, which the wrapper
// adds, and for units, which have no complement.
func (k Kernel) Stranded() compose.Stranded {
	if k.Count.Linear() || k.ReadsText() {
		return nil
	}
	return strandedCounts(k)
}

type strandedCounts Kernel

func (k strandedCounts) BothStrands() stringkernel.Kernel {
	k.rc = true
	return Kernel(k)
}

func (k strandedCounts) OneStrand() (one stringkernel.Kernel, both bool) {
	both = k.rc
	k.rc = false
	return Kernel(k), both
}
