package suffix

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/seqsvm/seqsvm/internal/cancel"
)

// blocks holds what a Compact knows of its ranks, so that what is asked about ranks that are neighbours is in one place
// of memory. Ranks are in groups of 64: the symbols before them, a word for each bit of a symbol; the marks of branches
// with the number of marks before; common prefixes; documents. One or more groups are a block, which begins with the
// counts of the symbols 1, 2, … before it. For DNA and documents that are fewer than 2¹⁶ it is 256 bytes for 64 ranks.
type blocks struct {
	bytes    []byte
	ranks    int
	sigma    int
	planes   int // bits of a symbol
	groups   int // of a block
	size     int // bytes of a block
	counts   int // bytes of its counts
	group    int // bytes of a group
	marks    int // where the parts of a group begin, after the planes
	prefixes int
	docs     int

	prefixWidth, docWidth int // bytes of a number
}

// planesOf returns the number of bits of a symbol.
func planesOf(sigma int) int { return max(1, bits.Len(uint(sigma-1))) }

// newBlocks lays out the ranks of a stored form, whose lists have the right lengths. It returns how often each symbol
// occurs before a suffix.
func newBlocks(ctx context.Context, s *Stored, n int) (b *blocks, total []int32) {
	b = &blocks{ranks: n, sigma: s.Sigma, planes: planesOf(s.Sigma), counts: 4 * max(0, s.Sigma-1),
		prefixWidth: s.Prefixes.width, docWidth: s.Docs.width}
	b.groups = max(1, s.Sigma/(4*b.planes)) // so that counts take about as much as the rest
	b.marks = 8 * b.planes
	b.prefixes = b.marks + 8 + 4
	b.docs = b.prefixes + 64*b.prefixWidth
	b.group = b.docs + 64*b.docWidth
	const line = 64 // bytes of a line of a cache
	b.size = (b.counts + b.groups*b.group + line - 1) / line * line
	number := n/(64*b.groups) + 1 // the last one may be empty: places up to n are asked for
	b.bytes = make([]byte, number*b.size)
	total, masks, marked := make([]int32, s.Sigma), make([]uint64, 1<<b.planes), uint32(0)
	for g := range cancel.Steps(ctx, 0, number*b.groups) {
		at := b.groupAt(g)
		if g%b.groups == 0 {
			for x := 1; x < s.Sigma; x++ {
				binary.LittleEndian.PutUint32(b.bytes[at-b.counts+4*(x-1):], uint32(total[x]))
			}
		}
		marked = b.fill(b.bytes[at:][:b.group], s, g, marked)
		if g*64 < n {
			count(total, s.Before[g*b.planes:][:b.planes], masks)
		}
	}
	return b, total
}

// fill stores group g and returns the number of marks up to its end.
func (b *blocks) fill(group []byte, s *Stored, g int, marked uint32) uint32 {
	binary.LittleEndian.PutUint32(group[b.marks+8:], marked)
	first, end := g*64, min(g*64+64, b.ranks)
	if first >= end {
		return marked
	}
	for p, word := range s.Before[g*b.planes:][:b.planes] {
		binary.LittleEndian.PutUint64(group[8*p:], word)
	}
	binary.LittleEndian.PutUint64(group[b.marks:], s.Branches[g])
	copy(group[b.prefixes:], s.Prefixes.bytes[first*b.prefixWidth:end*b.prefixWidth])
	copy(group[b.docs:], s.Docs.bytes[first*b.docWidth:end*b.docWidth])
	return marked + uint32(bits.OnesCount64(s.Branches[g]))
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
func (b *blocks) groupAt(g int) int {
	if b.groups == 1 {
		return g*b.size + b.counts
	}
	block := g / b.groups
	return block*b.size + b.counts + (g-block*b.groups)*b.group
}

// symbol returns the symbol before the suffix of rank r.
func (b *blocks) symbol(r int) (x int) {
	group := b.bytes[b.groupAt(r>>6):][:b.group]
	for p := range b.planes {
		x |= int(group[8*p+r>>3&7]>>(r&7)&1) << p
	}
	return x
}

// before returns how many of the suffixes before rank r have symbol x ≥ 1 before them.
func (b *blocks) before(x, r int) int32 {
	g, start, at := r>>6, 0, 0
	if b.groups == 1 {
		start = g * b.size
		at = start + b.counts
	} else {
		block := g / b.groups
		start = block * b.size
		at = start + b.counts
		g -= block * b.groups
	}
	n := binary.LittleEndian.Uint32(b.bytes[start+4*(x-1):])
	if b.groups > 1 {
		for ; g > 0; g-- {
			n += uint32(bits.OnesCount64(b.places(at, x)))
			at += b.group
		}
	}
	return int32(n + uint32(bits.OnesCount64(b.places(at, x)&(1<<(r&63)-1))))
}

// beforeBoth is before of two ranks of a group that is a block.
func (b *blocks) beforeBoth(x, lo, hi int) (int32, int32) {
	start := lo >> 6 * b.size
	n := int32(binary.LittleEndian.Uint32(b.bytes[start+4*(x-1):]))
	marks := b.places(start+b.counts, x)
	return n + int32(bits.OnesCount64(marks&(1<<(lo&63)-1))), n + int32(bits.OnesCount64(marks&(1<<(hi&63)-1)))
}

// places marks the ranks of the group at a place that have symbol x before them.
func (b *blocks) places(at, x int) uint64 {
	marks, planes := ^uint64(0), b.bytes[at:][:b.marks]
	for ; len(planes) >= 8; planes = planes[8:] {
		marks &= binary.LittleEndian.Uint64(planes) ^ (uint64(x&1) - 1)
		x >>= 1
	}
	return marks
}

// marksBefore returns the number of marked ranks before r.
func (b *blocks) marksBefore(r int) int32 {
	group := b.bytes[b.groupAt(r>>6)+b.marks:][:12]
	word := binary.LittleEndian.Uint64(group) & (1<<(r&63) - 1)
	return int32(binary.LittleEndian.Uint32(group[8:])) + int32(bits.OnesCount64(word))
}

// prefix returns the common prefix of rank r and the one before.
func (b *blocks) prefix(r int) int32 {
	at := b.groupAt(r>>6) + b.prefixes
	if b.prefixWidth == 1 {
		return int32(b.bytes[at+r&63])
	}
	return number(b.bytes[at:], b.prefixWidth, r&63)
}

// doc returns the document of rank r.
func (b *blocks) doc(r int) int32 {
	at := b.groupAt(r>>6) + b.docs
	if b.docWidth == 2 {
		return int32(binary.LittleEndian.Uint16(b.bytes[at+2*(r&63):]))
	}
	return number(b.bytes[at:], b.docWidth, r&63)
}

// checkWords returns an error unless the lists of words are those of n ranks: of the right length, with zeros behind
// the last rank, and no mark at the first.
func (s *Stored) checkWords(n int) error {
	planes, groups := planesOf(s.Sigma), (n+63)/64
	if len(s.Before) != groups*planes || len(s.Branches) != groups {
		return fmt.Errorf("%d and %d words for %d ranks, want %d and %d",
			len(s.Before), len(s.Branches), n, groups*planes, groups)
	}
	if n == 0 {
		return nil
	}
	behind := s.Branches[groups-1]
	for _, word := range s.Before[(groups-1)*planes:] {
		behind |= word
	}
	if s.Branches[0]&1 != 0 || n&63 != 0 && behind>>(n&63) != 0 {
		return fmt.Errorf("marks at rank 0 or behind the last of %d", n)
	}
	return nil
}
