package wdk

import (
	"math"
	"math/bits"
)

// addTail adds the contribution of the k-mers longer than those in the table of position q that begin with the table's
// k-mer with a code, for a window whose position q is letter i of a text.
func (s *scorer) addTail(dst []float64, t *text, i, q, code int) {
	nodes, width := s.tries[q].nodes, s.outputs+1
	s.climb(t, i, q, code, func(node, depth, n int) {
		weight := s.upTo[depth+n] - s.upTo[depth]
		for m, sum := range nodes[node*width+1 : (node+1)*width] {
			dst[m] += float64(math.Float64frombits(sum) * weight)
		}
	})
}

// climb calls visit for the labels on the path of a text, with the depth at which a label begins and how many of its
// letters the text matches; long labels are visited in two parts.
func (s *scorer) climb(t *text, i, q, code int, visit func(node, depth, n int)) {
	trie, run, depth := &s.tries[q], t.run(i, s.length-q), s.depth
	if trie.isEmpty() || run <= depth {
		return
	}
	branch := s.packing.branchBits()
	bit := uint64(code)<<branch | uint64(t.word(i+depth)>>(32-branch))
	if !trie.begun.has(bit) {
		return
	}
	for node := trie.begun.before(bit); ; {
		l := label(trie.nodes[int(node)*(s.outputs+1)])
		common := l.common(t.word(i + depth))
		visit(int(node), depth, min(int(s.packing.whole[common]), run-depth))
		if common < l.bits() {
			return
		}
		number := l.number()
		if l&longer != 0 {
			long := &trie.longs[number]
			n := s.commonText(t, i, run, long)
			visit(int(node), int(long.depth), n)
			if n < int(long.length) {
				return
			}
			number = long.fork
		}
		f := &trie.forks[number]
		if depth = int(f.depth); depth >= run {
			return
		}
		branch := f.branch(t.word(i + depth))
		if f.has(branch) == 0 {
			return
		}
		node = f.child(branch)
	}
}

// commonText returns how many letters of a long label a text matches whose k-mers begin at letter i and have up to run
// letters.
func (s *scorer) commonText(t *text, i, run int, l *longLabel) int {
	from, n, depth, at := i+int(l.depth), 0, int(l.depth), s.sv.at(l.place)
	for most := min(int(l.length), run-depth); n < most; {
		same := int(s.packing.whole[bits.LeadingZeros32(s.sv.word(at+n)^t.word(from+n))])
		if n += same; same < s.packing.letters() || n >= most {
			return min(n, most)
		}
	}
	return n
}
