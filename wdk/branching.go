package wdk

import (
	"cmp"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/scratch"
)

// tails builds the trie of the k-mers longer than those in the table. The nodes of the letters next to these come
// first, in order of their bits.
func (f *folding) tails() {
	s, t := f.scorer, &f.trie
	if s.length-f.position <= s.depth {
		return
	}
	t.begun = scratch.Resize(t.begun, (1<<(s.packing.bits*s.depth+s.packing.branchBits())+31)/32)
	clear(t.begun)
	t.forks = append(t.forks, fork{})
	ways, drop := f.waysOn(0, s.depth, 0, len(f.words)), s.packing.bits-s.packing.branchBits()
	for _, w := range ways {
		t.begun.set(w.key >> drop)
	}
	t.begun.count()
	f.children(ways, s.depth, drop)
}

// way is the k-mers lo ≤ i < hi that continue with the same letter; key holds the letters from some depth up to that
// one.
type way struct {
	key, lo, hi int
}

// waysOn lists the ways in which k-mers lo ≤ i < hi continue after depth letters, in order of their letters from some
// depth on. Words that share these are consecutive.
func (f *folding) waysOn(from, depth, lo, hi int) []way {
	first := len(f.ways)
	for i := lo; i < hi; {
		if int(f.words[i].length) <= depth {
			i++
			continue
		}
		w := way{lo: i}
		w.key, _ = f.code(i, from, depth+1-from)
		for i++; i < hi && int(f.words[i].shared) > depth; i++ {
		}
		w.hi = i
		f.ways = append(f.ways, w)
	}
	ways := f.ways[first:]
	slices.SortFunc(ways, func(a, b way) int { return cmp.Compare(a.key, b.key) })
	return ways
}

// children makes the nodes of the ways on from depth letters, one for all whose keys differ in the lowest drop bits
// only, and returns the number of the first.
func (f *folding) children(ways []way, depth, drop int) (first int) {
	t, width := &f.trie, f.scorer.outputs+1
	first = len(t.nodes) / width
	for i, w := range ways {
		if i == 0 || w.key>>drop != ways[i-1].key>>drop {
			t.nodes = append(t.nodes, make([]uint64, width)...)
		}
	}
	node := first * width
	for i := 0; i < len(ways); node += width {
		end := i + 1
		for end < len(ways) && ways[end].key>>drop == ways[i].key>>drop {
			end++
		}
		var l label
		if end-i == 1 {
			l = f.node(node/width, depth, ways[i].lo, ways[i].hi)
		} else {
			l = newLabel(0, 0, f.fork(ways[i:end], depth, 0, 32-f.scorer.packing.bits))
		}
		t.nodes[node] = uint64(l)
		i = end
	}
	return first
}

// fork makes a fork of ways on from depth letters, with one node for all whose keys differ in the lowest drop bits
// only, and returns its number.
func (f *folding) fork(ways []way, depth, drop, shift int) uint32 {
	made := fork{first: uint32(f.children(ways, depth, drop)), depth: uint16(depth), shift: uint8(shift)}
	for _, w := range ways {
		made.next |= 1 << (w.key >> drop & 15)
	}
	f.trie.forks = append(f.trie.forks, made)
	return uint32(len(f.trie.forks) - 1)
}

// node sums up the k-mers lo ≤ i < hi, which share more than depth letters, builds everything below the node, and
// returns its label.
func (f *folding) node(node, depth, lo, hi int) label {
	p, outputs := &f.scorer.packing, f.scorer.outputs
	end := int(f.words[lo].length)
	for i := lo + 1; i < hi; i++ {
		end = min(end, int(f.words[i].shared))
	}
	for m := range outputs {
		sum := 0.0
		for i := lo; i < hi; i++ {
			sum += f.sums[i*outputs+m]
		}
		f.trie.nodes[node*(outputs+1)+1+m] = math.Float64bits(sum)
	}
	number := uint32(0)
	if hi-lo > 1 {
		outer := len(f.ways)
		number = f.fork(f.waysOn(end, end, lo, hi), end, p.bits-p.branchBits(), 32-p.branchBits())
		f.ways = f.ways[:outer]
	}
	most := p.letters()
	length := p.bits * min(end-depth, most)
	letters := f.letters(lo, depth) &^ uint32(uint64(1)<<(32-length)-1)
	if end-depth <= most {
		return newLabel(letters, length, number)
	}
	begin := f.words[lo].place
	begin.start += int32(depth + most)
	long := longLabel{begin, int32(end - depth - most), int32(depth + most), uint32(node), number}
	f.trie.longs = append(f.trie.longs, long)
	return newLabel(letters, length, uint32(len(f.trie.longs)-1)) | longer
}
