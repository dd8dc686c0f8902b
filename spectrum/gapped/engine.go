package gapped

import (
	"context"
	"math/big"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/similarity"
	"github.com/seqsvm/seqsvm/spectrum/hadamard"
	"github.com/seqsvm/seqsvm/spectrum/internal/krawtchouk"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// engine is a kernel k(x, y) = Σ_u Σ_v w_u w_v h(d(u, v)) over the k-mers u of x and v of y, with the weights of
// weights.go: what every kernel of this package is.
type engine struct {
	name     string
	remedy   string // what to change if there are too many masks
	alphabet stringkernel.Alphabet
	coder    coder
	h        []float64 // by distance
	reach    int       // greatest distance with h ≠ 0
	eigen    []float64 // of h, by the number of letters
	parts    []float64 // of h, by the number of positions chosen
	tabular  bool      // whether there is a table for all k-mers
	centre   centre
	weights  *weighing
	rc       bool
	alike    *similarity.Matrix // nil if letters are equal or not

	selfMasks []selfMask // for k(x, x); none where it is counted by pairs
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
		weights: newWeighing(f),
		h:       krawtchouk.Floats(h), eigen: krawtchouk.Floats(eigen), parts: krawtchouk.Floats(krawtchouk.ByPositions(h)),
	}
	if rc && length == turnedLength {
		e.coder.half = middleBit(length)
	}
	e.tabular = e.coder.top > 0 && e.tableSize() <= maxTable
	for m, v := range e.h {
		if v != 0 {
			e.reach = m
		}
	}
	e.listSelfMasks()
	return e
}

// tableSize returns σ^l of a tabular engine.
func (e *engine) tableSize() int { return int(e.coder.top) * e.coder.sigma }

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

// k-mers is the list of k-mers of a sequence, in order.
type kmers struct {
	codes    []uint64  // packed, for distances
	opposite []uint64  // packed, of the reverse complements; empty unless both strands count
	weights  []float64 // empty if all are 1
	stored   []weight  // that they are the values of
	space    []uint64  // to sort in
}

var kmerPool = sync.Pool{New: func() any { return new(kmers) }}

// list fills in the k-mers of x.
func (w *kmers) list(e *engine, x []byte) {
	w.codes, w.opposite, w.weights, w.stored = w.codes[:0], w.opposite[:0], w.weights[:0], w.stored[:0]
	e.eachWeighed(x, func(packed uint64, _ uint32, weight weight) {
		w.codes = append(w.codes, packed)
		if e.rc {
			w.opposite = append(w.opposite, e.coder.reverseComplement(packed))
		}
		if !e.uniform() {
			w.weights, w.stored = append(w.weights, e.weights.of(weight)), append(w.stored, weight)
		}
	})
}

// eval counts pairs by distance. Counts are whole numbers: only the sum over distances rounds.
func (e *engine) eval(x, y []byte) float64 {
	if e.wide() {
		return e.evalWide(context.Background(), x, y)
	}
	if e.alike != nil || e.counted() {
		return e.evalPairs(x, y)
	}
	if e.diagonal() {
		return e.evalDiagonals(x, y)
	}
	a, b := kmerPool.Get().(*kmers), kmerPool.Get().(*kmers)
	defer kmerPool.Put(a)
	defer kmerPool.Put(b)
	a.list(e, x)
	b.list(e, y)
	counts := make([]float64, len(e.h))
	for i, u := range a.codes {
		e.countFrom(counts, u, a.weight(i), b.codes, b.weights)
		if e.rc {
			e.countFrom(counts, u, a.weight(i), b.opposite, b.weights)
		}
	}
	return e.total(counts)
}

// selfEval counts each pair of different k-mers once, and twice in the sum; or masked or distinct k-mers, where that is
// less work.
func (e *engine) selfEval(ctx context.Context, x []byte) float64 {
	if e.wide() {
		return e.evalWide(ctx, x, x)
	}
	if e.alike != nil || e.counted() {
		return e.selfEvalPairs(ctx, x)
	}
	if e.diagonal() {
		if len(x) >= longSequence {
			return e.selfEvalLong(ctx, x)
		}
		return e.selfEvalDiagonals(ctx, x)
	}
	w := kmerPool.Get().(*kmers)
	defer kmerPool.Put(w)
	w.list(e, x)
	if e.masksCountSelf(len(w.codes)) {
		return e.selfByMasks(ctx, w.codes)
	}
	counts, across := make([]float64, len(e.h)), make([]float64, len(e.h))
	for i, u := range w.codes {
		cancel.Check(ctx)
		weight := w.weight(i)
		e.countFrom(counts, u, weight, w.codes[i+1:], w.weightsFrom(i+1))
		if e.rc { // d(u, rc v) = d(rc u, v)
			e.countFrom(counts, u, weight, w.opposite[i+1:], w.weightsFrom(i+1))
			across[e.coder.distance(u, w.opposite[i])] += float64(weight * weight)
		}
		across[0] += float64(weight * weight)
	}
	for m := range counts {
		counts[m] = 2*counts[m] + across[m]
	}
	return e.total(counts)
}

// total is the kernel value of pairs counted by distance. With both strands, pairs of the other strand of x are twice
// as many.
func (e *engine) total(counts []float64) float64 {
	sum := 0.0
	for m, n := range counts {
		sum += float64(n * e.h[m])
	}
	if e.rc {
		sum *= 2
	}
	return sum
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

// countFrom adds, for each code, its weight times that of u to the count of its distance from u.
func (e *engine) countFrom(counts []float64, u uint64, weight float64, codes []uint64, weights []float64) {
	if len(weights) > 0 {
		for j, v := range codes {
			counts[e.coder.distance(u, v)] += float64(weight * weights[j])
		}
		return
	}
	var pairs [2][65]uint32 // two lists, so that equal distances in a row need not wait for each other
	for j, v := range codes {
		pairs[j&1][e.coder.distance(u, v)&63]++
	}
	for m := range counts {
		counts[m] += float64(weight * float64(pairs[0][m]+pairs[1][m]))
	}
}
