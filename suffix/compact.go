package suffix

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

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
// Memory per letter, DNA of documents that are fewer than 2¹⁶ and share at most 255 letters: 4 bytes, of which 0.6 are
// the transform, 1 a common prefix and 2 the document.
type Compact struct {
	Stored
	layout
	lone   []int32   // per symbol: number of suffixes that are this symbol alone
	minima [][]int32 // of the common prefixes of 64 ranks, of 64² ranks, …
	limit  int32     // greatest depth
}

// Stored is what a Compact is made of, as it uses it. The little else follows from it in one pass.
type Stored struct {
	Shape
	PrefixWidth, DocWidth int // bytes of a common prefix and of the number of a document, 1 to 4

	// Blocks has what is known of the ranks, so that what is asked about neighbours is in one place of memory. Ranks
	// are in groups of 64: the symbols before them, a word for each bit of a symbol, the lowest first; a word that
	// marks their branches, as in lists, and the number of branches before, a uint32; their common prefixes; their
	// documents. One group, or Sigma/(4·bits) if that is more, are a block, which begins with the numbers of the
	// symbols 1, 2, … before it, uint32s, and ends with zeros up to a multiple of 64 bytes. The last has room for one
	// rank more at least. All little-endian. For DNA and documents that are fewer than 2¹⁶ a block is 256 bytes.
	Blocks []byte
}

// Shape is what the parts of a Compact are as large as, and where the suffixes of a symbol are.
type Shape struct {
	Sigma    int     // symbols, the separator included: at most 256
	NumDocs  int     // number of documents
	MaxDepth int     // greatest depth kept; 0 is unbounded
	Least    int     // ranks of a node that has a number, at least 2
	Starts   []int32 // Starts[c], c ≤ Sigma, is the first rank of a suffix that begins with c or a greater symbol
}

// lists is what Blocks has, list by list.
type lists struct {
	before   []uint64 // the symbol before each suffix, 0 at the start: per 64 ranks a word for each bit, the lowest first
	prefixes narrow   // per rank: common prefix with the rank before, at most MaxDepth; 0 for rank 0
	docs     narrow   // per rank: the document
	branches []uint64 // bit r mod 64 of word r/64: a node with a number begins or ends at rank r, or its second child does
}

// Span is the ranks Lo ≤ r < Hi.
type Span struct{ Lo, Hi int32 }

// Len returns the number of ranks.
func (s Span) Len() int { return int(s.Hi - s.Lo) }

// NewCompact makes the tree of a text, cut at depth maxDepth if that is not 0, with numbers for nodes of at least so
// many ranks. O(n·least) time. Errors: what Text.Check finds, maxDepth < 0, least < 2, more than 256 symbols, ctx done.
func NewCompact(ctx context.Context, text *Text[uint8], maxDepth, least int) (c *Compact, err error) {
	defer cancel.Catch(&err)
	if least < 2 || text.Sigma > math.MaxUint8+1 {
		return nil, fmt.Errorf("suffix: nodes of %d ranks and %d symbols, want ≥ 2 and ≤ 256", least, text.Sigma)
	}
	order, err := sorted(ctx, text, maxDepth)
	if err != nil {
		return nil, err
	}
	sa, lcp := order.sa, order.lcp
	shape := Shape{text.Sigma, text.NumDocs(), maxDepth, least, startsOf(ctx, text)}
	var s lists
	if len(lcp) > 0 {
		lcp[0] = 0
	}
	s.prefixes = narrowed(ctx, lcp)
	s.branches = branchesOf(ctx, lcp, least)
	documents := newLocator(text.Ends, len(text.Symbols))
	s.docs = newNarrow(len(sa), int32(max(1, shape.NumDocs)-1))
	s.before = make([]uint64, (len(sa)+63)/64*planesOf(text.Sigma))
	parallel.ForContext(ctx, (len(sa)+63)/64, func(lo, hi int) {
		for g := lo; g < hi; g++ {
			cancel.Check(ctx)
			s.fillGroup(g, text, sa, documents)
		}
	})
	n, err := shape.check()
	if err != nil {
		return nil, fmt.Errorf("suffix: %w", err)
	}
	return NewStored(ctx, layOut(ctx, shape, s, n))
}

// fillGroup stores the symbols before the suffixes of a group of 64 ranks, and their documents. The symbols, which are
// anywhere in the text, are read first, so that many of these reads are under way at a time.
func (s *lists) fillGroup(g int, text *Text[uint8], sa []int32, documents locator) {
	var before [64]uint8
	ranks := sa[g*64 : min(g*64+64, len(sa))]
	for i, p := range ranks {
		if p > 0 {
			before[i] = text.Symbols[p-1]
		}
	}
	planes := planesOf(text.Sigma)
	words := s.before[g*planes:][:planes]
	for i := 0; i < len(before); i += 8 {
		eight := binary.LittleEndian.Uint64(before[i:])
		for bit := range words {
			words[bit] |= gathered(eight>>bit) << i
		}
	}
	for i, p := range ranks {
		s.docs.set(g*64+i, documents.find(p))
	}
}

// gathered returns the lowest bits of eight bytes as one: the product has each of them once among its highest eight.
func gathered(eight uint64) uint64 { return eight & 0x0101010101010101 * 0x0102040810204080 >> 56 }

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

// narrowed lists numbers that are not negative.
func narrowed(ctx context.Context, numbers []int32) narrow {
	most := make([]int32, (len(numbers)+narrowPart-1)/narrowPart)
	part := func(k int) (first, end int) { return k * narrowPart, min(len(numbers), (k+1)*narrowPart) }
	parallel.EachContext(ctx, len(most), func(k int) {
		first, end := part(k)
		most[k] = slices.Max(numbers[first:end])
	})
	list := newNarrow(len(numbers), slices.Max(append(most, 0)))
	parallel.EachContext(ctx, len(most), func(k int) {
		first, end := part(k)
		for i, x := range numbers[first:end] {
			list.set(first+i, x)
		}
	})
	return list
}

// narrowPart is how many numbers are a task.
const narrowPart = 1 << 16

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

// NewStored returns the Compact of its stored form, whose memory it uses. It trusts nothing: the result is an error, or
// a Compact that matches what it matches without end or panic. O(ranks) time, in one pass over Blocks.
func NewStored(ctx context.Context, s Stored) (c *Compact, err error) {
	defer cancel.Catch(&err)
	c = &Compact{Stored: s}
	if err = c.restore(ctx); err != nil {
		return nil, fmt.Errorf("suffix: %w", err)
	}
	return c, nil
}

func (c *Compact) restore(ctx context.Context) (err error) {
	n, err := c.check()
	if err != nil {
		return err
	}
	if c.limit, err = depthLimit(c.MaxDepth); err != nil {
		return err
	}
	if c.layout, err = c.layoutOf(n); err != nil {
		return err
	}
	if c.lone, err = c.checkBlocks(ctx, n); err != nil {
		return err
	}
	c.buildMinima(ctx)
	return c.countLone(n)
}

// check returns the number of ranks.
func (s *Shape) check() (int, error) {
	if s.Sigma < 1 || s.Sigma > math.MaxUint8+1 || s.Least < 2 || s.NumDocs < 0 || s.NumDocs > MaxLen {
		return 0, fmt.Errorf("%d symbols, %d documents, numbers from %d ranks", s.Sigma, s.NumDocs, s.Least)
	}
	if len(s.Starts) != s.Sigma+1 || s.Starts[0] != 0 || s.Starts[1] != 0 {
		return 0, fmt.Errorf("%d first ranks of %d symbols", len(s.Starts), s.Sigma)
	}
	for x := 1; x <= s.Sigma; x++ {
		if s.Starts[x] < s.Starts[x-1] {
			return 0, fmt.Errorf("symbol %d begins at rank %d, before symbol %d", x, s.Starts[x], x-1)
		}
	}
	n := int(s.Starts[s.Sigma])
	if n > MaxLen || n > 0 && s.NumDocs == 0 {
		return 0, fmt.Errorf("%d ranks of %d documents", n, s.NumDocs)
	}
	return n, nil
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

// buildMinima lists the least common prefix of 64 ranks, of 64² ranks, and so on; checkBlocks has made the first list.
func (c *Compact) buildMinima(ctx context.Context) {
	for below := c.minima[0]; len(below) > 64; {
		level := make([]int32, (len(below)+63)/64)
		for b := range cancel.Steps(ctx, 0, len(level)) {
			level[b] = slices.Min(below[b*64 : min(b*64+64, len(below))])
		}
		c.minima = append(c.minima, level)
		below = level
	}
}

// Ranks returns the number of suffixes.
func (c *Compact) Ranks() int { return int(c.Starts[c.Sigma]) }
