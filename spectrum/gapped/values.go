package gapped

import (
	"context"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Values: the pairs of k-mers are counted by distance, or k(x, x) of a long x is found at once by a table or masks.

// eval counts pairs by distance. Counts are whole numbers if weights are: only the sum over distances rounds then.
func (e *engine) eval(x, y []byte) float64 {
	switch {
	case e.wide():
		return e.evalWide(context.Background(), x, y)
	case e.diagonal():
		return e.evalDiagonals(x, y)
	}
	a, b := kmerPool.Get().(*kmers), kmerPool.Get().(*kmers)
	defer kmerPool.Put(a)
	defer kmerPool.Put(b)
	a.list(e, x)
	b.list(e, y)
	counts := make([]float64, len(e.h))
	for i, u := range a.codes {
		e.countFrom(counts, u, a.weight(i), b, 0)
	}
	return e.total(counts)
}

// countFrom adds the weights of the pairs of u and each k-mer of a list from one on, of both strands if both count, to
// the counts of their distances.
func (e *engine) countFrom(counts []float64, u uint64, weight float64, w *kmers, from int) {
	e.count(counts, u, weight, w.codes[from:], w.weightsFrom(from))
	if e.rc {
		e.count(counts, u, weight, w.opposite[from:], w.weightsFrom(from))
	}
}

// count is countFrom of k-mers with weights, or without.
func (e *engine) count(counts []float64, u uint64, weight float64, codes []uint64, weights []float64) {
	switch {
	case e.alike != nil:
		for j, v := range codes {
			pair := float64(weight * e.likeness(u, v))
			if len(weights) > 0 {
				pair *= weights[j]
			}
			counts[e.coder.distance(u, v)] += pair
		}
	case len(weights) > 0:
		for j, v := range codes {
			if m := e.coder.distance(u, v); m <= e.reach {
				counts[m] += float64(weight * weights[j])
			}
		}
	default:
		var pairs [2][65]uint32 // two lists, so that equal distances in a row need not wait for each other
		for j, v := range codes {
			pairs[j&1][e.coder.distance(u, v)&63]++
		}
		for m := range counts {
			counts[m] += float64(weight * float64(pairs[0][m]+pairs[1][m]))
		}
	}
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

// selfValues returns k(x, x) of all records.
func (e *engine) selfValues(ctx context.Context, c *stringkernel.Corpus) []float64 {
	values := make([]float64, c.Len())
	parallel.EachContext(ctx, c.Len(), func(i int) { values[i] = e.selfEval(ctx, c.Seq(i)) })
	return values
}

// selfEval counts each pair of different k-mers once, and twice in the sum; or finds all at once where that is less
// work.
func (e *engine) selfEval(ctx context.Context, x []byte) float64 {
	switch {
	case e.wide():
		return e.evalWide(ctx, x, x)
	case e.diagonal() && len(x) < longSequence:
		return e.selfEvalDiagonals(ctx, x)
	}
	w := kmerPool.Get().(*kmers)
	defer kmerPool.Put(w)
	w.list(e, x)
	switch n := float64(len(w.codes)); {
	case e.pairTime(n*n/2) > e.selfTime(n):
		return e.selfAtOnce(ctx, w)
	case e.diagonal():
		return e.selfEvalDiagonals(ctx, x)
	case e.counted() && e.coder.bits == 2 && e.alike == nil:
		return e.selfEvalCounted(ctx, x, w)
	}
	counts, own := make([]float64, len(e.h)), make([]float64, len(e.h))
	for i, u := range w.codes {
		cancel.Check(ctx)
		weight := w.weight(i)
		e.countFrom(counts, u, weight, w, i+1) // d(u, rc v) = d(rc u, v)
		own[0] += float64(weight * weight)
		if e.rc {
			e.count(own, u, weight, w.opposite[i:i+1], w.weightsFrom(i))
		}
	}
	for m := range counts {
		counts[m] = 2*counts[m] + own[m]
	}
	return e.total(counts)
}

// selfEvalCounted is selfEval of nucleotides through a function. With the numbers n of places, the weight b of a k-mer
// at one and e = w − b·n, which is 0 for most k-mers,
//
//	Σ_u Σ_v w_u w_v h(d(u, v)) = b²·Σ_u Σ_v n_u n_v h(d(u, v)) + Σ_u e_u Σ_v (w_v + b·n_v) h(d(u, v))
//
// whose first sum is that of raw counts.
func (e *engine) selfEvalCounted(ctx context.Context, x []byte, w *kmers) float64 {
	base, excess, counts := e.weights.of(single), slices.Clone(w.weights), make([]float64, len(e.h))
	for i, n := range w.places {
		raw := float64(base * n)
		excess[i] -= raw
		w.weights[i] += raw
	}
	for i, a := range excess {
		if a != 0 {
			cancel.Check(ctx)
			e.countFrom(counts, w.codes[i], a, w, 0)
		}
	}
	return float64(base*base*e.selfEvalDiagonals(ctx, x)) + e.total(counts)
}

// longSequence is the number of letters from which k(x, x) of nucleotides may be found at once in less time than along
// diagonals.
const longSequence = 20_000

// selfTime estimates the time of selfAtOnce for a number of k-mers.
func (e *engine) selfTime(kmers float64) float64 {
	return min(e.selfTableTime(), e.selfMaskTime(kmers))
}

func (e *engine) selfTableTime() float64 {
	if !e.tabular() {
		return math.Inf(1)
	}
	return e.convolutionTime(float64(e.coder.size))
}

func (e *engine) selfMaskTime(kmers float64) float64 {
	if e.alike != nil || !e.listable() {
		return math.Inf(1)
	}
	return e.strandCount() * kmers * e.maskCount() * selfMaskedTime
}

// selfAtOnce is k(x, x) by a convolution of the table of all k-mers, or by masks: Σ_S a_S Σ_f c_f², where c_f is the
// sum of the weights of the k-mers that are f on the positions S.
func (e *engine) selfAtOnce(ctx context.Context, w *kmers) (sum float64) {
	both := kmers{codes: w.codes, weights: w.weights}
	if e.rc {
		both.codes, both.weights = append(w.codes, w.opposite...), append(w.weights, w.weights...)
	}
	if e.selfTableTime() < e.selfMaskTime(float64(len(w.codes))) {
		table := scratch.Borrow(&alikePool, e.coder.size)
		defer alikePool.Put(table)
		clear(*table)
		for i, code := range both.codes {
			(*table)[e.coder.place(code)] += both.weight(i)
		}
		e.convolve(ctx, *table)
		for i, code := range both.codes {
			sum += float64(both.weight(i) * (*table)[e.coder.place(code)])
		}
		return sum
	}
	s := numbererPool.Get().(*numberer)
	defer numbererPool.Put(s)
	sums := make([]float64, len(both.codes))
	for _, m := range e.masks() {
		cancel.Check(ctx)
		s.numberKmers(ctx, both.codes, m)
		clear(sums)
		squares := 0.0
		for i, id := range s.ids { // a more than c adds a(2c + a)
			a := both.weight(i)
			squares += float64(a * (sums[id] + sums[id] + a))
			sums[id] += a
		}
		sum += float64(m.weight * squares)
	}
	return sum
}
