package tree

import (
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/simd"
)

// addProducts is addProduct for four vectors, each with the same operations in the same order, nodes on one processor.
func (s *flatTree) addProducts(dst, v, space []simd.Lanes) {
	if len(v) < s.docs || len(dst) < s.docs || len(space) < s.space() {
		panic("tree: vectors shorter than the tree's documents and nodes")
	}
	c := space[:len(s.nodes)]
	s.eachPart(func(_ int, at part) {
		clear(c[at.nodes.lo:at.nodes.hi])
		s.eachFan(at, func(f fan, docs []uint16, value float64) { simd.FanUp(&c[f.node], v[f.base:], docs, value) })
		s.eachLeaves(at, func(l listed) { addLanesAt(c, l.node, v, l.doc, l.value) })
		simd.PairsUp(c, v, s.pairsOf(at))
	})
	simd.NodesUp(c, s.nodes)
	c[0] = simd.Lanes{}
	simd.NodesDown(c, s.nodes, s.omega)
	if len(s.parts) == 1 {
		s.lanesDown(s.parts[0], dst, v, c)
		return
	}
	sums := space[len(c):]
	s.eachPart(func(i int, at part) {
		sum := sums[i*s.docs : (i+1)*s.docs]
		clear(sum)
		s.lanesDown(at, sum, v, c)
	})
	parallel.For(s.docs, func(lo, hi int) {
		for i := range s.parts {
			for k, x := range sums[i*s.docs+lo : i*s.docs+hi] {
				for m := range x {
					dst[lo+k][m] += x[m]
				}
			}
		}
	})
}

// lanesDown is leavesDown for four vectors.
func (s *flatTree) lanesDown(at part, dst, v, c []simd.Lanes) {
	simd.PairsDown(dst, c, v, s.pairsOf(at), s.omega)
	s.eachFan(at, func(f fan, docs []uint16, value float64) { simd.FanDown(dst[f.base:], docs, &c[f.node], value) })
	s.eachLeaves(at, func(l listed) { addLanesAt(dst, l.doc, c, l.node, l.value) })
}

// addLanesAt is addAt for four vectors.
func addLanesAt(dst []simd.Lanes, to []int32, src []simd.Lanes, from []int32, by []float64) {
	if by == nil {
		simd.AddAt(dst, to, src, from)
	} else {
		simd.AddScaledAt(dst, to, src, from, by)
	}
}
