package simd

// Lanes is one entry of each of four vectors: half a cache line.
type Lanes = [LanesWidth]float64

// LanesWidth is the number of vectors.
const LanesWidth = 4

// Edge is the parent of a node of a tree, and the number of its weight.
type Edge struct {
	Parent, Omega int32
}

// Pair is a node whose only children are two leaves, of two documents.
type Pair struct {
	Edge
	Doc1, Doc2 int32
}

// lanesLoops are the loops of this file: in Go, or in assembly, a register for the four numbers of an entry.
type lanesLoops struct {
	least     int
	addAt     func(dst []Lanes, to []int32, src []Lanes, from []int32)
	addScaled func(dst []Lanes, to []int32, src []Lanes, from []int32, by []float64)
	pairsUp   func(c, v []Lanes, pairs []Pair)
	pairsDown func(dst, c, v []Lanes, pairs []Pair, omega []float64)
	nodesUp   func(c []Lanes, nodes []Edge)
	nodesDown func(c []Lanes, nodes []Edge, omega []float64)
	fanUp     func(to *Lanes, v []Lanes, docs []uint16, by float64)
	fanDown   func(dst []Lanes, docs []uint16, val *Lanes, by float64)
}

var goLanes = lanesLoops{3, addAt, addScaledAt, pairsUp, pairsDown, nodesUp, nodesDown, fanUp, fanDown}

// LeastLanes is the number of vectors from which on a pass for four takes less time than one for each.
func LeastLanes() int { return lanes.least }

// AddLanes adds v to dst.
func AddLanes(dst, v []Lanes) {
	for i := range v {
		for m, x := range v[i] {
			dst[i][m] += x
		}
	}
}

// AddAt adds src[from[j]] to dst[to[j]] for every j. Here and below, every index must be in range: it is not checked.
func AddAt(dst []Lanes, to []int32, src []Lanes, from []int32) {
	lanes.addAt(dst, to, src, from[:len(to)])
}

// AddScaledAt adds by[j] times src[from[j]] to dst[to[j]] for every j.
func AddScaledAt(dst []Lanes, to []int32, src []Lanes, from []int32, by []float64) {
	lanes.addScaled(dst, to, src, from[:len(to)], by[:len(to)])
}

// PairsUp adds the v of both documents of each pair to c of its parent.
func PairsUp(c, v []Lanes, pairs []Pair) { lanes.pairsUp(c, v, pairs) }

// PairsDown adds c of its parent, and omega times the v of both, to dst of both documents of each pair.
func PairsDown(dst, c, v []Lanes, pairs []Pair, omega []float64) {
	lanes.pairsDown(dst, c, v, pairs, omega)
}

// NodesUp adds every node to its parent, from the last to the second. Parents come before their children.
func NodesUp(c []Lanes, nodes []Edge) { lanes.nodesUp(c[:len(nodes)], nodes) }

// NodesDown replaces c[t] by c[parent] + omega·c[t] for t = 1, 2, …
func NodesDown(c []Lanes, nodes []Edge, omega []float64) {
	lanes.nodesDown(c[:len(nodes)], nodes, omega)
}

// FanUp adds by·Σ v[doc] to to: four interleaved sums, in the order of gather.Sum.
func FanUp(to *Lanes, v []Lanes, docs []uint16, by float64) { lanes.fanUp(to, v, docs, by) }

// FanDown adds by·val to each dst[doc].
func FanDown(dst []Lanes, docs []uint16, val *Lanes, by float64) { lanes.fanDown(dst, docs, val, by) }

func addAt(dst []Lanes, to []int32, src []Lanes, from []int32) {
	from = from[:len(to)]
	for j, t := range to {
		a := &src[from[j]]
		addLanes(&dst[t], a[0], a[1], a[2], a[3])
	}
}

func addScaledAt(dst []Lanes, to []int32, src []Lanes, from []int32, by []float64) {
	from, by = from[:len(to)], by[:len(to)]
	for j, t := range to {
		addTimes(&dst[t], by[j], src[from[j]])
	}
}

func pairsUp(c, v []Lanes, pairs []Pair) {
	for i := range pairs {
		p := &pairs[i]
		a, b := &v[p.Doc1], &v[p.Doc2]
		addLanes(&c[p.Parent], a[0]+b[0], a[1]+b[1], a[2]+b[2], a[3]+b[3])
	}
}

func pairsDown(dst, c, v []Lanes, pairs []Pair, omega []float64) {
	for i := range pairs {
		p := &pairs[i]
		from, a, b, w := &c[p.Parent], &v[p.Doc1], &v[p.Doc2], omega[p.Omega]
		v0 := from[0] + float64(w*(a[0]+b[0]))
		v1 := from[1] + float64(w*(a[1]+b[1]))
		v2 := from[2] + float64(w*(a[2]+b[2]))
		v3 := from[3] + float64(w*(a[3]+b[3]))
		addLanes(&dst[p.Doc1], v0, v1, v2, v3)
		addLanes(&dst[p.Doc2], v0, v1, v2, v3)
	}
}

func nodesUp(c []Lanes, nodes []Edge) {
	nodes = nodes[:len(c)]
	for t := len(c) - 1; t > 0; t-- {
		from := &c[t]
		addLanes(&c[nodes[t].Parent], from[0], from[1], from[2], from[3])
	}
}

func nodesDown(c []Lanes, nodes []Edge, omega []float64) {
	nodes = nodes[:len(c)]
	for t := 1; t < len(c); t++ {
		e := nodes[t]
		to, from, w := &c[t], &c[e.Parent], omega[e.Omega]
		to[0] = from[0] + float64(w*to[0])
		to[1] = from[1] + float64(w*to[1])
		to[2] = from[2] + float64(w*to[2])
		to[3] = from[3] + float64(w*to[3])
	}
}

// fanUp adds four interleaved sums of documents, and then these.
func fanUp(to *Lanes, v []Lanes, docs []uint16, by float64) {
	a0, a1 := sumPairAt(v, docs, 0)
	a2, a3 := sumPairAt(v, docs, 2)
	addTimes(to, by, Lanes{a0, a1, a2, a3})
}

func fanDown(dst []Lanes, docs []uint16, val *Lanes, by float64) {
	v0, v1, v2, v3 := float64(by*val[0]), float64(by*val[1]), float64(by*val[2]), float64(by*val[3])
	for _, doc := range docs {
		addLanes(&dst[doc], v0, v1, v2, v3)
	}
}

func addLanes(to *Lanes, v0, v1, v2, v3 float64) {
	to[0] += v0
	to[1] += v1
	to[2] += v2
	to[3] += v3
}

func addTimes(to *Lanes, by float64, v Lanes) {
	addLanes(to, float64(by*v[0]), float64(by*v[1]), float64(by*v[2]), float64(by*v[3]))
}

// sumPairAt is the sum of fanUp for vectors m and m + 1.
func sumPairAt(v []Lanes, index []uint16, m int) (sum0, sum1 float64) {
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
