package suffix

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// Compact is the suffix tree of a text for matching and for sums over documents, in a few bytes per letter: of each
// rank it has the symbol before the suffix (the Burrows–Wheeler transform), the common prefix with the rank before and
// the document. The letters are in the transform, positions are not known. It does not change and may be used by any
// number of goroutines.
//
// Nodes are spans of ranks. Those of at least Least ranks have numbers, by which a caller keeps what it knows of them;
// what it needs of a smaller one it finds from its few leaves.
//
// Memory per letter, DNA of documents that are fewer than 2¹⁶: 0.6 bytes for the transform, 1 for a common prefix, 2
// for the document, 0.3 for the rest.
type Compact struct {
	Stored
	*blocks
	lone   []int32   // per symbol: number of suffixes that are this symbol alone
	minima [][]int32 // of the common prefixes of 64 ranks, of 64² ranks, …
	limit  int32     // greatest depth
}

// Stored is what a Compact is made of. All else follows from it in one pass.
type Stored struct {
	Sigma    int      // symbols, the separator included: at most 256
	NumDocs  int      // number of documents
	MaxDepth int      // greatest depth kept; 0 is unbounded
	Least    int      // ranks of a node that has a number, at least 2
	Starts   []int32  // Starts[c], c ≤ Sigma, is the first rank of a suffix that begins with c or a greater symbol
	Before   []uint64 // the symbol before each suffix, 0 at the start: per 64 ranks a word for each bit, the lowest first
	Prefixes Narrow   // per rank: common prefix with the rank before, at most MaxDepth; 0 for rank 0
	Docs     Narrow   // per rank: the document
	Branches []uint64 // bit r mod 64 of word r/64: a node with a number begins or ends at rank r, or its second child does
}

// Span is the ranks Lo ≤ r < Hi.
type Span struct{ Lo, Hi int32 }

// Len returns the number of ranks.
func (s Span) Len() int { return int(s.Hi - s.Lo) }

// NewCompact makes the tree of a text, cut at depth maxDepth if that is not 0, with numbers for nodes of at least so
// many ranks. O(n·least) time. Errors: what Text.Check finds, maxDepth < 0, least < 2, more than 256 symbols, ctx done.
func NewCompact(ctx context.Context, text *Text[uint8], maxDepth, least int) (c *Compact, err error) {
	defer cancel.Catch(&err)
	limit, err := depthLimit(maxDepth)
	if err != nil {
		return nil, err
	}
	if err := text.Check(); err != nil {
		return nil, err
	}
	if least < 2 || text.Sigma > math.MaxUint8+1 {
		return nil, fmt.Errorf("suffix: nodes of %d ranks and %d symbols, want ≥ 2 and ≤ 256", least, text.Sigma)
	}
	sa, lcp, _, err := sorted(ctx, text, limit)
	if err != nil {
		return nil, err
	}
	s := Stored{Sigma: text.Sigma, NumDocs: text.NumDocs(), MaxDepth: maxDepth, Least: least}
	s.Starts = startsOf(ctx, text)
	if len(lcp) > 0 {
		lcp[0] = 0
	}
	s.Prefixes = narrowed(ctx, len(lcp), func(r int) int32 { return lcp[r] })
	s.Branches = branchesOf(ctx, lcp, least)
	documents := newLocator(text.Ends, len(text.Symbols))
	s.Docs = newNarrow(len(sa), int32(max(1, s.NumDocs)-1))
	s.Before = make([]uint64, (len(sa)+63)/64*planesOf(text.Sigma))
	parallel.ForContext(ctx, (len(sa)+63)/64, func(lo, hi int) {
		for g := lo; g < hi; g++ {
			cancel.Check(ctx)
			s.fillGroup(g, text, sa, &documents)
		}
	})
	return NewStored(ctx, s)
}

// fillGroup stores the symbols before the suffixes of a group of 64 ranks, and their documents.
func (s *Stored) fillGroup(g int, text *Text[uint8], sa []int32, documents *locator) {
	planes := planesOf(s.Sigma)
	words := s.Before[g*planes:][:planes]
	for r := g * 64; r < min(g*64+64, len(sa)); r++ {
		p := sa[r]
		s.Docs.set(r, documents.find(p))
		if p == 0 {
			continue
		}
		for bit := range words {
			words[bit] |= uint64(text.Symbols[p-1]>>bit&1) << (r & 63)
		}
	}
}

// startsOf counts the suffixes that begin with a letter by that letter.
func startsOf(ctx context.Context, text *Text[uint8]) []int32 {
	count := make([]int32, 257)
	for _, x := range cancel.All(ctx, text.Symbols) {
		count[x]++
	}
	starts, sum := make([]int32, text.Sigma+1), int32(0)
	for x := 1; x <= text.Sigma; x++ {
		starts[x] = sum
		sum += count[x]
	}
	return starts
}

// narrowed lists n numbers.
func narrowed(ctx context.Context, n int, at func(i int) int32) Narrow {
	most := int32(0)
	for i := range cancel.Steps(ctx, 0, n) {
		most = max(most, at(i))
	}
	list := newNarrow(n, most)
	for i := range cancel.Steps(ctx, 0, n) {
		list.set(i, at(i))
	}
	return list
}

// branchesOf marks the ranks at which nodes of at least so many ranks begin and end, and of each such node that between
// its first two children.
func branchesOf(ctx context.Context, lcp []int32, least int) []uint64 {
	marks := make([]uint64, (len(lcp)+63)/64)
	parallel.ForContext(ctx, len(marks), func(first, end int) {
		for r := max(1, first*64); r < min(end*64, len(lcp)); r++ {
			if r&0xffff == 0 {
				cancel.Check(ctx)
			}
			if isBranch(lcp, r, least) {
				marks[r>>6] |= 1 << (r & 63)
			}
		}
	})
	return marks
}

// isBranch looks at no more than a few times least ranks around rank r ≥ 1, which is between two children of a node.
func isBranch(lcp []int32, r, least int) bool {
	depth, lo, hi := lcp[r], r-1, r+1 // of the children
	for lo > 0 && lcp[lo] > depth && r-lo < least {
		lo--
	}
	for hi < len(lcp) && lcp[hi] > depth && hi-r < least {
		hi++
	}
	switch {
	case r-lo >= least || hi-r >= least:
		return true // a child has a number
	case lo > 0 && lcp[lo] == depth:
		return false // there is a child before
	}
	for hi < len(lcp) && lcp[hi] >= depth && hi-lo < least {
		hi++
	}
	return hi-lo >= least
}

// NewStored returns the Compact of its stored form, whose lists it uses. It trusts nothing: the result is an error, or
// a Compact that matches what it matches without end or panic. O(ranks) time.
func NewStored(ctx context.Context, s Stored) (c *Compact, err error) {
	defer cancel.Catch(&err)
	c = &Compact{Stored: s}
	if c.limit, err = depthLimit(s.MaxDepth); err == nil {
		err = c.restore(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("suffix: %w", err)
	}
	return c, nil
}

func (c *Compact) restore(ctx context.Context) error {
	if c.Sigma < 1 || c.Sigma > math.MaxUint8+1 || c.Least < 2 || c.NumDocs < 0 {
		return fmt.Errorf("%d symbols, %d documents, numbers from %d ranks", c.Sigma, c.NumDocs, c.Least)
	}
	n, err := c.checkStarts()
	if err != nil {
		return err
	}
	if n > 0 {
		if len(c.Prefixes.bytes) != n*c.Prefixes.width || len(c.Docs.bytes) != n*c.Docs.width || c.NumDocs == 0 {
			return fmt.Errorf("common prefixes or documents are not those of %d ranks", n)
		}
		if c.Prefixes.At(0) != 0 {
			return errors.New("rank 0 has a common prefix with the one before")
		}
	}
	if err := c.Docs.check(n, int32(c.NumDocs-1)); err != nil {
		return fmt.Errorf("documents: %w", err)
	}
	if err := c.Prefixes.check(n, math.MaxInt32); err != nil {
		return fmt.Errorf("common prefixes: %w", err)
	}
	if err := c.checkWords(n); err != nil {
		return err
	}
	c.buildMinima(ctx, n)
	c.blocks, c.lone = newBlocks(ctx, &c.Stored, n)
	return c.countLone(n)
}

// checkStarts returns the number of ranks.
func (c *Compact) checkStarts() (int, error) {
	if len(c.Starts) != c.Sigma+1 || c.Starts[0] != 0 || c.Starts[1] != 0 {
		return 0, fmt.Errorf("%d first ranks of %d symbols", len(c.Starts), c.Sigma)
	}
	for x := 1; x <= c.Sigma; x++ {
		if c.Starts[x] < c.Starts[x-1] {
			return 0, fmt.Errorf("symbol %d begins at rank %d, before symbol %d", x, c.Starts[x], x-1)
		}
	}
	return int(c.Starts[c.Sigma]), nil
}

// countLone finds the symbols of the text that are before no suffix but before a break: lone counts those that are.
func (c *Compact) countLone(n int) error {
	symbols := n + c.NumDocs
	for x := 1; x < c.Sigma; x++ {
		if c.lone[x] = c.Starts[x+1] - c.Starts[x] - c.lone[x]; c.lone[x] < 0 {
			return fmt.Errorf("symbol %d occurs before more suffixes than begin with it", x)
		}
		symbols += int(c.lone[x])
	}
	if symbols > MaxLen {
		return fmt.Errorf("text of %d symbols, want ≤ %d", symbols, MaxLen)
	}
	return nil
}

// buildMinima lists the least common prefix of 64 ranks, of 64² ranks, and so on.
func (c *Compact) buildMinima(ctx context.Context, n int) {
	at := func(i int) int32 { return c.Prefixes.At(i) }
	for n > 64 {
		level := make([]int32, (n+63)/64)
		for b := range cancel.Steps(ctx, 0, len(level)) {
			least := int32(math.MaxInt32)
			for i := b * 64; i < min(b*64+64, n); i++ {
				least = min(least, at(i))
			}
			level[b] = least
		}
		c.minima = append(c.minima, level)
		n = len(level)
		at = func(i int) int32 { return level[i] }
	}
}

// Ranks returns the number of suffixes.
func (c *Compact) Ranks() int { return int(c.Starts[c.Sigma]) }
