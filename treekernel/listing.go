package treekernel

import (
	"bytes"

	"github.com/seqsvm/seqsvm/treekernel/bracket"
)

// shape is what the weight of an occurrence of a fragment depends on, apart from gaps.
type shape struct {
	nodes, productions, leaves int32
	alone                      bool // a node without children
}

// listShapes returns the shape of every fragment, each computed from those it consists of, which precede it.
func (v *vocabulary) listShapes() []shape {
	list := make([]shape, len(v.pairs.Keys))
	for i, key := range v.pairs.Keys {
		first, second := uint32(key>>32), uint32(key)
		if first == start {
			list[i] = shape{nodes: 1, leaves: 1, alone: true}
			continue
		}
		s := list[first]
		if s.alone {
			s.leaves = 0
		}
		s.alone = false
		switch {
		case second&labelMark != 0:
			s.nodes, s.productions = s.nodes+1, 1
		case second&placeMark != 0:
			child := list[v.placed(second)]
			s.nodes, s.productions = s.nodes+child.nodes-1, s.productions+child.productions
		default:
			child := list[second]
			s.nodes, s.leaves = s.nodes+child.nodes, s.leaves+child.leaves
		}
		list[i] = s
	}
	return list
}

// placed returns the fragment of a place.
func (v *vocabulary) placed(second uint32) uint32 { return uint32(v.places.Keys[second&^placeMark]) }

// name returns a fragment as a tree in brackets; a larger one than the limits allow is cut, with … for the rest.
func (v *vocabulary) name(fragment int32, limits namer) string {
	var w bracket.Writer
	n := limits
	n.vocabulary, n.writer = v, &w
	n.write(uint32(fragment))
	return string(w.Bytes())
}

type namer struct {
	*vocabulary
	writer *bracket.Writer
	left   int // nodes to show
	bytes  int // of a label
}

// branch is a child in a fragment: a label, or a label with what is below it.
type branch struct {
	label, fragment uint32
	whole           bool
}

// write writes a fragment, down to the number of nodes left to show.
func (n *namer) write(fragment uint32) {
	var steps []uint32
	for first := fragment; first != start; {
		key := n.pairs.Keys[first]
		steps = append(steps, uint32(key))
		first = uint32(key >> 32)
	}
	var children []branch
	for i := len(steps) - 2; i >= 0; i-- {
		second := steps[i]
		switch {
		case second&labelMark != 0:
			children = append(children, branch{label: second &^ labelMark})
		case second&placeMark == 0:
			children = append(children, branch{fragment: second, whole: true})
		default:
			if position := n.places.Keys[second&^placeMark] >> 32; position < uint64(len(children)) {
				children[position] = branch{fragment: n.placed(second), whole: true}
			}
		}
	}
	n.open(steps[len(steps)-1] &^ labelMark)
	for _, c := range children {
		switch {
		case n.left <= 0:
			n.writer.OpenString("…")
			n.writer.Close()
			n.writer.Close()
			return
		case c.whole:
			n.write(c.fragment)
		default:
			n.open(c.label)
			n.writer.Close()
		}
	}
	n.writer.Close()
}

func (n *namer) open(label uint32) {
	n.left--
	name := bracket.Unescape(nil, n.labels.At(int(label)))
	if len(name) > n.bytes {
		name = append(bytes.ToValidUTF8(name[:n.bytes], nil), "…"...)
	}
	n.writer.Open(name)
}
