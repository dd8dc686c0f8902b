package streams

import (
	"unsafe"

	"github.com/seqsvm/seqsvm/internal/simd"
)

// Leaves, pairs and the sums of their nodes are read in order. Processors ask memory for such data by themselves, but
// lose track of it when they read v and the result at random in between, unless those fit the first cache. So it is
// asked for here.
const (
	stretch    = 128 // leaves or pairs to ask for at a time
	distance   = 512 // entries from what is read to what is asked for
	firstCache = 1 << 15
)

// inLeaves visits the leaves of a part; c are the sums or values of nodes.
func inLeaves[V any](s *Tree, p part, c []V, visit func(l listed)) {
	for _, l := range []listed{s.plain.cut(p.plain.lo, p.plain.hi), s.valued.cut(p.valued.lo, p.valued.hi)} {
		n := int32(len(l.node))
		for ask := asks[V](s.docs); ask && n > stretch; n -= stretch {
			ahead(l.node, stretch)
			ahead(l.doc, stretch)
			ahead(l.value, stretch)
			ahead(c[l.node[0]:], int(l.node[stretch]-l.node[0]))
			visit(l.cut(0, stretch))
			l = l.cut(stretch, n)
		}
		visit(l)
	}
}

// inPairs visits the pairs of a part.
func inPairs[V any](s *Tree, p part, c []V, visit func(pairs []simd.Pair)) {
	pairs := s.pairs[p.pairs.lo:p.pairs.hi]
	for ask := asks[V](s.docs); ask && len(pairs) > stretch; pairs = pairs[stretch:] {
		ahead(pairs, stretch)
		if above := pairs[0].Parent; above <= pairs[stretch].Parent { // parents need not ascend
			ahead(c[above:], int(pairs[stretch].Parent-above))
		}
		visit(pairs[:stretch])
	}
	visit(pairs)
}

// asks reports whether memory is to be asked for, with vectors of n entries.
func asks[V any](n int) bool {
	var entry V
	return n*int(unsafe.Sizeof(entry)) > firstCache
}

// ahead asks for n entries of a list, some distance from its start.
func ahead[T any](list []T, n int) {
	simd.PrefetchLines(list[min(distance, len(list)):min(distance+n, len(list))])
}
