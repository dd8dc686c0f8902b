package substring

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/strands"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/engine/tree"
	"github.com/seqsvm/seqsvm/suffix"
)

// throughCount is the kernel whose counts are seen through a function: every method of Kernel for one that is not
// linear in counts. What the function g makes of the occurrences of a document below a node is a sum over the
// leaves and the lowest common ancestors of its leaves below: g(c) less what the children have, where the c leaves of
// an ancestor are those of its children together (Hui 1992, where g is 1). Of both strands, x and its reverse
// complement are one record with a break between.
type throughCount Kernel

// record returns what substrings of x are counted in.
func (k throughCount) record(x []byte) []byte { return strands.Record(k.Alphabet, k.rc, x) }

// records returns a corpus of the records.
func (k throughCount) records(c *stringkernel.Corpus) *stringkernel.Corpus {
	return strands.Records(k.Alphabet, k.rc, c)
}

// ofRecords returns the kernel of records.
func (k throughCount) ofRecords() Kernel {
	k.rc = false
	return Kernel(k)
}

// checkShares returns an error if the tree of a text and the values at its nodes would take too much memory.
func checkShares(c *stringkernel.Corpus, symbols int, f stringkernel.Count) error {
	return stringkernel.CheckIndex(c, tree.BytesPerSymbol(f)*float64(symbols)/float64(max(1, c.Letters())))
}

// gram indexes a corpus: the tree of raw counts with values at its nodes.
func (k throughCount) gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	if err := Kernel(k).Check(); err != nil {
		return nil, err
	}
	return k.ofRecords().treeGram(ctx, k.records(c))
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
	values countof.Values
}

func newCountedScorer[S suffix.Symbol](ctx context.Context, k throughCount, kernel Kernel, sv *stringkernel.Corpus,
	c *stringkernel.Coefficients, e *encoding) (stringkernel.Scorer, error) {
	s, err := newUnmerged[S](ctx, kernel, sv, e)
	if err == nil {
		err = checkShares(sv, len(s.index.Text().Symbols), k.Count)
	}
	if err != nil {
		return nil, err
	}
	if err := memory.Check(float64(16*s.tree.Len()+8*s.tree.NumDocs) * float64(c.Outputs)); err != nil {
		return nil, fmt.Errorf("weights of %d classes of substrings for %d outputs need %w", s.tree.Len(), c.Outputs, err)
	}
	nodes := subset.Numbers[int32](s.tree.Len())
	list := make([]tree.Leaf, 0, 2*s.tree.Ranks()) // one for each leaf and each join of two or more
	tree.EachShare(ctx, s.tree, nodes, sv.Len(), k.Count, func(x tree.Leaf) { list = append(list, x) })
	values := countof.New(k.Count)
	s.single = values.At(1)
	s.sums = func(dst, docs []float64) {
		clear(dst)
		for _, x := range list {
			dst[x.Node] += float64(x.Value * docs[x.Doc])
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

// ScoreTo adds what the strings of x add in the tree of the support vectors. O(|x|·d) for d nodes on a path of it that
// are passed on the way up from a match, few but in repeats.
func (s *countedScorer[S]) ScoreTo(dst []float64, x []byte) {
	x = s.kernel.record(x)
	dst = dst[:s.merged.outputs]
	clear(dst)
	var matches []suffix.Match
	s.merged.match(x, func(at suffix.Match) { matches = append(matches, at) })
	if err := s.add(dst, x, matches); err != nil {
		panic("stringkernel: ScoreTo: " + err.Error()) // more letters than the package comment allows
	}
}

// add adds to dst, given where each position of x matches.
func (s *countedScorer[S]) add(dst []float64, x []byte, matches []suffix.Match) error {
	ctx, depth := context.Background(), int(s.merged.weights.bound)
	text, err := s.kernel.ofRecords().ownText(ctx, stringkernel.View(x))
	if err != nil {
		return err
	}
	own, err := text.tree(ctx, depth)
	if err == nil {
		s.addTerms(dst, own, matches)
	}
	return err
}

// addTerms adds a term for each leaf and each node of the tree of a query: what the strings down to there add in the
// tree of the support vectors, times what g makes of their count beyond those of the children.
func (s *countedScorer[S]) addTerms(dst []float64, own *suffix.Tree, matches []suffix.Match) {
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
	at.Length, at.Below = length, s.edgeAt(at, length)
	for m := range dst {
		dst[m] += float64(scale * s.term(at, m))
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
