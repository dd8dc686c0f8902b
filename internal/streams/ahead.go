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
func inLeaves[V any](s *Tree, p part, c []V, visit func(node, doc []int32)) {
	node, doc := s.node[p.leaves.lo:p.leaves.hi], s.doc[p.leaves.lo:p.leaves.hi]
	for ask := asks[V](s.docs); ask && len(node) > stretch; node, doc = node[stretch:], doc[stretch:] {
		ahead(node, stretch)
		ahead(doc, stretch)
		ahead(c[node[0]:], int(node[stretch]-node[0]))
		visit(node[:stretch], doc[:stretch])
	}
	visit(node, doc)
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
