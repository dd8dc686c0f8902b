package streams

import "github.com/seqsvm/seqsvm/internal/parallel"

// lanes is how many vectors a pass over the streams takes along: an entry of a document or a node is then 32 bytes,
// half a cache line.
const lanes = 4

// Lanes is one entry of each of four vectors.
type Lanes = [lanes]float64

type lane4 = Lanes

// Edge is the parent of a node and the number of its weight: see [Down].
type Edge = edge

// NewEdge returns an edge.
func NewEdge(parent, omega int32) Edge { return edge{parent, omega} }

// Down replaces c[t] by c[parent] + omega·c[t] for t = 1, 2, …, the edges of nodes 0, 1, …: parents come before their
// children. Every number must be in range: it is not checked.
func Down(c []Lanes, nodes []Edge, omega []float64) {
	lanePasses.nodesDown(c[:len(nodes)], nodes, omega)
}

// AddAt adds src[from[j]] to dst[to[j]] for every j. Every index must be in range: it is not checked.
func AddAt(dst []Lanes, to []int32, src []Lanes, from []int32) {
	lanePasses.addAt(dst, to, src, from[:len(to)])
}

// passes are the loops of a product of four vectors. There is one set in Go, and where the processor has vectors of
// four numbers another in assembly, which does the same operations in the same order. Every index is in range: NewTree
// and addProducts see to it.
type passes struct {
	least     int                                                      // number of vectors that a pass for four is worth
	addAt     func(dst []lane4, to []int32, src []lane4, from []int32) // dst[to[j]] += src[from[j]]
	pairsUp   func(c, v []lane4, pairs []pair)
	pairsDown func(dst, c, v []lane4, pairs []pair, omega []float64)
	nodesUp   func(c []lane4, nodes []edge)
	nodesDown func(c []lane4, nodes []edge, omega []float64)
	fanUp     func(to *lane4, v []lane4, docs []uint16)
	fanDown   func(dst []lane4, docs []uint16, val *lane4)
}

var goPasses = passes{3, addAt, pairsUp, pairsDown, nodesUp, nodesDown, fanUp, fanDown}

// addProducts is addProduct for four vectors, each with the same operations in the same order, nodes on one processor.
func (s *Tree) addProducts(p *passes, dst, v, space []lane4) {
	if len(v) < s.docs || len(dst) < s.docs || len(space) < s.space() {
		panic("streams: vectors shorter than the tree's documents and nodes")
	}
	c := space[:len(s.nodes)]
	s.eachPart(func(_ int, at part) {
		clear(c[at.nodes.lo:at.nodes.hi])
		start := at.spread
		for _, f := range s.fans[at.fans.lo:at.fans.hi] {
			p.fanUp(&c[f.node], v[f.base:], s.spread[start:f.end])
			start = f.end
		}
		p.addAt(c, s.node[at.leaves.lo:at.leaves.hi], v, s.doc[at.leaves.lo:at.leaves.hi])
		p.pairsUp(c, v, s.pairs[at.pairs.lo:at.pairs.hi])
	})
	p.nodesUp(c, s.nodes)
	c[0] = lane4{}
	p.nodesDown(c, s.nodes, s.omega)
	if len(s.parts) == 1 {
		s.addLeaves4(p, s.parts[0], dst, v, c)
		return
	}
	sums := space[len(c):]
	s.eachPart(func(i int, at part) {
		sum := sums[i*s.docs : (i+1)*s.docs]
		clear(sum)
		s.addLeaves4(p, at, sum, v, c)
	})
	parallel.For(s.docs, func(lo, hi int) {
		for i := range s.parts {
			for k, x := range sums[i*s.docs+lo : i*s.docs+hi] {
				addLanes(&dst[lo+k], x[0], x[1], x[2], x[3])
			}
		}
	})
}

// addLeaves4 is leavesDown for four vectors.
func (s *Tree) addLeaves4(p *passes, at part, dst, v, c []lane4) {
	p.pairsDown(dst, c, v, s.pairs[at.pairs.lo:at.pairs.hi], s.omega)
	start := at.spread
	for _, f := range s.fans[at.fans.lo:at.fans.hi] {
		p.fanDown(dst[f.base:], s.spread[start:f.end], &c[f.node])
		start = f.end
	}
	p.addAt(dst, s.doc[at.leaves.lo:at.leaves.hi], c, s.node[at.leaves.lo:at.leaves.hi])
}

func addAt(dst []lane4, to []int32, src []lane4, from []int32) {
	from = from[:len(to)]
	for j, t := range to {
		a := &src[from[j]]
		addLanes(&dst[t], a[0], a[1], a[2], a[3])
	}
}

func pairsUp(c, v []lane4, pairs []pair) {
	for i := range pairs {
		p := &pairs[i]
		a, b := &v[p.doc1], &v[p.doc2]
		addLanes(&c[p.parent], a[0]+b[0], a[1]+b[1], a[2]+b[2], a[3]+b[3])
	}
}

func pairsDown(dst, c, v []lane4, pairs []pair, omega []float64) {
	for i := range pairs {
		p := &pairs[i]
		from, a, b, w := &c[p.parent], &v[p.doc1], &v[p.doc2], omega[p.omega]
		v0 := from[0] + float64(w*(a[0]+b[0]))
		v1 := from[1] + float64(w*(a[1]+b[1]))
		v2 := from[2] + float64(w*(a[2]+b[2]))
		v3 := from[3] + float64(w*(a[3]+b[3]))
		addLanes(&dst[p.doc1], v0, v1, v2, v3)
		addLanes(&dst[p.doc2], v0, v1, v2, v3)
	}
}

func nodesUp(c []lane4, nodes []edge) {
	nodes = nodes[:len(c)]
	for t := len(c) - 1; t > 0; t-- {
		from := &c[t]
		addLanes(&c[nodes[t].parent], from[0], from[1], from[2], from[3])
	}
}

func nodesDown(c []lane4, nodes []edge, omega []float64) {
	nodes = nodes[:len(c)]
	for t := 1; t < len(c); t++ {
		e := nodes[t]
		to, from, w := &c[t], &c[e.parent], omega[e.omega]
		to[0] = from[0] + float64(w*to[0])
		to[1] = from[1] + float64(w*to[1])
		to[2] = from[2] + float64(w*to[2])
		to[3] = from[3] + float64(w*to[3])
	}
}

// fanUp is [gather.Sum] for each vector, added to to.
func fanUp(to *lane4, v []lane4, docs []uint16) {
	a0, a1 := sumPairAt(v, docs, 0)
	a2, a3 := sumPairAt(v, docs, 2)
	addLanes(to, a0, a1, a2, a3)
}

func fanDown(dst []lane4, docs []uint16, val *lane4) {
	v0, v1, v2, v3 := val[0], val[1], val[2], val[3]
	for _, doc := range docs {
		addLanes(&dst[doc], v0, v1, v2, v3)
	}
}

func addLanes(to *lane4, v0, v1, v2, v3 float64) {
	to[0] += v0
	to[1] += v1
	to[2] += v2
	to[3] += v3
}

// sumPairAt is [gather.Sum] for vectors m and m + 1 of the block.
func sumPairAt(v []lane4, index []uint16, m int) (sum0, sum1 float64) {
	var a0, a1, b0, b1, c0, c1, d0, d1 float64
	m &= 2
	for ; len(index) >= 4; index = index[4:] {
		a, b, c, d := &v[index[0]], &v[index[1]], &v[index[2]], &v[index[3]]
		a0 += a[m]
		a1 += a[m+1]
		b0 += b[m]
		b1 += b[m+1]
		c0 += c[m]
		c1 += c[m+1]
		d0 += d[m]
		d1 += d[m+1]
	}
	for _, i := range index {
		a0 += v[i][m]
		a1 += v[i][m+1]
	}
	return (a0 + b0) + (c0 + d0), (a1 + b1) + (c1 + d1)
}
