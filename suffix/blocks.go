package suffix

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// layout is where the parts of Stored.Blocks are.
type layout struct {
	planes   int // bits of a symbol
	groups   int // of a block
	size     int // bytes of a block
	counts   int // bytes of its counts
	group    int // bytes of a group
	marks    int // where the parts of a group begin, after the planes
	prefixes int
	docs     int
}

// planesOf returns the number of bits of a symbol.
func planesOf(sigma int) int { return max(1, bits.Len(uint(sigma-1))) }

// newLayout places numbers of some width.
func newLayout(sigma, prefixWidth, docWidth int) layout {
	l := layout{planes: planesOf(sigma), counts: 4 * max(0, sigma-1)}
	l.groups = max(1, sigma/(4*l.planes)) // so that counts take about as much as the rest
	l.marks = 8 * l.planes
	l.prefixes = l.marks + 8 + 4
	l.docs = l.prefixes + 64*prefixWidth
	l.group = l.docs + 64*docWidth
	const line = 64 // bytes of a line of a cache
	l.size = (l.counts + l.groups*l.group + line - 1) / line * line
	return l
}

// blocksOf returns the number of blocks of n ranks. The last one may be empty: places up to n are asked for.
func (l *layout) blocksOf(n int) int { return n/(64*l.groups) + 1 }

// layoutOf returns the layout of the blocks of n ranks, an error if it is not theirs.
func (s *Stored) layoutOf(n int) (layout, error) {
	if min(s.PrefixWidth, s.DocWidth) < 1 || max(s.PrefixWidth, s.DocWidth) > 4 {
		return layout{}, fmt.Errorf("common prefixes of %d bytes and documents of %d, want 1 to 4",
			s.PrefixWidth, s.DocWidth)
	}
	l := newLayout(s.Sigma, s.PrefixWidth, s.DocWidth)
	if want := l.blocksOf(n) * l.size; len(s.Blocks) != want {
		return layout{}, fmt.Errorf("blocks of %d bytes for %d ranks, want %d", len(s.Blocks), n, want)
	}
	return l, nil
}

// layOut makes the blocks of n ranks of lists.
func layOut(ctx context.Context, shape Shape, ranks lists, n int) Stored {
	s := Stored{Shape: shape, PrefixWidth: max(1, ranks.prefixes.width), DocWidth: max(1, ranks.docs.width)}
	l := newLayout(s.Sigma, s.PrefixWidth, s.DocWidth)
	s.Blocks = make([]byte, l.blocksOf(n)*l.size)
	total, masks, marked := make([]int32, s.Sigma), make([]uint64, 1<<l.planes), uint32(0)
	for g := range cancel.Steps(ctx, 0, l.blocksOf(n)*l.groups) {
		at := l.groupAt(g)
		if g%l.groups == 0 {
			for x := 1; x < s.Sigma; x++ {
				binary.LittleEndian.PutUint32(s.Blocks[at-l.counts+4*(x-1):], uint32(total[x]))
			}
		}
		group := s.Blocks[at:][:l.group]
		binary.LittleEndian.PutUint32(group[l.marks+8:], marked)
		first, end := g*64, min(g*64+64, n)
		if first >= end {
			continue
		}
		for p, word := range ranks.before[g*l.planes:][:l.planes] {
			binary.LittleEndian.PutUint64(group[8*p:], word)
		}
		binary.LittleEndian.PutUint64(group[l.marks:], ranks.branches[g])
		copy(group[l.prefixes:], ranks.prefixes.bytes[first*s.PrefixWidth:end*s.PrefixWidth])
		copy(group[l.docs:], ranks.docs.bytes[first*s.DocWidth:end*s.DocWidth])
		marked += uint32(bits.OnesCount64(ranks.branches[g]))
		count(total, ranks.before[g*l.planes:][:l.planes], masks)
	}
	return s
}

// marksOf returns the word of a group that marks its branches.
func (c *Compact) marksOf(g int) uint64 {
	return binary.LittleEndian.Uint64(c.Blocks[c.groupAt(g)+c.marks:])
}

// checkBlocks returns how often each symbol occurs before a suffix, and lists the least common prefix of each group. An
// error names the first block that is not one of n ranks. Runs of blocks are checked side by side: each begins with the
// counts that it has, which are then compared with those at the end of the run before.
func (c *Compact) checkBlocks(ctx context.Context, n int) (total []int32, err error) {
	c.minima = [][]int32{make([]int32, (n+63)/64)}
	blocks := c.blocksOf(n)
	runs := make([]blockRun, (blocks+blocksPerRun-1)/blocksPerRun)
	parallel.EachContext(ctx, len(runs), func(k int) {
		r := &runs[k]
		r.begin(c, k*blocksPerRun)
		r.err = r.check(c, n, min(blocks, (k+1)*blocksPerRun))
	})
	before := blockRun{total: make([]int32, c.Sigma)}
	for k, r := range runs {
		if err := before.agrees(c, k*blocksPerRun); err != nil {
			return nil, err
		}
		if r.err != nil {
			return nil, r.err
		}
		before = r
	}
	return before.total, nil
}

// blocksPerRun is how many blocks are checked by one task.
const blocksPerRun = 1 << 10

// blockRun is what has been counted before a block of a run.
type blockRun struct {
	first  int // block
	total  []int32
	marked uint32
	err    error
}

// begin has the counts of a block, which may be wrong.
func (r *blockRun) begin(c *Compact, block int) {
	r.first, r.total = block, make([]int32, c.Sigma)
	for x := 1; x < c.Sigma; x++ {
		r.total[x] = int32(binary.LittleEndian.Uint32(c.Blocks[block*c.size+4*(x-1):]))
	}
	r.marked = binary.LittleEndian.Uint32(c.Blocks[block*c.size+c.counts+c.marks+8:])
}

// agrees compares with the counts of a block.
func (r *blockRun) agrees(c *Compact, block int) error {
	for x := 1; x < c.Sigma; x++ {
		if have := binary.LittleEndian.Uint32(c.Blocks[block*c.size+4*(x-1):]); have != uint32(r.total[x]) {
			return fmt.Errorf("block %d: %d times symbol %d before it, want %d", block, have, x, r.total[x])
		}
	}
	return r.agreesMarks(c, block*c.groups)
}

// agreesMarks compares with the number of branches before a group.
func (r *blockRun) agreesMarks(c *Compact, g int) error {
	if have := binary.LittleEndian.Uint32(c.Blocks[c.groupAt(g)+c.marks+8:]); have != r.marked {
		return fmt.Errorf("group %d: %d branches before it, want %d", g, have, r.marked)
	}
	return nil
}

// check checks the blocks up to an end, and counts what is in them.
func (r *blockRun) check(c *Compact, n, end int) error {
	masks, planes, minima := make([]uint64, 1<<c.planes), make([]uint64, c.planes), c.minima[0]
	for g := r.first * c.groups; g < end*c.groups; g++ {
		at := c.groupAt(g)
		if g%c.groups == 0 {
			if err := r.agrees(c, g/c.groups); err != nil {
				return err
			}
			begin := at - c.counts
			if !zero(c.Blocks[begin+c.counts+c.groups*c.group : begin+c.size]) {
				return fmt.Errorf("block %d does not end with zeros", g/c.groups)
			}
		} else if err := r.agreesMarks(c, g); err != nil {
			return err
		}
		group, ranks := c.Blocks[at:][:c.group], min(64, max(0, n-g*64))
		for p := range planes {
			planes[p] = binary.LittleEndian.Uint64(group[8*p:])
		}
		marks := binary.LittleEndian.Uint64(group[c.marks:])
		r.marked += uint32(bits.OnesCount64(marks))
		prefixes, docs := group[c.prefixes:c.docs], group[c.docs:]
		if g == 0 && (marks&1 != 0 || number(prefixes, c.PrefixWidth, 0) != 0) {
			return errors.New("a branch or a common prefix at the first rank")
		}
		if ranks < 64 {
			behind := marks
			for _, word := range planes {
				behind |= word
			}
			if behind>>ranks != 0 || !zero(prefixes[ranks*c.PrefixWidth:]) || !zero(docs[ranks*c.DocWidth:]) {
				return fmt.Errorf("group %d: no zeros behind the last rank", g)
			}
			if ranks == 0 {
				continue
			}
		}
		count(r.total, planes, masks)
		least, most := bounds(prefixes, c.PrefixWidth, ranks)
		if minima[g] = int32(least); most > math.MaxInt32 {
			return fmt.Errorf("group %d: common prefix of %d letters", g, most)
		}
		if _, most = bounds(docs, c.DocWidth, ranks); int(most) >= c.NumDocs {
			return fmt.Errorf("group %d: document %d of %d", g, most, c.NumDocs)
		}
	}
	return nil
}

// zero reports whether all bytes are.
func zero(list []byte) bool { return bytes.Count(list, []byte{0}) == len(list) }

// bounds returns the least and the greatest of n ≥ 1 numbers of width bytes.
func bounds(list []byte, width, n int) (least, most uint32) {
	least = math.MaxUint32
	for i := range n {
		x := uint32(number(list, width, i))
		least, most = min(least, x), max(most, x)
	}
	return least, most
}

// count adds the symbols of a group to their totals, all but 0. masks is scratch: the places with a symbol's upper
// bits.
func count(total []int32, group, masks []uint64) {
	masks[0] = ^uint64(0)
	for p := len(group) - 1; p >= 0; p-- {
		known := 1 << (len(group) - 1 - p)
		for prefix := known - 1; prefix >= 0; prefix-- {
			m := masks[prefix]
			masks[2*prefix], masks[2*prefix+1] = m&^group[p], m&group[p]
		}
	}
	for x := 1; x < len(total); x++ {
		total[x] += int32(bits.OnesCount64(masks[x]))
	}
}

// groupAt returns where a group begins.
func (l *layout) groupAt(g int) int {
	if l.groups == 1 {
		return g*l.size + l.counts
	}
	block := g / l.groups
	return block*l.size + l.counts + (g-block*l.groups)*l.group
}

// symbol returns the symbol before the suffix of rank r.
func (c *Compact) symbol(r int) (x int) {
	group := c.Blocks[c.groupAt(r>>6):][:c.group]
	for p := range c.planes {
		x |= int(group[8*p+r>>3&7]>>(r&7)&1) << p
	}
	return x
}

// before returns how many of the suffixes before rank r have symbol x ≥ 1 before them.
func (c *Compact) before(x, r int) int32 {
	g, start, at := r>>6, 0, 0
	if c.groups == 1 {
		start = g * c.size
		at = start + c.counts
	} else {
		block := g / c.groups
		start = block * c.size
		at = start + c.counts
		g -= block * c.groups
	}
	n := binary.LittleEndian.Uint32(c.Blocks[start+4*(x-1):])
	if c.groups > 1 {
		for ; g > 0; g-- {
			n += uint32(bits.OnesCount64(c.places(at, x)))
			at += c.group
		}
	}
	return int32(n + uint32(bits.OnesCount64(c.places(at, x)&(1<<(r&63)-1))))
}

// places marks the ranks of the group at a place that have symbol x before them.
func (c *Compact) places(at, x int) uint64 {
	marks, planes := ^uint64(0), c.Blocks[at:][:c.marks]
	for ; len(planes) >= 8; planes = planes[8:] {
		marks &= binary.LittleEndian.Uint64(planes) ^ (uint64(x&1) - 1)
		x >>= 1
	}
	return marks
}

// marksBefore returns the number of marked ranks before r.
func (c *Compact) marksBefore(r int) int32 {
	group := c.Blocks[c.groupAt(r>>6)+c.marks:][:12]
	word := binary.LittleEndian.Uint64(group) & (1<<(r&63) - 1)
	return int32(binary.LittleEndian.Uint32(group[8:])) + int32(bits.OnesCount64(word))
}

// prefix returns the common prefix of rank r and the one before.
func (c *Compact) prefix(r int) int32 {
	return number(c.Blocks[c.groupAt(r>>6)+c.prefixes:], c.PrefixWidth, r&63)
}

// doc returns the document of rank r.
func (c *Compact) doc(r int) int32 {
	return number(c.Blocks[c.groupAt(r>>6)+c.docs:], c.DocWidth, r&63)
}
