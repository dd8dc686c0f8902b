package treekernel

import (
	"math"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Enumerator lists the fragments of a bounded kernel as trees in brackets; nil for others.
func (k SST) Enumerator() stringkernel.Enumerator { return enumeratorOf(k.engine()) }

// Enumerator lists the fragments of a bounded kernel as trees in brackets; nil for others.
func (k PTK) Enumerator() stringkernel.Enumerator { return enumeratorOf(k.engine()) }

// Enumerator lists subtrees in brackets.
func (k Subtree) Enumerator() stringkernel.Enumerator { return enumeratorOf(k.features()) }

func enumeratorOf(e engine) stringkernel.Enumerator {
	if f, explicit := e.(*features); explicit {
		return enumerator{f}
	}
	return nil
}

// enumerator is a kernel with a finite feature space.
type enumerator struct{ *features }

// EachFeature lists the fragments of x with φ, none if x is not trees: see [stringkernel.Enumerator]. O(fragments), and
// the length of their names.
func (e enumerator) EachFeature(x []byte, visit func(name string, value float64)) {
	p, v := e.profiler(), new(vocabulary)
	_ = p.take(x) // a record that is not trees has no features
	if p.of(p.profile, v, true) != nil {
		panic("treekernel: EachFeature: too many fragments") // more bytes than a record may have
	}
	for i, to := range p.to {
		if value := p.values[i]; value != 0 {
			visit(v.name(to, namer{left: math.MaxInt, bytes: math.MaxInt}), value)
		}
	}
}
