package background

import (
	"math/rand/v2"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// kmerGraph is the de Bruijn multigraph of a run of letters: a node per distinct k-mer of w letters, and an edge per
// occurrence of a k-mer of w+1, from its first w letters to its last. The run is an Euler path, and every Euler path
// spells a run with the same k-mers.
type kmerGraph struct {
	first, last int32   // nodes at which the paths begin and end
	letter      []byte  // of a node: the last of its letters, what an edge into it spells
	ends        []int32 // of a node: the edges out of it are to[ends[v−1]:ends[v]]
	to          []int32 // nodes the edges lead to, in the order in which the path takes them
}

func newKmerGraph(run []byte, w int, a stringkernel.Alphabet) *kmerGraph {
	node, letter := numberKmers(run, w, a)
	edges := len(node) - 1
	g := &kmerGraph{first: node[0], last: node[edges], letter: letter, ends: make([]int32, len(letter)),
		to: make([]int32, edges)}
	for _, v := range node[:edges] {
		g.ends[v]++
	}
	sum := int32(0)
	for v, degree := range g.ends {
		g.ends[v] = sum // where the edges of v begin; filling them in moves it to where they end
		sum += degree
	}
	for i, v := range node[:edges] {
		g.to[g.ends[v]] = node[i+1]
		g.ends[v]++
	}
	return g
}

// numberKmers numbers the distinct k-mers of w letters in the order in which they first occur, and returns the number
// of the k-mer at each position and the last letter of each.
func numberKmers(run []byte, w int, a stringkernel.Alphabet) (node []int32, letter []byte) {
	number := newNumbering(a.Bits()*w, len(run))
	codes, bits := a.Codes(), uint(a.Bits())
	mask := ^uint64(0) >> (64 - bits*uint(w))
	node = make([]int32, 0, len(run)-w+1)
	code := uint64(0)
	for i, b := range run {
		code = (code<<bits | uint64(codes[b])) & mask
		if i < w-1 {
			continue
		}
		v := number.of(code)
		if int(v) == len(letter) {
			letter = append(letter, b)
		}
		node = append(node, v)
	}
	return node, letter
}

// numbering gives numbers 0, 1, … to codes as they come: by an array where one is small beside the run, else by a map.
type numbering struct {
	direct []int32 // 1 + the number
	sparse map[uint64]int32
	count  int32
}

func newNumbering(bits, letters int) *numbering {
	if bits < 32 && 1<<bits <= max(256, letters) {
		return &numbering{direct: make([]int32, 1<<bits)}
	}
	return &numbering{sparse: map[uint64]int32{}}
}

func (n *numbering) of(code uint64) int32 {
	if n.direct != nil {
		if n.direct[code] == 0 {
			n.count++
			n.direct[code] = n.count
		}
		return n.direct[code] - 1
	}
	v, known := n.sparse[code]
	if !known {
		v = n.count
		n.sparse[code] = v
		n.count++
	}
	return v
}

// begin returns where the edges out of a node begin.
func (g *kmerGraph) begin(v int32) int32 {
	if v == 0 {
		return 0
	}
	return g.ends[v-1]
}

// shuffle puts the edges into the order of an Euler path drawn uniformly: the edges by which nodes are left for the
// last time are a random tree towards the last node, and those before it come in any order.
func (g *kmerGraph) shuffle(rng *rand.Rand) {
	exits := g.randomTree(rng)
	for v := range g.ends {
		lo, hi := g.begin(int32(v)), g.ends[v]
		if int32(v) != g.last {
			hi--
			exit := exits[v]
			g.to[exit], g.to[hi] = g.to[hi], g.to[exit]
		}
		edges := g.to[lo:hi]
		rng.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
	}
}

// randomTree draws a spanning tree of edges that lead to the last node, uniformly, by Wilson's loop-erased random
// walks, and returns the edge out of every other node.
func (g *kmerGraph) randomTree(rng *rand.Rand) []int32 {
	exits := make([]int32, len(g.ends))
	inTree := make([]bool, len(g.ends))
	inTree[g.last] = true
	for v := range int32(len(g.ends)) {
		for u := v; !inTree[u]; u = g.to[exits[u]] { // a loop is erased by overwriting its exits
			lo := g.begin(u)
			exits[u] = lo + rng.Int32N(g.ends[u]-lo)
		}
		for u := v; !inTree[u]; u = g.to[exits[u]] {
			inTree[u] = true
		}
	}
	return exits
}

// walk spells the path: the letter of every node after the first.
func (g *kmerGraph) walk(dst []byte) {
	next := make([]int32, len(g.ends))
	for v := range next {
		next[v] = g.begin(int32(v))
	}
	v := g.first
	for i := range dst {
		edge := next[v]
		next[v]++
		v = g.to[edge]
		dst[i] = g.letter[v]
	}
}
