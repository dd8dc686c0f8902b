// Package positions multiplies with Gram matrices that count the common prefixes of words at positions: sums over
// trees, a tree per position or pair of positions, in each of which every document has the same number of leaves.
package positions

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	engine "github.com/seqsvm/seqsvm/stringkernel/engine/tree"
)

// Shape is a tree as a sorted list of words gives it: node 0 is the root, Parent[t] < t, and the parents do not
// descend. Leaf lists the node above each leaf, Places leaves, 1 or 2, for each document after another.
type Shape struct {
	Parent []int32
	Omega  []float64 // the weight of each node
	Leaf   []int32
	Places int
}

// Tree is the product K·v on a tree whose leaves belong to documents:
//
//	scatter  c(t) = Σ v over the leaves of node t       document by document
//	up       c(t) = Σ c over the children               children before parents
//	down     val(t) = val(parent) + ω(t)·c(t)           parents before children
//	gather   (K·v)_j = Σ val over the leaves of j       document by document
//
// c and val share an array of slots: first the nodes in level order, then those with two leaves and nothing else, more
// than half of all on DNA, and four slots for each fan. A fan is the leaves of a node that has many; they are summed in
// four interleaved parts, so that additions need not wait for each other.
//
// Documents come in order, so only the slots are met at random, and they fit the cache. A leaf is the number of a slot,
// of 16 bits and, from 65,536 slots on, 8 or 16 more kept apart. What a node has is its weight ω and the distance of
// its parent from that of the node before it, most often 0 or 1. The weights are few, since they depend on two depths:
// a byte is the number of both together, but for rare ones.
type Tree interface {
	// Slots is the number of slots.
	Slots() int
	// spread scatters v into slots, and goes up and down.
	spread(c, v []float64)
	// gather adds the slots of each document to dst.
	gather(dst, c []float64)
}

// tree is a Tree whose slots' numbers fit 16 bits and those of High.
type tree[High uint8 | uint16] struct {
	nodes, pairs edges   // slots of pairs follow those of the nodes
	common       []edge  // by number, at most rare
	fans         []int32 // the node of each; its slots follow those of the pairs
	low          []uint16
	high         []High // nil if all are 0
	places       int
}

// edges are those from consecutive nodes to their parents, none less than the one before.
type edges struct {
	numbers []uint8
	rare    []edge
	last    int32 // parent
}

// edge is what a node has.
type edge struct {
	omega float64
	delta int32 // of its parent from that of the node before, which for the first is 0
}

const rare = math.MaxUint8 // the number of edges that are listed one by one

const (
	lanes     = 4  // of a fan
	fanLeaves = 8  // a node whose fans have fewer leaves on average is not worth them
	fanBits   = 16 // documents whose numbers differ above so many bits are in different fans
)

// Tree arranges a tree. Package cancel ends it.
func (b *Builder) Tree(ctx context.Context, s Shape) Tree {
	b.begin(ctx, s)
	if b.slots() <= 1<<24 {
		return finish[uint8](ctx, b)
	}
	return finish[uint16](ctx, b)
}

// Builder numbers the slots of trees, one after another. It has no trees in its memory: the zero value is ready.
type Builder struct {
	Shape
	number, leaves []int32 // per node: its new number, or −1 − that of a pair; and how many leaves it has
	nodes, pairs   int
	omega          engine.Numbering
	weights        []int32    // per node
	fans           []int32    // the node of each, by new number
	fanned         int32      // least number of leaves of a node with fans
	segments       int        // of documents
	firstFan       []int32    // per node: the number of its first fan, if it has any
	inner          []bool     // per node: it has nodes for children
	filled         [2][]int32 // per fan: its leaves, and those so far
}

// begin numbers the slots of a tree.
func (b *Builder) begin(ctx context.Context, s Shape) {
	size := len(s.Parent)
	b.number, b.leaves, b.inner = zeros(b.number, size), zeros(b.leaves, size), zeros(b.inner, size)
	b.Shape, b.nodes, b.pairs, b.omega, b.fans = s, 1, 0, engine.Numbering{}, nil
	for _, t := range s.Leaf {
		b.leaves[t]++
	}
	for t := 1; t < size; t++ {
		b.inner[s.Parent[t]] = true
	}
	b.segments = max(0, len(s.Leaf)/s.Places-1)>>fanBits + 1
	b.fanned = int32(fanLeaves * b.segments)
	b.firstFan, b.weights = zeros(b.firstFan, size), zeros(b.weights, size)
	for t := range cancel.Steps(ctx, 1, len(s.Parent)) {
		b.weights[t] = b.omega.Number(s.Omega[t])
		if b.leaves[t] == 2 && !b.inner[t] {
			b.number[t] = -1 - int32(b.pairs)
			b.pairs++
			continue
		}
		b.number[t] = int32(b.nodes)
		b.nodes++
		if b.leaves[t] >= b.fanned {
			b.firstFan[t] = int32(len(b.fans))
			for range b.segments {
				b.fans = append(b.fans, b.number[t])
			}
		}
	}
}

// zeros returns a vector of n zeros, in v's memory where that suffices.
func zeros[T any](v []T, n int) []T {
	v = scratch.Resize(v, n)
	clear(v)
	return v
}

// slots is the number of slots.
func (b *Builder) slots() int { return b.nodes + b.pairs + lanes*len(b.fans) }

// finish fills in a tree.
func finish[High uint8 | uint16](ctx context.Context, b *Builder) *tree[High] {
	t := &tree[High]{fans: b.fans, places: b.Places, low: make([]uint16, len(b.Leaf))}
	if b.slots() > math.MaxUint16+1 {
		t.high = make([]High, len(b.Leaf))
	}
	numbers := newEdgeNumbers(len(b.omega.Values))
	b.eachEdge(ctx, func(_ bool, delta, weight int32) { numbers.count(delta, weight) })
	t.common = numbers.assign(b.omega.Values)
	t.nodes.numbers, t.pairs.numbers = make([]uint8, 0, b.nodes-1), make([]uint8, 0, b.pairs)
	b.eachEdge(ctx, func(pair bool, delta, weight int32) {
		to := &t.nodes
		if pair {
			to = &t.pairs
		}
		number := numbers.number(delta, weight)
		if to.numbers = append(to.numbers, number); number == rare {
			to.rare = append(to.rare, edge{b.omega.Values[weight], delta})
		}
		to.last += delta
	})
	b.place(ctx, t.set)
	if b.Places > 1 {
		t.orderPlaces(b.nodes)
	}
	return t
}

// eachEdge calls visit for every node but the root, with the distance of its parent from that of the node, or pair,
// before it and the number of its weight.
func (b *Builder) eachEdge(ctx context.Context, visit func(pair bool, delta, weight int32)) {
	lastNode, lastPair := int32(0), int32(0)
	for old := range cancel.Steps(ctx, 1, len(b.Parent)) {
		parent, last, pair := b.number[b.Parent[old]], &lastNode, b.number[old] < 0 // the parent has a node below: no pair
		if pair {
			last = &lastPair
		}
		visit(pair, parent-*last, b.weights[old])
		*last = parent
	}
}

// edgeNumbers numbers the edges of a tree: the most frequent ones have numbers below rare.
type edgeNumbers struct {
	weights int
	counts  []int32 // of edges with a distance below nearest, by distance and weight; then their numbers
}

const nearest = 16

func newEdgeNumbers(weights int) *edgeNumbers {
	return &edgeNumbers{weights, make([]int32, nearest*weights)}
}

func (e *edgeNumbers) count(delta, weight int32) {
	if delta < nearest {
		e.counts[int(delta)*e.weights+int(weight)]++
	}
}

// assign replaces counts by numbers, and returns the edges by number.
func (e *edgeNumbers) assign(omega []float64) []edge {
	var found []int // places in counts
	for at, count := range e.counts {
		if count > 0 {
			found = append(found, at)
		}
	}
	slices.SortStableFunc(found, func(a, b int) int { return cmp.Compare(e.counts[b], e.counts[a]) })
	for at := range e.counts {
		e.counts[at] = rare
	}
	common := make([]edge, min(rare, len(found)))
	for number := range common {
		at := found[number]
		e.counts[at] = int32(number)
		common[number] = edge{omega[at%e.weights], int32(at / e.weights)}
	}
	return common
}

// number returns the number of an edge.
func (e *edgeNumbers) number(delta, weight int32) uint8 {
	if delta >= nearest {
		return rare
	}
	return uint8(e.counts[int(delta)*e.weights+int(weight)])
}

// place calls set with the slot of each leaf.
func (b *Builder) place(ctx context.Context, set func(leaf int, slot int32)) {
	b.filled[0], b.filled[1] = zeros(b.filled[0], len(b.fans)), zeros(b.filled[1], len(b.fans))
	inFan, lane := b.filled[0], b.filled[1]
	fan := func(leaf int, t int32) int32 {
		return b.firstFan[t] + int32(leaf/b.Places>>fanBits)
	}
	for leaf, t := range b.Leaf {
		if b.isFan(t) {
			inFan[fan(leaf, t)]++
		}
	}
	for leaf, t := range cancel.All(ctx, b.Leaf) {
		switch k := b.number[t]; {
		case k < 0:
			set(leaf, int32(b.nodes)-1-k)
		case b.isFan(t):
			f := fan(leaf, t)
			at := int32(0) // of the last ones, that do not fill all lanes
			if lane[f] < inFan[f]&^(lanes-1) {
				at = lane[f] % lanes
			}
			lane[f]++
			set(leaf, int32(b.nodes+b.pairs)+lanes*f+at)
		default:
			set(leaf, k)
		}
	}
}

func (b *Builder) isFan(t int32) bool { return t > 0 && b.number[t] > 0 && b.leaves[t] >= b.fanned }

// set makes a slot that of a leaf.
func (t *tree[High]) set(leaf int, slot int32) {
	if t.low[leaf] = uint16(slot); t.high != nil {
		t.high[leaf] = High(slot >> 16)
	}
}

// slot returns the slot of a leaf.
func (t *tree[High]) slot(leaf int) int32 {
	if t.high == nil {
		return int32(t.low[leaf])
	}
	return int32(t.low[leaf]) | int32(t.high[leaf])<<16
}

// orderPlaces sorts the leaves of each document of a tree with two places: pairs and fans before others.
func (t *tree[High]) orderPlaces(nodes int) {
	late := func(slot int32) int {
		if int(slot) < nodes {
			return math.MaxUint32 + int(slot)
		}
		return int(slot)
	}
	for i := 1; i < len(t.low); i += 2 {
		if a, b := t.slot(i-1), t.slot(i); late(a) > late(b) {
			t.set(i-1, b)
			t.set(i, a)
		}
	}
}
