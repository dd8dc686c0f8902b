package treekernel

import (
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/elementary"
)

// growth lists, node by node, the fragments of trees of bounded depth and size that are rooted there, each once. The
// first of a node is its smallest; the others are built from it by including children, from left to right.
//
// Fragments of subset trees begin with a production, a node with the labels of all its children, and children are
// replaced by fragments rooted at them; leaves have none. Partial trees begin with a single node, to which any children
// are added with a fragment rooted at them.
type growth struct {
	kind      kind
	fragments []grown
	lists     []span // of each node's in fragments
	// number of each node's fragments of size 1, 2, …, of any depth, as far as its parent may need them
	numbers []float64
	counted []span    // of each node's in numbers
	flow    []float64 // of explanations: the share of each fragment of the list for each of its nodes
}

// kind defines the fragments and their weights.
type kind struct {
	partial     bool
	depth, size int32   // levels of the largest fragments, and their productions, or nodes of partial trees
	unit        float64 // √weight of a production, or node
	end         float64 // of partial trees, √weight of a node without children in the fragment
	gap         float64 // of partial trees, √weight of a child left out between others
	leaves      bool    // of subset trees: leaves are fragments
}

// grown is a fragment at a node: an earlier one with one more child.
type grown struct {
	fragment    int32
	depth, size int32
	before      int32   // in the list; −1 for the first
	child       int32   // in the list: the fragment at the child
	last        int32   // position of the child
	value       float64 // √weight of this occurrence; of a node alone, without end
}

type span struct{ lo, hi int32 }

func (s span) empty() bool { return s.lo == s.hi }

// Limits of the lists: a node with very many fragments lists only the small ones, see [SST].
const (
	mostSize     = 32      // of a fragment
	mostAtNode   = 1 << 12 // fragments at a node
	leastAtNode  = 1 << 2
	mostOfRecord = 1 << 22 // fragments of a record, unless it has more than mostOfRecord/leastAtNode nodes
)

// growAll lists the fragments of all nodes, children before parents.
func (p *profile) growAll(k kind) {
	g, n := &p.grown, p.len()
	g.kind = k
	g.fragments, g.numbers = g.fragments[:0], g.numbers[:0]
	g.lists, g.counted = slices.Grow(g.lists[:0], n)[:n], slices.Grow(g.counted[:0], n)[:n]
	limit := float64(max(leastAtNode, min(mostAtNode, mostOfRecord/max(n, 1))))
	for i := int32(n) - 1; i >= 0; i-- {
		g.lists[i], g.counted[i] = span{}, span{}
		if k.partial || !p.leaf(i) {
			p.grow(i, limit)
		}
	}
}

// grow lists the fragments rooted at node i.
func (p *profile) grow(i int32, limit float64) {
	g := &p.grown
	largest := p.largest(i, limit)
	first := grown{depth: 1, size: 1, before: -1, value: g.kind.unit}
	if g.kind.partial {
		first.fragment = p.alone(p.label[i])
	} else {
		first.fragment = p.production(i)
	}
	lo, position := int32(len(g.fragments)), int32(-1)
	g.fragments = append(g.fragments, first)
	for c := i + 1; c < p.end[i] && largest > 1; c = p.end[c] {
		position++
		p.extend(lo, position, g.lists[c], largest)
	}
	g.lists[i] = span{lo, int32(len(g.fragments))}
}

// production returns the fragment of a node with the labels of its children.
func (p *profile) production(i int32) int32 {
	fragment := p.alone(p.label[i])
	for c := i + 1; c < p.end[i]; c = p.end[c] {
		fragment = p.withLabel(fragment, p.label[c])
	}
	return fragment
}

// extend extends the fragments of the list from lo on by those of a child.
func (p *profile) extend(lo, position int32, child span, largest int32) {
	g := &p.grown
	hi := int32(len(g.fragments))
	for c := child.lo; c < child.hi; c++ {
		hung := g.fragments[c]
		if hung.depth >= g.kind.depth || hung.size >= largest {
			continue
		}
		if hung.before < 0 && g.kind.partial {
			hung.value *= g.kind.end
		}
		place := int32(0)
		if !g.kind.partial {
			place = p.places.Add(uint64(position)<<32 | uint64(hung.fragment))
		}
		for f := lo; f < hi; f++ {
			before := g.fragments[f]
			if before.size+hung.size > largest {
				continue
			}
			longer := grown{before: f, child: c, last: position, value: before.value * hung.value}
			longer.depth, longer.size = max(before.depth, hung.depth+1), before.size+hung.size
			if g.kind.partial {
				longer.fragment = p.withSubtree(before.fragment, hung.fragment)
				if before.before >= 0 {
					longer.value *= elementary.Power(g.kind.gap, position-before.last-1)
				}
			} else {
				longer.fragment = p.expanded(before.fragment, place, hung.fragment)
			}
			g.fragments = append(g.fragments, longer)
		}
	}
}

// largest counts the fragments rooted at node i, and returns the largest size for which there are at most limit of
// them. A child has no more fragments up to size s − 1 than its parent has up to s, so its list has what the parent
// needs.
func (p *profile) largest(i int32, limit float64) int32 {
	g := &p.grown
	var room [mostSize]float64
	counts := room[:1:g.kind.size]
	counts[0] = 1
	for c := i + 1; c < p.end[i]; c = p.end[c] {
		if child := g.counted[c]; !child.empty() {
			counts = multiply(counts, g.numbers[child.lo:child.hi])
		}
	}
	largest, total := g.kind.size, 0.0
	for s, count := range counts {
		if total += count; total > limit {
			largest, counts = max(int32(s), 1), counts[:s+1] // the parent needs to see that there are too many
			break
		}
	}
	g.counted[i] = span{int32(len(g.numbers)), int32(len(g.numbers) + len(counts))}
	g.numbers = append(g.numbers, counts...)
	return largest
}

// multiply updates counts of fragments of size 1, 2, … for one more child, which is left out or included with one of
// its fragments. There is room for cap(counts) numbers; larger fragments are not counted.
func multiply(counts, child []float64) []float64 {
	before := len(counts)
	counts = counts[:min(cap(counts), before+len(child))]
	for s := len(counts) - 1; s > 0; s-- { // counts[s] is of size s + 1
		for t := max(0, s-before); t < min(s, len(child)); t++ {
			counts[s] += float64(child[t] * counts[s-1-t])
		}
		counts[s] = min(counts[s], math.MaxFloat32)
	}
	return counts
}

// worth returns √weight of an occurrence that is a feature.
func (k *kind) worth(f *grown) float64 {
	if k.partial && f.before < 0 {
		return f.value * k.end
	}
	return f.value
}

// ofShape returns √weight of an occurrence without gaps.
func (k *kind) ofShape(s shape) float64 {
	switch {
	case k.partial:
		return elementary.Power(k.unit, s.nodes) * elementary.Power(k.end, s.leaves)
	case s.alone: // a leaf
		return k.unit
	default:
		return elementary.Power(k.unit, s.productions)
	}
}

// countFragments counts the fragments listed.
func (p *profile) countFragments() {
	g := &p.grown
	for i := range int32(p.len()) {
		if g.kind.leaves && p.leaf(i) {
			p.count(p.alone(p.label[i]), g.kind.unit)
		}
		list := g.lists[i]
		for f := list.lo; f < list.hi; f++ {
			p.count(g.fragments[f].fragment, g.kind.worth(&g.fragments[f]))
		}
	}
}

// spreadFragments gives each node the shares of the fragments that contain it. The flow into a fragment of a list,
// including that from the fragments built from it, continues to the one before it and the one at its child; finally
// productions pass it to the children they name. A node gets the shares of the fragments rooted there.
func spreadFragments(p *profile, shares, nodes []float64) {
	g := &p.grown
	g.flow = zeros(g.flow, len(g.fragments))
	for i := range int32(p.len()) {
		if g.kind.leaves && p.leaf(i) {
			nodes[i] += float64(shares[p.alone(p.label[i])] * g.kind.unit)
		}
		list := g.lists[i]
		for f := list.hi - 1; f >= list.lo; f-- {
			at := &g.fragments[f]
			own := float64(shares[at.fragment] * g.kind.worth(at))
			g.flow[f] += own
			if !g.kind.partial {
				nodes[i] += own
			}
		}
		p.flowDown(i, nodes)
	}
}

// flowDown passes on the flow into the fragments of node i.
func (p *profile) flowDown(i int32, nodes []float64) {
	g := &p.grown
	list := g.lists[i]
	if list.empty() {
		return
	}
	for f := list.hi - 1; f > list.lo; f-- {
		at := &g.fragments[f]
		g.flow[at.before] += g.flow[f]
		g.flow[at.child] += g.flow[f]
	}
	if g.kind.partial {
		nodes[i] += g.flow[list.lo]
		return
	}
	for c := i + 1; c < p.end[i]; c = p.end[c] {
		nodes[c] += g.flow[list.lo]
	}
}
