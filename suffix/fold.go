package suffix

import (
	"context"
	"math/bits"
	"slices"
	"sort"

	"github.com/seqsvm/seqsvm/internal/cancel"
)

// Numbers returns how many numbers nodes may have: 0 … Numbers() − 1, some of them unused. The root has number 0 if it
// has one.
func (c *Compact) Numbers() int { return int(c.marksBefore(c.Ranks())) + 1 }

// Number returns the number of a node, −1 if it has fewer ranks than Least.
//
// Among the parts into which the branches cut the ranks, a node has the number of its first one if it shares with what
// is before it no less than with what is behind it, else of its last one: no other node has the same (D. Strothmann,
// "The affix array data structure and its applications to RNA secondary structure analysis", Theoretical Computer
// Science 389 (2007) 278–294, doi:10.1016/j.tcs.2007.09.029).
func (c *Compact) Number(at Span) int32 {
	if at.Len() < c.Least {
		return -1
	}
	left, right := int32(-1), int32(-1)
	if at.Lo > 0 {
		left = c.prefix(int(at.Lo))
	}
	if int(at.Hi) < c.Ranks() {
		right = c.prefix(int(at.Hi))
	}
	if left >= right {
		return c.marksBefore(int(at.Lo) + 1)
	}
	return c.marksBefore(int(at.Hi))
}

// AddDocs adds to a sum the weights of the documents of some ranks, in their order. There is one weight per document.
func (c *Compact) AddDocs(sum float64, weight []float64, lo, hi int32) float64 {
	for r := lo; r < hi; r++ {
		sum += weight[c.doc(int(r))]
	}
	return sum
}

// CountDocs returns the number of distinct documents from number first on that few ranks have. O(square of the ranks).
func (c *Compact) CountDocs(at Span, first int) int {
	met := make([]int32, 0, 16)
	for r := at.Lo; r < at.Hi; r++ {
		if doc := c.doc(int(r)); int(doc) >= first && !slices.Contains(met, doc) {
			met = append(met, doc)
		}
	}
	return len(met)
}

// Node is a node with a number.
type Node struct {
	Number int32
	Parent int32 // number of the node above, −1 for the root
	Above  int32 // depth of the node above
}

// SumDocs calls sum for each node with a number but the root, with the weights of the documents of its ranks together,
// and then down for each, those above before those below. There is one weight per document. The order of additions is
// fixed. O(n) time, 12 bytes per node.
func (c *Compact) SumDocs(ctx context.Context, weight []float64, sum func(number int32, sum float64), down func(Node)) {
	f := folding{tree: c, visit: sum}
	f.sumOf = func(lo, hi int32) float64 { return c.AddDocs(0, weight, lo, hi) }
	f.run(ctx)
	var path []closedNode
	for i := range cancel.Down(ctx, 0, len(f.closed)) { // from the root down and from right to left
		v := f.closed[i]
		for len(path) > 0 && path[len(path)-1].lo > v.lo {
			path = path[:len(path)-1]
		}
		parent := int32(-1)
		if len(path) > 0 {
			parent = path[len(path)-1].number
		}
		down(Node{v.number, parent, v.above})
		path = append(path, v)
	}
}

// DocFreqs calls visit for each node with a number but the root, with the number of distinct documents from number
// first on that its ranks have: see [Tree.DocFreq]. O(n·log h) time.
func (c *Compact) DocFreqs(ctx context.Context, first int, visit func(number int32, docs float64)) {
	last := make([]int32, c.NumDocs) // 1 + the last part that has a document
	f := folding{tree: c, visit: visit}
	f.sumOf = func(lo, hi int32) (count float64) {
		for r := lo; r < hi; r++ {
			doc := c.doc(int(r))
			before := last[doc] - 1
			if int(doc) < first || before == f.parts {
				continue
			}
			count++
			if before >= 0 {
				f.open[sort.Search(len(f.open)-1, func(i int) bool { return f.open[i+1].lo > before })].sum--
			}
			last[doc] = f.parts + 1
		}
		return count
	}
	f.run(ctx)
}

// folding finds the nodes from the branches between their children, which come from left to right.
type folding struct {
	tree   *Compact
	sumOf  func(lo, hi int32) float64 // of the ranks of a part
	visit  func(number int32, sum float64)
	start  int32 // rank at which the last part begins
	parts  int32 // before the last one
	left   int32 // common prefix at its beginning, −1 at rank 0
	open   []openNode
	closed []closedNode // each behind those below it
}

// openNode is a node of which not all children are known.
type openNode struct {
	depth, lo, left int32
	sum             float64
}

// closedNode is one of which all are; lo is the first of its parts between branches.
type closedNode struct {
	number, lo, above int32
}

// run visits all nodes with numbers.
func (f *folding) run(ctx context.Context) {
	f.left, f.closed = -1, make([]closedNode, 0, f.tree.Numbers())
	for g := range cancel.Steps(ctx, 0, len(f.tree.minima[0])) {
		for word := f.tree.marksOf(g); word != 0; word &= word - 1 {
			r := g*64 + bits.TrailingZeros64(word)
			f.branch(r, f.tree.prefix(r))
		}
	}
	f.branch(f.tree.Ranks(), -1)
}

// branch ends a part, and the nodes deeper than the branch at rank r.
func (f *folding) branch(r int, depth int32) {
	sum, lo, left := f.sumOf(f.start, int32(r)), f.parts, f.left
	for len(f.open) > 0 && f.open[len(f.open)-1].depth > depth {
		v := &f.open[len(f.open)-1]
		sum, lo, left = v.sum+sum, v.lo, v.left
		if v.depth > 0 {
			number := f.parts
			if left >= depth {
				number = lo
			}
			f.visit(number, sum)
			f.closed = append(f.closed, closedNode{number, lo, max(left, depth, 0)})
		}
		f.open = f.open[:len(f.open)-1]
	}
	if n := len(f.open); n > 0 && f.open[n-1].depth == depth {
		f.open[n-1].sum += sum
	} else {
		f.open = append(f.open, openNode{depth, lo, left, sum})
	}
	f.start, f.left = int32(r), depth
	f.parts++
}

// Text returns the letters of the documents: of each, the parts between breaks in some order, a break between them.
func (c *Compact) Text() *Text[uint8] {
	next := make([]int32, c.NumDocs+1) // of a document, where the next of its ends goes
	c.eachEnd(func(r int32) { next[c.doc(int(r))+1]++ })
	for d := range c.NumDocs {
		next[d+1] += next[d]
	}
	ends := make([]int32, next[c.NumDocs])
	c.eachEnd(func(r int32) {
		d := c.doc(int(r))
		ends[next[d]] = r
		next[d]++
	})
	text := &Text[uint8]{Sigma: c.Sigma}
	for d, first := 0, int32(0); d < c.NumDocs; d++ {
		for _, r := range ends[first:next[d]] {
			text.Symbols = append(c.appendPart(text.Symbols, r), 0)
		}
		if first == next[d] {
			text.Symbols = append(text.Symbols, 0)
		}
		first = next[d]
		text.Ends = append(text.Ends, int32(len(text.Symbols)-1))
	}
	return text
}

// eachEnd calls visit for the suffixes of one letter.
func (c *Compact) eachEnd(visit func(r int32)) {
	for x := 1; x < c.Sigma; x++ {
		for r := c.Starts[x]; r < c.Starts[x]+c.lone[x]; r++ {
			visit(r)
		}
	}
}

// appendPart appends the letters up to the end of a suffix of one letter, from the break before them on. Every suffix
// of more letters follows one other at most, so that the way back ends.
func (c *Compact) appendPart(dst []uint8, r int32) []uint8 {
	begin := len(dst)
	dst = append(dst, uint8(sort.Search(c.Sigma, func(x int) bool { return c.Starts[x+1] > r })))
	for {
		x := c.symbol(int(r))
		if x == 0 || x >= c.Sigma {
			slices.Reverse(dst[begin:])
			return dst
		}
		dst = append(dst, uint8(x))
		r = c.Starts[x] + c.lone[x] + c.before(x, int(r))
	}
}
