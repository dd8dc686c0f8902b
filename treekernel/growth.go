package treekernel

import (
	"math"
	"slices"
)

// growth lists, node by node, the fragments of trees of bounded depth and size that are rooted there, each once. The
// first of a node is its smallest; the others are made from those by letting children take part, from left to right.
//
// Fragments of subset trees begin with a production, a node with the labels of all its children, and children are
// replaced by fragments rooted at them; leaves have none. Partial trees begin with a node alone, and any children are
// added with a fragment rooted at them.
type growth struct {
	kind      kind
	fragments []grown
	lists     []span // of each node's in fragments
	// of each node's fragments of size 1, 2, …, whatever their depth, as far as its parent may need them
	numbers []float64
	counted []span    // of each node's in numbers
	flow    []float64 // of explanations: what each fragment of the list gives each of its nodes
}

// kind says which fragments there are and what each is worth.
type kind struct {
	partial     bool
	depth, size int32   // levels of the largest fragments, and their productions, or nodes of partial trees
	unit        float64 // √weight of a production, or node
	end         float64 // of partial trees, √weight of a node without children in the fragment
	gap         float64 // of partial trees, √weight of a child left out between others
	leaves      bool    // of subset trees: leaves are fragments
}

// grown is a fragment at a node: the one before it with one more child that takes part.
type grown struct {
	fragment    int32
	depth, size int32
	before      int32   // in the list; −1 for the first
	child       int32   // in the list: what hangs at the child
	last        int32   // position of the child
	value       float64 // √weight of this occurrence; of a node alone, without end
}

type span struct{ lo, hi int32 }

func (s span) empty() bool { return s.lo == s.hi }

// Limits on what is listed: a node with very many fragments lists the small ones only, see [SST].
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

// extend adds the fragments of the list from lo on with those of a child.
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
			longer := grown{depth: max(before.depth, hung.depth+1), size: before.size + hung.size, before: f, child: c, last: position, value: before.value * hung.value}
			if g.kind.partial {
				longer.fragment = p.withSubtree(before.fragment, hung.fragment)
				if before.before >= 0 {
					longer.value *= power(g.kind.gap, position-before.last-1)
				}
			} else {
				longer.fragment = p.expanded(before.fragment, place, hung.fragment)
			}
			g.fragments = append(g.fragments, longer)
		}
	}
}

// largest counts the fragments rooted at node i, and returns which size they may have for no more than limit of them. A
// child has no more fragments up to size s − 1 than its parent has up to s, so that what a parent needs of its children
// is listed there.
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

// multiply makes counts of fragments of size 1, 2, … those with one more child, which does not take part or does with
// one of its fragments. There is room for cap(counts) numbers; larger fragments are not counted.
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

// worth returns the √weight of an occurrence that is a feature.
func (k *kind) worth(f *grown) float64 {
	if k.partial && f.before < 0 {
		return f.value * k.end
	}
	return f.value
}

// ofShape returns the √weight of an occurrence without gaps.
func (k *kind) ofShape(s shape) float64 {
	switch {
	case k.partial:
		return power(k.unit, s.nodes) * power(k.end, s.leaves)
	case s.alone: // a leaf
		return k.unit
	default:
		return power(k.unit, s.productions)
	}
}

// countFragments counts what was listed.
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

// spreadFragments gives each node the shares of the fragments that contain it. What flows to a fragment of a list, from
// those made of it as well, flows on to the one before it and the one hung at its child; in the end productions give it
// to the children they name. A fragment's root gets what is rooted there.
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

// flowDown hands on what has flowed to the fragments of node i.
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
