package tree

import "github.com/seqsvm/seqsvm/internal/simd"

// addProducts is addProduct for four vectors, each with the same operations in the same order, nodes on one processor.
func (s *flatTree) addProducts(dst, v, space []simd.Lanes) {
	if len(v) < s.docs || len(dst) < s.docs || len(space) < s.space() {
		panic("tree: vectors shorter than the tree's documents and nodes")
	}
	passes[simd.Lanes]{s.lanesUp, s.lanesThroughNodes, s.lanesDown, simd.AddLanes}.product(s, dst, v, space)
}

func (s *flatTree) lanesThroughNodes(c []simd.Lanes) {
	simd.NodesUp(c, s.nodes)
	c[0] = simd.Lanes{}
	simd.NodesDown(c, s.nodes, s.omega)
}

// lanesUp is leavesUp for four vectors.
func (s *flatTree) lanesUp(at part, v, c []simd.Lanes) {
	s.eachFan(at, func(f fan, docs []uint16, value float64) { simd.FanUp(&c[f.node], v[f.base:], docs, value) })
	s.eachLeaves(at, func(l listed) { addLanesAt(c, l.node, v, l.doc, l.value) })
	simd.PairsUp(c, v, s.pairsOf(at))
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
