package positions

import (
	"sync"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/simd"
)

func (t *tree[High]) spread4(c, v []simd.Lanes) {
	clear(c)
	t.eachStrip(len(v), func(first int, docs, slots []int32) { simd.AddAt(c, slots, v[first:], docs) })
	first := t.inner()
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
func (t *tree[High]) up4(c []simd.Lanes) {
	var from, to [strip]int32
	k, nodes := 0, len(t.nodes.numbers)+1
	add := func(node int, parent int32) {
		from[k], to[k] = int32(node), parent
		if k++; k == strip {
			simd.AddAt(c, to[:], c, from[:])
			k = 0
		}
	}
	t.pairs.each(t.common, func(i int, _ uint8, parent int32, _ float64) { add(nodes+i, parent) })
	list, parent := t.nodes.rare, t.nodes.last
	for i := nodes - 1; i > 0; i-- {
		add(i, parent)
		if number := t.nodes.numbers[i-1]; number == rare {
			parent -= list[len(list)-1].delta
			list = list[:len(list)-1]
		} else {
			parent -= t.common[number].delta
		}
	}
	simd.AddAt(c, to[:k], c, from[:k])
}

// edgeSpace is space for the nodes and pairs of a tree, weightSpace for their weights.
var edgeSpace, weightSpace sync.Pool // of *[]simd.Edge, of *[]float64

// down4 turns sums into values.
func (t *tree[High]) down4(c []simd.Lanes) {
	space := scratch.BorrowOf[simd.Edge](&edgeSpace, t.inner())
	defer edgeSpace.Put(space)
	weights := scratch.Borrow(&weightSpace, rare+len(t.nodes.rare)+len(t.pairs.rare))
	defer weightSpace.Put(weights)
	for number, e := range t.common {
		(*weights)[number] = e.omega
	}
	list := append((*space)[:0], simd.Edge{})
	next := int32(rare)
	add := func(_ int, number uint8, parent int32, omega float64) {
		weight := int32(number)
		if number == rare {
			(*weights)[next], weight = omega, next
			next++
		}
		list = append(list, simd.Edge{Parent: parent, Omega: weight})
	}
	t.nodes.each(t.common, add)
	t.pairs.each(t.common, add)
	simd.NodesDown(c[:len(list)], list, *weights)
}

func (t *tree[High]) gather4(dst, c []simd.Lanes) {
	t.eachStrip(len(dst), func(first int, docs, slots []int32) { simd.AddAt(dst[first:], docs, c, slots) })
}

// strip is the number of leaves that are unpacked at a time.
const strip = 512

// eachStrip calls visit with the leaves of documents 0 … n−1, unpacked: documents, less the first one's number, and
// slots.
func (t *tree[High]) eachStrip(n int, visit func(first int, docs, slots []int32)) {
	var docs, slots [strip]int32
	for i := range docs {
		docs[i] = int32(i / t.places)
	}
	for lo, size := 0, strip/t.places; lo < n; lo += size {
		count := (min(lo+size, n) - lo) * t.places
		for i := range slots[:count] {
			slots[i] = t.slot(lo*t.places + i)
		}
		visit(lo, docs[:count], slots[:count])
	}
}
