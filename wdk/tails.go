package wdk

import (
	"math"
	"math/bits"
)

// addTail adds what words longer than the table of position q add, which begin with the word of the table that has a code, for a window that has its position q at
// letter i of a text.
func (s *Scorer) addTail(dst []float64, t *text, i, q, code int) {
	nodes, width := s.tries[q].nodes, s.outputs+1
	s.climb(t, i, q, code, func(node, depth, n int) {
		weight := s.upTo[depth+n] - s.upTo[depth]
		for m, sum := range nodes[node*width+1 : (node+1)*width] {
			dst[m] += float64(math.Float64frombits(sum) * weight)
		}
	})
}

// climb calls visit for the nodes that a text meets, with the depth at which a node's label begins and how many letters of it the text has.
func (s *Scorer) climb(t *text, i, q, code int, visit func(node, depth, n int)) {
	trie, run, depth := &s.tries[q], t.run(i, s.length-q), s.depth
	if trie.isEmpty() || run <= depth {
		return
	}
	branch := s.packing.branchBits()
	bit := uint64(code)<<branch | uint64(t.word(i+depth)>>(32-branch))
	if trie.begun[bit>>6]>>(bit&63)&1 == 0 {
		return
	}
	for node := trie.first(bit); ; {
		n, number := s.match(trie, int(node), t, i+depth, depth, run-depth)
		visit(int(node), depth, n)
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

// match returns how many letters a text has from letter i on of a node's label, which begins at a depth, most at most, and if that is all of it, the fork at
// its end.
func (s *Scorer) match(trie *trie, node int, t *text, i, depth, most int) (n int, fork uint32) {
	l := label(trie.nodes[node*(s.outputs+1)])
	if n = min(s.packing.common(l.letters(), t.word(i)), l.length(), most); n < l.length() {
		return n, 0
	}
	if l&longer == 0 {
		return n, l.number()
	}
	long := trie.longs[l.number()]
	if n = s.commonText(t, i, long, depth, most); n < int(long.length) {
		return n, 0
	}
	return n, long.fork
}

// common returns how many letters two packed words have in common.
func (p *packing) common(a, b uint32) int { return int(p.whole[bits.LeadingZeros32(a^b)]) }

// commonText returns how many letters of a long label a text has from letter i on, most at most.
func (s *Scorer) commonText(t *text, i int, l longLabel, depth, most int) int {
	y := s.sv.Seq(int(l.sequence))[int(l.start)+depth:]
	n, most := 0, min(most, int(l.length))
	for n < most && uint32(s.packing.digit[y[n]]) == s.packing.letter(t.word(i+n), 0) {
		n++
	}
	return n
}
