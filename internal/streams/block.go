package streams

// lanes is how many vectors a pass over the streams takes along: an entry of a document or a node is then 32 bytes, half a cache line.
const lanes = 4

// lane4 is one entry of each of four vectors.
type lane4 = [lanes]float64

// leastLanes is the least number of vectors that a pass for four is worth.
const leastLanes = 3

// addProducts is addProduct for four vectors, each with the same operations in the same order.
func (s *Tree) addProducts(dst, v, c []lane4) {
	clear(c)
	s.leavesUpBlock(v, c)
	nodes := s.nodes[:len(c)]
	for t := len(c) - 1; t > 0; t-- {
		to, from := &c[nodes[t].parent], &c[t]
		to[0] += from[0]
		to[1] += from[1]
		to[2] += from[2]
		to[3] += from[3]
	}
	c[0] = lane4{}
	for t := 1; t < len(c); t++ {
		e := nodes[t]
		to, from, w := &c[t], &c[e.parent], s.omega[e.omega]
		to[0] = from[0] + float64(w*to[0])
		to[1] = from[1] + float64(w*to[1])
		to[2] = from[2] + float64(w*to[2])
		to[3] = from[3] + float64(w*to[3])
	}
	s.leavesDownBlock(dst, v, c)
}

func (s *Tree) leavesUpBlock(v, c []lane4) {
	start := int32(0)
	for _, f := range s.fans {
		docs, part, to := s.spread[start:f.end], v[f.base:], &c[f.node]
		a, b := sumPairAt(part, docs, 0)
		to[0] += a
		to[1] += b
		a, b = sumPairAt(part, docs, 2)
		to[2] += a
		to[3] += b
		start = f.end
	}
	doc := s.doc[:len(s.node)]
	for j, t := range s.node {
		to, from := &c[t], &v[doc[j]]
		to[0] += from[0]
		to[1] += from[1]
		to[2] += from[2]
		to[3] += from[3]
	}
	for i := range s.pairs {
		p := &s.pairs[i]
		to, a, b := &c[p.parent], &v[p.doc1], &v[p.doc2]
		to[0] += a[0] + b[0]
		to[1] += a[1] + b[1]
		to[2] += a[2] + b[2]
		to[3] += a[3] + b[3]
	}
}

func (s *Tree) leavesDownBlock(dst, v, c []lane4) {
	for i := range s.pairs {
		p := &s.pairs[i]
		from, a, b, w := &c[p.parent], &v[p.doc1], &v[p.doc2], s.omega[p.omega]
		v0 := from[0] + float64(w*(a[0]+b[0]))
		v1 := from[1] + float64(w*(a[1]+b[1]))
		v2 := from[2] + float64(w*(a[2]+b[2]))
		v3 := from[3] + float64(w*(a[3]+b[3]))
		addLanes(&dst[p.doc1], v0, v1, v2, v3)
		addLanes(&dst[p.doc2], v0, v1, v2, v3)
	}
	start := int32(0)
	for _, f := range s.fans {
		val, part := c[f.node], dst[f.base:]
		v0, v1, v2, v3 := val[0], val[1], val[2], val[3]
		for _, doc := range s.spread[start:f.end] {
			addLanes(&part[doc], v0, v1, v2, v3)
		}
		start = f.end
	}
	doc := s.doc[:len(s.node)]
	for j, t := range s.node {
		from := &c[t]
		addLanes(&dst[doc[j]], from[0], from[1], from[2], from[3])
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
