// Package positions multiplies with Gram matrices that count the common prefixes of words at positions: sums over
// trees, a tree per position or pair of positions, in each of which every document has the same number of leaves.
package positions

import (
	"context"
	"math"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/simd"
	"github.com/seqsvm/seqsvm/internal/streams"
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
// Documents come in order, so only the slots are met at random, and they fit the cache. A leaf is the number of a slot;
// a parent is its distance from the parent of the node before it, most often 0 or 1: a byte. The weights ω are few,
// since they depend on two depths: nodes hold numbers of a table.
type Tree interface {
	// Slots is the number of slots.
	Slots() int
	// spread scatters v into slots, and goes up and down.
	spread(c, v []float64)
	// gather adds the slots of each document to dst.
	gather(dst, c []float64)
	// spread4 and gather4 are the same for four vectors.
	spread4(c, v []simd.Lanes)
	gather4(dst, c []simd.Lanes)
}

// tree is a Tree whose slots and numbers of weights fit the types.
type tree[Slot uint16 | uint32, Weight uint8 | uint32] struct {
	nodes   parents
	pairs   parents  // their slots follow those of the nodes
	fans    []int32  // the node of each; its slots follow those of the pairs
	weights []Weight // of nodes and pairs, as numbers of omega
	omega   []float64
	leaves  []Slot // places for each document
	places  int
}

const (
	lanes     = 4  // of a fan, and of a block of vectors
	fanLeaves = 8  // a node whose fans have fewer leaves on average is not worth them
	fanBits   = 16 // documents whose numbers differ above so many bits are in different fans
)

// NewTree arranges a tree. Package cancel ends it.
func NewTree(ctx context.Context, s Shape) Tree {
	b := newBuilder(ctx, s)
	few := len(b.omega.Values) <= math.MaxUint8+1
	switch slots := b.slots(); {
	case slots <= math.MaxUint16+1 && few:
		return finish[uint16, uint8](ctx, b)
	case slots <= math.MaxUint16+1:
		return finish[uint16, uint32](ctx, b)
	case few:
		return finish[uint32, uint8](ctx, b)
	default:
		return finish[uint32, uint32](ctx, b)
	}
}

// builder numbers the slots of a tree.
type builder struct {
	Shape
	number, leaves []int32 // per node: its new number, or −1 − that of a pair; and how many leaves it has
	nodes, pairs   int
	omega          streams.Numbering
	weights        []int32 // per node
	fans           []int32 // the node of each, by new number
	fanned         int32   // least number of leaves of a node with fans
	segments       int     // of documents
	firstFan       []int32 // per node: the number of its first fan, if it has any
}

func newBuilder(ctx context.Context, s Shape) *builder {
	b := &builder{Shape: s, number: make([]int32, len(s.Parent)), leaves: make([]int32, len(s.Parent)), nodes: 1}
	for _, t := range s.Leaf {
		b.leaves[t]++
	}
	inner := make([]bool, len(s.Parent)) // has nodes for children
	for t := 1; t < len(s.Parent); t++ {
		inner[s.Parent[t]] = true
	}
	b.segments = max(0, len(s.Leaf)/s.Places-1)>>fanBits + 1
	b.fanned = int32(fanLeaves * b.segments)
	b.firstFan, b.weights = make([]int32, len(s.Parent)), make([]int32, len(s.Parent))
	for t := range cancel.Steps(ctx, 1, len(s.Parent)) {
		b.weights[t] = b.omega.Number(s.Omega[t])
		if b.leaves[t] == 2 && !inner[t] {
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
	return b
}

// slots is the number of slots.
func (b *builder) slots() int { return b.nodes + b.pairs + lanes*len(b.fans) }

// finish fills in a tree.
func finish[Slot uint16 | uint32, Weight uint8 | uint32](ctx context.Context, b *builder) *tree[Slot, Weight] {
	t := &tree[Slot, Weight]{
		fans: b.fans, weights: make([]Weight, b.nodes+b.pairs), omega: b.omega.Values,
		leaves: make([]Slot, len(b.Leaf)), places: b.Places,
	}
	t.nodes.delta, t.pairs.delta = make([]uint8, 0, b.nodes-1), make([]uint8, 0, b.pairs)
	for old := range cancel.Steps(ctx, 1, len(b.Parent)) {
		parent, weight := b.number[b.Parent[old]], Weight(b.weights[old]) // no pair: it has a node below it
		if k := b.number[old]; k < 0 {
			t.weights[b.nodes-1-int(k)] = weight
			t.pairs.add(parent)
		} else {
			t.weights[k] = weight
			t.nodes.add(parent)
		}
	}
	b.place(ctx, func(leaf int, slot int32) { t.leaves[leaf] = Slot(slot) })
	if b.Places > 1 {
		orderPlaces(t.leaves, b.nodes)
	}
	return t
}

// place calls set with the slot of each leaf.
func (b *builder) place(ctx context.Context, set func(leaf int, slot int32)) {
	inFan := make([]int32, len(b.fans)) // leaves
	fan := func(leaf int, t int32) int32 {
		return b.firstFan[t] + int32(leaf/b.Places>>fanBits)
	}
	for leaf, t := range b.Leaf {
		if b.isFan(t) {
			inFan[fan(leaf, t)]++
		}
	}
	lane := make([]int32, len(b.fans)) // leaves so far
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

func (b *builder) isFan(t int32) bool { return t > 0 && b.number[t] > 0 && b.leaves[t] >= b.fanned }

// parents are those of consecutive nodes, none less than the one before.
type parents struct {
	delta []uint8 // from the one before, which for the first is 0; or far
	far   []int32 // those that do not fit
	last  int32
}

const far = math.MaxUint8

func (p *parents) add(parent int32) {
	if d := parent - p.last; d < far {
		p.delta = append(p.delta, uint8(d))
	} else {
		p.delta, p.far = append(p.delta, far), append(p.far, d)
	}
	p.last = parent
}

// orderPlaces sorts the leaves of each document of a tree with two places: pairs and fans before others.
func orderPlaces[Slot uint16 | uint32](leaves []Slot, nodes int) {
	late := func(s Slot) int {
		if int(s) < nodes {
			return math.MaxUint32 + int(s)
		}
		return int(s)
	}
	for i := 1; i < len(leaves); i += 2 {
		if late(leaves[i-1]) > late(leaves[i]) {
			leaves[i-1], leaves[i] = leaves[i], leaves[i-1]
		}
	}
}
