package stringkernel

// streams is the product K·v on a tree whose leaves belong to documents, as flat arrays that four passes stream through:
//
//	up    c(t) = Σ v[doc] over the leaves below t      children before parents
//	down  val(t) = val(parent) + ω(t)·c(t)             parents before children
//	      (K·v)_j = Σ val over the leaves of document j
//
// Nodes are numbered in level order, parents before children, so c and val share one array and no pass waits for memory in a chain. The random side
// of every loop is v and the result, n numbers each.
//
// Leaves are kept in three ways. Nodes with two leaves and nothing else, more than half of the leaves on DNA, are pairs: they need no c, and
// their four numbers come from one place. Nodes with many leaves, all there is where the length is bounded, are fans: a list of documents. The rest are
// (node, document) one by one.
type streams struct {
	parent []int32   // per node, parent[t] < t; node 0 is the root, whose val is 0
	omega  []float64 // per node
	pairs  []pair    // by ascending parent
	fans   []fan     // by ascending node
	spread []int32   // documents of the fans' leaves, ascending within a fan
	node   []int32   // per leaf of the others, ascending
	doc    []int32   // per leaf of the others, ascending within a node
}

// pair is a node whose only children are two leaves.
type pair struct {
	parent, doc1, doc2 int32
	omega              float64
}

// fan is a node with at least fanLeaves leaves: those of spread up to end, from the end of the fan before it.
type fan struct {
	node, end int32
}

const fanLeaves = 8

// newStreams arranges a tree. leafNode and leafDoc list the leaves by ascending document; leaves of the root are dropped, their
// val is 0.
func newStreams(parent []int32, omega []float64, leafNode, leafDoc []int32) *streams {
	leaves := make([]int32, len(parent)) // per node
	for _, t := range leafNode {
		leaves[t]++
	}
	inner := make([]bool, len(parent)) // has nodes for children
	for t := 1; t < len(parent); t++ {
		inner[parent[t]] = true
	}
	// Nodes that stay are renumbered; pairs get their place among the pairs as −1 − place.
	s, number := new(streams), make([]int32, len(parent))
	var count, pairs int32 = 1, 0
	for t := 1; t < len(parent); t++ {
		if leaves[t] == 2 && !inner[t] {
			number[t] = -1 - pairs
			pairs++
		} else {
			number[t] = count
			leaves[count] = leaves[t] // count ≤ t: by new number from here on
			count++
		}
	}
	s.addNodes(parent, omega, number, int(count), int(pairs))
	s.addLeaves(leafNode, leafDoc, number, leaves[:count])
	return s
}

// addNodes fills in the nodes that stay and the pairs. A pair's parent has a node below it, so it stays.
func (s *streams) addNodes(parent []int32, omega []float64, number []int32, count, pairs int) {
	s.parent, s.omega = make([]int32, count), make([]float64, count)
	s.pairs = make([]pair, pairs)
	for t := 1; t < len(parent); t++ {
		up := number[parent[t]]
		if k := number[t]; k < 0 {
			s.pairs[-1-k] = pair{parent: up, doc1: -1, omega: omega[t]}
		} else {
			s.parent[k], s.omega[k] = up, omega[t]
		}
	}
}

// addLeaves sorts the leaves by node, keeping their order by document: a counting sort into the fans' list and the others'. leaves has
// their number per node that stays.
func (s *streams) addLeaves(leafNode, leafDoc, number, leaves []int32) {
	next := make([]int32, len(leaves)) // where the node's next leaf goes
	var spread, others int32
	for k := 1; k < len(leaves); k++ {
		if leaves[k] >= fanLeaves {
			next[k] = spread
			spread += leaves[k]
			s.fans = append(s.fans, fan{node: int32(k), end: spread})
		} else {
			next[k] = others
			others += leaves[k]
		}
	}
	s.spread, s.node, s.doc = make([]int32, spread), make([]int32, others), make([]int32, others)
	for j, t := range leafNode {
		k, doc := number[t], leafDoc[j]
		switch {
		case k > 0 && leaves[k] >= fanLeaves:
			s.spread[next[k]] = doc
			next[k]++
		case k > 0:
			s.node[next[k]], s.doc[next[k]] = k, doc
			next[k]++
		case k < 0 && s.pairs[-1-k].doc1 < 0:
			s.pairs[-1-k].doc1 = doc
		case k < 0:
			s.pairs[-1-k].doc2 = doc
		}
	}
}

// nodes returns the length of the scratch array that addProduct needs.
func (s *streams) nodes() int { return len(s.parent) }

// addProduct adds K·v to dst; c is scratch with one entry per node.
func (s *streams) addProduct(dst, v, c []float64) {
	clear(c)
	s.leavesUp(v, c)
	parent, omega := s.parent[:len(c)], s.omega[:len(c)]
	for t := len(c) - 1; t > 0; t-- {
		c[parent[t]] += c[t]
	}
	c[0] = 0
	for t := 1; t < len(c); t++ {
		c[t] = c[parent[t]] + float64(omega[t]*c[t])
	}
	s.leavesDown(dst, v, c)
}

// leavesUp adds v to the nodes right above the leaves.
func (s *streams) leavesUp(v, c []float64) {
	start := int32(0)
	for _, f := range s.fans {
		c[f.node] = sumAt(v, s.spread[start:f.end])
		start = f.end
	}
	doc := s.doc[:len(s.node)]
	for j, t := range s.node {
		c[t] += v[doc[j]]
	}
	for i := range s.pairs {
		p := &s.pairs[i]
		c[p.parent] += v[p.doc1] + v[p.doc2]
	}
}

// leavesDown adds the val of the nodes right above the leaves to the documents.
func (s *streams) leavesDown(dst, v, c []float64) {
	for i := range s.pairs {
		p := &s.pairs[i]
		val := c[p.parent] + float64(p.omega*(v[p.doc1]+v[p.doc2]))
		dst[p.doc1] += val
		dst[p.doc2] += val
	}
	start := int32(0)
	for _, f := range s.fans {
		val := c[f.node]
		for _, doc := range s.spread[start:f.end] {
			dst[doc] += val
		}
		start = f.end
	}
	doc := s.doc[:len(s.node)]
	for j, t := range s.node {
		dst[doc[j]] += c[t]
	}
}

// sumAt returns Σ v[i] over a list of indices, in four interleaved sums, so that additions need not wait for each other.
func sumAt(v []float64, index []int32) float64 {
	var s0, s1, s2, s3 float64
	for ; len(index) >= 4; index = index[4:] {
		s0 += v[index[0]]
		s1 += v[index[1]]
		s2 += v[index[2]]
		s3 += v[index[3]]
	}
	for _, i := range index {
		s0 += v[i]
	}
	return (s0 + s1) + (s2 + s3)
}
