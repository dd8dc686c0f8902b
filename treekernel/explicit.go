package treekernel

import (
	"math"
	"sync"

	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/internal/stored"
)

// features is a kernel with a finite feature space: φ_f(x) = Σ √w over the occurrences of f in x, for the fragments f
// of its trees.
type features struct {
	graphs bool // records are graphs, not trees
	sees   Labels
	// count counts the features of the record that was read, or sets p.excess if there are too many.
	count func(p *profile)
	// spread adds to nodes, one number per node, the contributions of the occurrences of fragments: shares[f]·√w for
	// each node of an occurrence of f.
	spread func(p *profile, shares, nodes []float64)
	// worth returns √w of an occurrence without gaps.
	worth func(s shape) float64
}

// kernel returns the kernel of a name with parameters k.
func (f *features) kernel(name string, k interface{ Check() error }) rows.Kernel {
	return rows.Kernel{
		Name: name, Parameters: k,
		Empty:  func() rows.Features { return f.vocabulary() },
		Stored: func(a *stored.Arrays) (rows.Features, error) { return f.restore(a) },
	}
}

// profiler counts one record after another, a [rows.Reader].
type profiler struct {
	*features
	*profile
	translation
	known *vocabulary
}

func (f *features) profiler(v *vocabulary) *profiler {
	p := newProfile(f.sees)
	if f.graphs {
		p.graph = &graphs{table: &p.table}
	}
	return &profiler{features: f, profile: p, known: v}
}

// Read counts the features of x. If x is not such a record, or has too many, it returns an error and counts none.
func (p *profiler) Read(x []byte) error {
	p.clear()
	err := p.record().read(x)
	if err == nil {
		p.features.count(p.profile)
		err = p.excess
	}
	if err != nil {
		p.clear()
	}
	return err
}

// Self returns k(x, x).
func (p *profiler) Self() float64 { return rows.SumOfSquares(p.values) }

// Found translates the fragments of x.
func (p *profiler) Found(open bool) (rows.Found, error) {
	err := p.of(p.profile, p.known, open)
	return rows.Found{IDs: p.to, Values: p.values, Counts: p.counts}, err
}

// Spread spreads the contribution of each occurrence of a fragment evenly over its nodes, and that of each node over
// the bytes of its label.
func (p *profiler) Spread(dst, weights []float64) {
	for i, size := range p.sizes {
		weights[i] /= float64(size)
	}
	nodes := make([]float64, p.record().len())
	p.features.spread(p.profile, weights, nodes)
	p.record().spread(dst, nodes)
}

// vocabulary returns one without fragments.
func (f *features) vocabulary() *vocabulary {
	v := &vocabulary{features: f}
	v.shapes = sync.OnceValue(v.listShapes)
	return v
}

// Len returns the number of fragments.
func (v *vocabulary) Len() int { return len(v.pairs.Keys) }

// Worth returns √w of an occurrence without gaps.
func (v *vocabulary) Worth(id int32) float64 { return v.features.worth(v.shapes()[id]) }

// Borrow returns an idle reader.
func (v *vocabulary) Borrow() rows.Reader {
	if p, ok := v.idle.Get().(*profiler); ok {
		return p
	}
	return v.features.profiler(v)
}

// Return makes a reader idle.
func (v *vocabulary) Return(r rows.Reader) { v.idle.Put(r) }

// Name returns a fragment as a tree in brackets; unless it is to be whole, a large one is cut, with … for the rest.
func (v *vocabulary) Name(id int32, whole bool) string {
	w := namer{left: 200, bytes: 1000}
	if whole {
		w = namer{left: math.MaxInt, bytes: math.MaxInt}
	}
	return v.name(id, w)
}
