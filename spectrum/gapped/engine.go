package gapped

import (
	"context"
	"math/big"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/similarity"
	"github.com/seqsvm/seqsvm/spectrum/hadamard"
	"github.com/seqsvm/seqsvm/spectrum/internal/krawtchouk"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// engine is a kernel k(x, y) = Σ_u Σ_v w_u w_v h(d(u, v)) over the k-mers u of x and v of y, with the weights of
// weights.go: what both kernels are.
type engine struct {
	name     string
	remedy   string // what to change if there are too many masks
	alphabet stringkernel.Alphabet
	coder    coder
	h        []float64 // by distance
	reach    int       // greatest distance with h ≠ 0
	eigen    []float64 // of h, by the number of letters
	bySize   []float64 // a_s of h(m) = Σ_s a_s C(l−m, s), by the number s of positions chosen
	centre   centre
	weights  weighing
	rc       bool
	alike    *similarity.Matrix // nil if letters are equal or not
}

// newEngine makes the engine of a kernel by name; remedy names the parameters that make it smaller.
func newEngine(
	name, remedy string, a stringkernel.Alphabet, length int, h []*big.Rat, clip bool, c centre, f stringkernel.Count,
	rc bool,
) *engine {
	eigen := krawtchouk.Eigenvalues(a.Size(), h)
	if clip {
		for _, v := range eigen {
			if v.Sign() < 0 {
				v.SetInt64(0)
			}
		}
		h = krawtchouk.FromEigenvalues(a.Size(), eigen)
	}
	e := &engine{
		name: name, remedy: remedy, alphabet: a, coder: newCoder(a, length), centre: c, rc: rc,
		weights: newWeighing(f), h: krawtchouk.Floats(h), eigen: krawtchouk.Floats(eigen),
		bySize: krawtchouk.Floats(krawtchouk.ByPositions(h)),
	}
	for m, v := range e.h {
		if v != 0 {
			e.reach = m
		}
	}
	return e
}

// strandCount returns how many strands of a record count.
func (e *engine) strandCount() float64 {
	if e.rc {
		return 2
	}
	return 1
}

// tabular reports whether there is a table for all k-mers.
func (e *engine) tabular() bool { return e.coder.size > 0 }

// counted reports whether counts are seen through a function.
func (e *engine) counted() bool { return e.weights.counts != nil }

// uniform reports whether each occurrence of a k-mer weighs 1. Else what it adds to a score depends on its place, or on
// others.
func (e *engine) uniform() bool { return e.centre.peak == 0 && !e.counted() }

// convolve replaces a table of coefficients by one of scores.
func (e *engine) convolve(ctx context.Context, table []float64) {
	if e.alike != nil {
		e.convolveAlike(ctx, table)
		return
	}
	if err := hadamard.Convolve(ctx, table, e.coder.sigma, e.coder.length, e.eigen); err != nil {
		cancel.Check(ctx) // there is no other error
	}
}

// eachWeighed calls visit for the k-mers of x and their weights: for each place in order, or through a function for
// each k-mer once, ascending, and of it and its reverse complement, if both strands count, for the lesser.
func (e *engine) eachWeighed(x []byte, visit func(packed uint64, w weight)) {
	if e.counted() {
		e.eachDistinct(x, visit)
		return
	}
	places := len(x) - e.coder.length + 1
	for i, packed := range e.coder.kmers.All(x) {
		visit(packed, weight(e.centre.weight(i, places)))
	}
}

// eachDistinct is eachWeighed through a function.
func (e *engine) eachDistinct(x []byte, visit func(packed uint64, w weight)) {
	list := kmerPool.Get().(*kmers)
	defer kmerPool.Put(list)
	list.codes = list.codes[:0]
	for _, packed := range e.coder.kmers.All(x) {
		list.codes = append(list.codes, e.canonical(packed))
	}
	kmer.Sort(list.codes, 0, uint(e.coder.bits*e.coder.length), &list.space)
	for lo, hi := 0, 0; lo < len(list.codes); lo = hi {
		code := list.codes[lo]
		for hi = lo + 1; hi < len(list.codes) && list.codes[hi] == code; hi++ {
		}
		visit(code, e.weightOf(code, hi-lo))
	}
}

// eachPlace calls visit for the k-mers of x in order of their places, and what each adds to the weight of its k-mer:
// through a function its share, which is the same for all places of a k-mer.
func (e *engine) eachPlace(x []byte, visit func(i int, packed uint64, weight float64)) {
	var counts hash.Table
	if e.counted() {
		counts.Reset(2 * len(x))
		for _, packed := range e.coder.kmers.All(x) {
			counts.At(e.canonical(packed)).Value++
		}
	}
	places := len(x) - e.coder.length + 1
	for i, packed := range e.coder.kmers.All(x) {
		value := e.centre.weight(i, places)
		if e.counted() {
			n := int(counts.Find(e.canonical(packed)))
			value = e.weights.of(e.weightOf(packed, n)) / float64(n)
		}
		visit(i, packed, value)
	}
}

// canonical returns the k-mer that a k-mer is listed under.
func (e *engine) canonical(packed uint64) uint64 {
	return min(packed, e.opposite(packed))
}

// opposite returns the reverse complement of a k-mer if both strands count, else the k-mer.
func (e *engine) opposite(packed uint64) uint64 {
	if !e.rc {
		return packed
	}
	return e.coder.reverseComplement(packed)
}

// weightOf returns the weight of a k-mer that occurs that many times in a record.
func (e *engine) weightOf(code uint64, places int) weight {
	w := weight(2 * places)
	if e.rc && e.coder.reverseComplement(code) == code {
		w++
	}
	return w
}

// once returns what the only occurrence of a k-mer weighs.
func (e *engine) once(code uint64) float64 {
	if e.counted() {
		return e.weights.of(e.weightOf(code, 1))
	}
	return 1
}

// kmers is the k-mers of a sequence, as eachWeighed lists them.
type kmers struct {
	codes    []uint64  // packed, for distances
	opposite []uint64  // packed, of the reverse complements; empty unless both strands count
	weights  []float64 // empty if all are 1
	places   []float64 // through a function, how many each k-mer has
	space    []uint64  // to sort in
}

var kmerPool = sync.Pool{New: func() any { return new(kmers) }}

// list fills in the k-mers of x.
func (w *kmers) list(e *engine, x []byte) {
	w.codes, w.opposite, w.weights, w.places = w.codes[:0], w.opposite[:0], w.weights[:0], w.places[:0]
	e.eachWeighed(x, func(packed uint64, weight weight) {
		w.codes = append(w.codes, packed)
		if e.rc {
			w.opposite = append(w.opposite, e.coder.reverseComplement(packed))
		}
		if !e.uniform() {
			w.weights, w.places = append(w.weights, e.weights.of(weight)), append(w.places, float64(weight>>1))
		}
	})
}

func (w *kmers) weight(i int) float64 {
	if len(w.weights) == 0 {
		return 1
	}
	return w.weights[i]
}

func (w *kmers) weightsFrom(i int) []float64 {
	if len(w.weights) == 0 {
		return nil
	}
	return w.weights[i:]
}
