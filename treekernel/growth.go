package treekernel

import (
	"math"
	"slices"
)

// growth lists, node by node, the fragments of trees that are rooted there: the subset trees of bounded depth and size. The first is the node's production, its label
// with those of its children; the others have some children replaced by fragments rooted at them, from left to right, so that each is made once.
type growth struct {
	bound     bounds
	fragments []grown
	lists     []span    // of each node's in fragments, empty for leaves
	numbers   []float64 // of each node's fragments with 1, 2, … productions, whatever their depth, as far as its parent may need them
	counted   []span    // of each node's in numbers, empty for leaves
	flow      []float64 // of explanations: what each fragment of the list gives each of its nodes
}

// bounds limits fragments.
type bounds struct {
	depth, size int32 // levels of productions, productions
}

// grown is a fragment at a node: the one before it with one more child expanded.
type grown struct {
	fragment    int32
	depth, size int32
	before      int32 // in the list; −1 for a production
	child       int32 // in the list: what hangs at the child
}

type span struct{ lo, hi int32 }

// Limits on what is listed: a node with very many fragments lists those with few productions only, see [SST].
const (
	mostSize     = 32      // productions of a fragment
	mostAtNode   = 1 << 12 // fragments at a node
	leastAtNode  = 1 << 2
	mostOfRecord = 1 << 22 // fragments of a record, unless it has more than mostOfRecord/leastAtNode nodes
)

// growAll lists the fragments of all nodes, children before parents.
func (p *profile) growAll(b bounds) {
	g, n := &p.grown, p.len()
	g.bound = b
	g.fragments, g.numbers = g.fragments[:0], g.numbers[:0]
	g.lists, g.counted = slices.Grow(g.lists[:0], n)[:n], slices.Grow(g.counted[:0], n)[:n]
	limit := float64(max(leastAtNode, min(mostAtNode, mostOfRecord/max(n, 1))))
	for i := int32(n) - 1; i >= 0; i-- {
		g.lists[i], g.counted[i] = span{}, span{}
		if !p.leaf(i) {
			p.grow(i, limit)
		}
	}
}

// grow lists the fragments rooted at node i.
func (p *profile) grow(i int32, limit float64) {
	g := &p.grown
	largest := p.largest(i, limit)
	production := p.production(i)
	list := span{lo: int32(len(g.fragments))}
	g.fragments = append(g.fragments, grown{fragment: production, depth: 1, size: 1, before: -1})
	position := int32(-1)
	for c := i + 1; c < p.end[i] && largest > 1; c = p.end[c] {
		position++
		if !p.leaf(c) {
			p.expand(list.lo, position, g.lists[c], largest)
		}
	}
	list.hi = int32(len(g.fragments))
	g.lists[i] = list
}

// production returns the fragment of a node with the labels of its children.
func (p *profile) production(i int32) int32 {
	fragment := p.alone(p.label[i])
	for c := i + 1; c < p.end[i]; c = p.end[c] {
		fragment = p.withLabel(fragment, p.label[c])
	}
	return fragment
}

// expand adds the fragments of the list from lo on with a child's fragments in its place.
func (p *profile) expand(lo, position int32, child span, largest int32) {
	g := &p.grown
	hi := int32(len(g.fragments))
	for c := child.lo; c < child.hi; c++ {
		hung := g.fragments[c]
		if hung.depth >= g.bound.depth || hung.size >= largest {
			continue
		}
		place := p.places.Add(uint64(position)<<32 | uint64(hung.fragment))
		for f := lo; f < hi; f++ {
			before := g.fragments[f]
			if before.size+hung.size > largest {
				continue
			}
			g.fragments = append(g.fragments, grown{
				fragment: p.expanded(before.fragment, place, hung.fragment),
				depth:    max(before.depth, hung.depth+1), size: before.size + hung.size, before: f, child: c,
			})
		}
	}
}

// largest counts the fragments rooted at node i, and returns how many productions they may have for no more than limit of them. A child has no more fragments with
// s − 1 productions than its parent has with s, so that what a parent needs of its children is listed there.
func (p *profile) largest(i int32, limit float64) int32 {
	g := &p.grown
	var room [mostSize]float64
	counts := room[:1:g.bound.size]
	counts[0] = 1
	for c := i + 1; c < p.end[i]; c = p.end[c] {
		if child := g.counted[c]; child.hi > child.lo {
			counts = multiply(counts, g.numbers[child.lo:child.hi])
		}
	}
	largest, total := g.bound.size, 0.0
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

// multiply makes counts of fragments with 1, 2, … productions those with one more child, which stays as it is or is replaced by one of its fragments. There is room for
// cap(counts) numbers; fragments with more productions are not counted.
func multiply(counts, child []float64) []float64 {
	before := len(counts)
	counts = counts[:min(cap(counts), before+len(child))]
	for s := len(counts) - 1; s > 0; s-- { // counts[s] is of s + 1 productions
		for t := max(0, s-before); t < min(s, len(child)); t++ {
			counts[s] += float64(child[t] * counts[s-1-t])
		}
		counts[s] = min(counts[s], math.MaxFloat32)
	}
	return counts
}

// countFragments counts what was listed, with the square root of the weight of a production, and leaves if they are features.
func (p *profile) countFragments(root float64, leaves bool) {
	for i := range int32(p.len()) {
		if leaves && p.leaf(i) {
			p.count(p.alone(p.label[i]), root)
		}
		list := p.grown.lists[i]
		for _, f := range p.grown.fragments[list.lo:list.hi] {
			p.count(f.fragment, power(root, f.size))
		}
	}
}

// spreadFragments gives each node the shares of the fragments that contain it. What flows to a fragment of a list, from those made of it as well, flows on to the one
// before it and the one hung at its child; in the end productions give it to the children they name, and to their own node if the fragment is rooted there.
func spreadFragments(p *profile, shares, nodes []float64, leaves bool) {
	g := &p.grown
	g.flow = zeros(g.flow, len(g.fragments))
	for i := range int32(p.len()) {
		if p.leaf(i) {
			if leaves {
				nodes[i] += shares[p.alone(p.label[i])]
			}
			continue
		}
		list := g.lists[i]
		for f := list.hi - 1; f >= list.lo; f-- {
			at := g.fragments[f]
			own := shares[at.fragment]
			nodes[i] += own
			g.flow[f] += own
			if at.before >= 0 {
				g.flow[at.before] += g.flow[f]
				g.flow[at.child] += g.flow[f]
			}
		}
		for c := i + 1; c < p.end[i]; c = p.end[c] {
			nodes[c] += g.flow[list.lo]
		}
	}
}
