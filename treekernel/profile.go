package treekernel

import (
	"fmt"
	"math"
	"sync"

	"github.com/seqsvm/seqsvm/internal/intern"
)

// profile is a record as weighted counts of the features of an explicit kernel. Features are fragments of trees, built
// step by step from smaller ones, so that a fragment is a pair of numbers and equal fragments have equal numbers,
// without collisions:
//
//	a node alone                       (start, its label)
//	a node with one more child         (the node so far, the child's label or the child's subtree)
//	a fragment with one more expansion (the fragment so far, the place of a leaf and the fragment that hangs there)
//
// Numbers refer to the record's own small tables; a [translation] finds the fragments among those of a model or corpus.
// It is for one goroutine.
type profile struct {
	*reader
	graph *graphs // of records that are graphs, which then has the table of labels of the reader; else nil
	dictionary
	values []float64 // φ of each fragment, Σ √weight over its occurrences; 0 for those that are only part of a feature
	counts []int32   // occurrences of each fragment as a feature
	sizes  []int32   // nodes of each fragment, counting the leaves of productions
	nodes  []int32   // fragment that is each node's subtree or class
	grown  growth    // the fragments at each node
	walks  walks     // of graphs
	excess error     // the record has too many features
}

// dictionary numbers fragments.
type dictionary struct {
	pairs  intern.Pairs // the pairs above, by number of the fragment
	places intern.Pairs // (position of a child, fragment), what an expansion adds
}

// The upper bits of the second number of a pair give its meaning.
const (
	absent     = math.MaxUint32 // what a vocabulary lacks: intern.None
	start      = absent - 1     // first number of a node alone
	labelMark  = 1 << 31
	placeMark  = 1 << 30
	mostNumber = 1<<30 - 1 // of fragments and places of a dictionary, and of labels
)

func newProfile(l Labels) *profile { return &profile{reader: newReader(l)} }

// record is what a profile counts the fragments of: trees or a graph.
type record interface {
	read(x []byte) error         // after an error there are no nodes
	len() int                    // nodes
	spread(dst, nodes []float64) // contributions of nodes over the bytes of their labels
}

func (p *profile) record() record {
	if p.graph != nil {
		return p.graph
	}
	return p.reader
}

// clear removes the record.
func (p *profile) clear() {
	p.table.Reset()
	p.pairs.Reset()
	p.places.Reset()
	p.values, p.counts, p.sizes, p.nodes = p.values[:0], p.counts[:0], p.sizes[:0], p.nodes[:0]
	p.excess = nil
}

// alone returns the fragment of a node without children.
func (p *profile) alone(label int32) int32 {
	return p.fragment(uint64(start)<<32|labelMark|uint64(label), 1)
}

// withLabel adds a child of which only the label counts.
func (p *profile) withLabel(fragment, label int32) int32 {
	return p.fragment(uint64(fragment)<<32|labelMark|uint64(label), p.sizes[fragment]+1)
}

// withSubtree adds a child with everything below it.
func (p *profile) withSubtree(fragment, child int32) int32 {
	return p.fragment(uint64(fragment)<<32|uint64(child), p.sizes[fragment]+p.sizes[child])
}

// expanded replaces the leaf at a place, child number position of the fragment's root, with a fragment.
func (p *profile) expanded(fragment, place, child int32) int32 {
	return p.fragment(uint64(fragment)<<32|placeMark|uint64(place), p.sizes[fragment]+p.sizes[child]-1)
}

func (p *profile) fragment(key uint64, size int32) int32 {
	id := p.pairs.Add(key)
	if int(id) == len(p.values) {
		p.values, p.counts, p.sizes = append(p.values, 0), append(p.counts, 0), append(p.sizes, size)
	}
	return id
}

// count counts an occurrence of a feature with the square root of its weight.
func (p *profile) count(fragment int32, root float64) {
	p.values[fragment] += root
	p.counts[fragment]++
}

// vocabulary is the fragments of a corpus or model, [rows.Features] of a kernel that has them.
type vocabulary struct {
	labels intern.Terms
	dictionary
	features *features
	shapes   func() []shape
	idle     sync.Pool // of *profiler
}

// translation finds the fragments of a profile in a vocabulary.
type translation struct {
	to     []int32 // number of each fragment in the vocabulary, intern.None for what it lacks
	labels []int32 // the same for labels
	places []int32 // the same for places, unseen until needed by a fragment
}

const unseen = -2

// of fills t with the numbers of p's fragments in v. What the vocabulary lacks is added to it if open; it is an error
// if it gets full.
func (t *translation) of(p *profile, v *vocabulary, open bool) error {
	t.to, t.labels, t.places = t.to[:0], t.labels[:0], t.places[:0]
	for i := range p.table.Len() {
		t.labels = append(t.labels, v.labels.Number(p.table.At(i), open))
	}
	for range p.places.Keys {
		t.places = append(t.places, unseen)
	}
	for _, key := range p.pairs.Keys {
		first, second := uint32(key>>32), uint32(absent)
		if first != start {
			first = uint32(t.to[first])
		}
		if first != absent {
			second = t.second(uint32(key), p, v, open)
		}
		if second == absent {
			t.to = append(t.to, intern.None)
			continue
		}
		t.to = append(t.to, v.pairs.Number(uint64(first)<<32|uint64(second), open))
	}
	if n := max(v.labels.Len(), len(v.pairs.Keys), len(v.places.Keys)); n > mostNumber {
		return fmt.Errorf("%d different fragments, want at most %d: bound their size or depth", n, mostNumber)
	}
	return nil
}

// second translates the second number of a pair.
func (t *translation) second(mine uint32, p *profile, v *vocabulary, open bool) uint32 {
	switch {
	case mine&labelMark != 0:
		return marked(t.labels[mine&^labelMark], labelMark)
	case mine&placeMark == 0:
		return uint32(t.to[mine])
	}
	place := &t.places[mine&^placeMark]
	if *place == unseen {
		*place = intern.None
		key := p.places.Keys[mine&^placeMark]
		if child := uint32(t.to[key&intern.Mask]); child != absent {
			*place = v.places.Number(key&^intern.Mask|uint64(child), open)
		}
	}
	return marked(*place, placeMark)
}

func marked(number int32, mark uint32) uint32 {
	if number == intern.None {
		return absent
	}
	return uint32(number) | mark
}
