package stringkernel

// streams is the product K·v on a tree whose leaves belong to documents, as flat arrays that four passes stream through:
//
//	up    c(t) = Σ v[doc] over the leaves below t      children before parents
//	down  val(t) = val(parent) + ω(t)·c(t)             parents before children
//	      (K·v)_j = Σ val over the leaves of document j
//
// Nodes are numbered in level order, parents before children, so c and val share one array and no pass waits for memory in a chain. The random side
// of every loop is v and the result, n numbers each. Nodes with two leaves and nothing else, more than half of the leaves on DNA, are kept apart as
// pairs: they need no c, and their four numbers come from one place.
type streams struct {
	parent []int32   // per node, parent[t] < t; node 0 is the root, whose val is 0
	omega  []float64 // per node
	node   []int32   // per leaf, ascending
	doc    []int32   // per leaf, ascending within a node
	pairs  []pair    // by ascending parent
}

// pair is a node whose only children are two leaves.
type pair struct {
	parent, doc1, doc2 int32
	omega              float64
}

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
	number := make([]int32, len(parent))
	s := &streams{parent: []int32{0}, omega: []float64{0}}
	var count, pairs int32 = 1, 0
	for t := 1; t < len(parent); t++ {
		if leaves[t] == 2 && !inner[t] {
			number[t] = -1 - pairs
			pairs++
		} else {
			number[t] = count
			count++
		}
	}
	s.addNodes(parent, omega, number, int(count), int(pairs))
	s.addLeaves(leafNode, leafDoc, number)
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

// addLeaves sorts the leaves by node, keeping their order by document: a counting sort.
func (s *streams) addLeaves(leafNode, leafDoc, number []int32) {
	start := make([]int32, len(s.parent)+1)
	for _, t := range leafNode {
		if k := number[t]; k > 0 {
			start[k+1]++
		}
	}
	for k := 1; k < len(start); k++ {
		start[k] += start[k-1]
	}
	total := start[len(start)-1]
	s.node, s.doc = make([]int32, total), make([]int32, total)
	for j, t := range leafNode {
		k := number[t]
		switch {
		case k > 0:
			s.node[start[k]], s.doc[start[k]] = k, leafDoc[j]
			start[k]++
		case k < 0:
			if p := &s.pairs[-1-k]; p.doc1 < 0 {
				p.doc1 = leafDoc[j]
			} else {
				p.doc2 = leafDoc[j]
			}
		}
	}
}

// nodes returns the length of the scratch array that addProduct needs.
func (s *streams) nodes() int { return len(s.parent) }

// addProduct adds K·v to dst; c is scratch with one entry per node.
func (s *streams) addProduct(dst, v, c []float64) {
	clear(c)
	doc := s.doc[:len(s.node)]
	for j, t := range s.node {
		c[t] += v[doc[j]]
	}
	for i := range s.pairs {
		p := &s.pairs[i]
		c[p.parent] += v[p.doc1] + v[p.doc2]
	}
	parent, omega := s.parent[:len(c)], s.omega[:len(c)]
	for t := len(c) - 1; t > 0; t-- {
		c[parent[t]] += c[t]
	}
	c[0] = 0
	for t := 1; t < len(c); t++ {
		c[t] = c[parent[t]] + float64(omega[t]*c[t])
	}
	for i := range s.pairs {
		p := &s.pairs[i]
		val := c[p.parent] + float64(p.omega*(v[p.doc1]+v[p.doc2]))
		dst[p.doc1] += val
		dst[p.doc2] += val
	}
	for j, t := range s.node {
		dst[doc[j]] += c[t]
	}
}
