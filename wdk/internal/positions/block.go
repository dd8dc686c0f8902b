package positions

import (
	"sync"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/simd"
)

func (t *tree[Slot, Weight]) spread4(c, v []simd.Lanes) {
	clear(c)
	t.eachStrip(len(v), func(first int, docs, slots []int32) { simd.AddAt(c, slots, v[first:], docs) })
	first := len(t.weights)
	for f, node := range t.fans {
		p := (*[lanes]simd.Lanes)(c[first+lanes*f:])
		for m := range lanes {
			c[node][m] += (p[0][m] + p[1][m]) + (p[2][m] + p[3][m])
		}
	}
	t.up4(c)
	c[0] = simd.Lanes{}
	t.down4(c)
	for f, node := range t.fans {
		val := c[node]
		*(*[lanes]simd.Lanes)(c[first+lanes*f:]) = [lanes]simd.Lanes{val, val, val, val}
	}
}

// up4 adds pairs, then nodes to their parents.
func (t *tree[Slot, Weight]) up4(c []simd.Lanes) {
	var from, to [strip]int32
	k, nodes := 0, len(t.nodes.delta)+1
	add := func(node int, parent int32) {
		from[k], to[k] = int32(node), parent
		if k++; k == strip {
			simd.AddAt(c, to[:], c, from[:])
			k = 0
		}
	}
	at := t.pairs.begin()
	for i, d := range t.pairs.delta {
		add(nodes+i, at.ahead(&t.pairs, d))
	}
	at = t.nodes.end()
	for i := nodes - 1; i > 0; i-- {
		add(i, at.parent)
		at.back(&t.nodes, t.nodes.delta[i-1])
	}
	simd.AddAt(c, to[:k], c, from[:k])
}

// edges is space for the nodes and pairs of a tree.
var edges sync.Pool // of *[]simd.Edge

// down4 turns sums into values.
func (t *tree[Slot, Weight]) down4(c []simd.Lanes) {
	space := scratch.BorrowOf[simd.Edge](&edges, len(t.weights))
	defer edges.Put(space)
	at, list := t.nodes.begin(), *space
	list[0] = simd.Edge{}
	i := 1
	for _, p := range []*parents{&t.nodes, &t.pairs} {
		for _, d := range p.delta {
			list[i] = simd.Edge{Parent: at.ahead(p, d), Omega: int32(t.weights[i])}
			i++
		}
		at = t.pairs.begin()
	}
	simd.NodesDown(c, list, t.omega)
}

func (t *tree[Slot, Weight]) gather4(dst, c []simd.Lanes) {
	t.eachStrip(len(dst), func(first int, docs, slots []int32) { simd.AddAt(dst[first:], docs, c, slots) })
}

// strip is the number of leaves that are unpacked at a time.
const strip = 512

// eachStrip calls visit with the leaves of documents 0 … n−1, unpacked: documents, less the first one's number, and
// slots.
func (t *tree[Slot, Weight]) eachStrip(n int, visit func(first int, docs, slots []int32)) {
	var docs, slots [strip]int32
	for i := range docs {
		docs[i] = int32(i / t.places)
	}
	for lo, size := 0, strip/t.places; lo < n; lo += size {
		leaves := t.leaves[lo*t.places : min(lo+size, n)*t.places]
		for i, slot := range leaves {
			slots[i%strip] = int32(slot)
		}
		visit(lo, docs[:len(leaves)], slots[:len(leaves)])
	}
}
