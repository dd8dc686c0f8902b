package gapped

import (
	"context"
	"math/bits"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/scratch"
)

// Where letters resemble each other, or counts are seen through a function, what pairs of k-mers weigh is added up pair
// by pair. k(x, x) of a long sequence through a function goes by the table of all k-mers, or where there is none by
// masks, where that is less work.

// evalPairs adds up the weights of pairs of k-mers.
func (e *engine) evalPairs(x, y []byte) float64 {
	a, b := kmerPool.Get().(*kmers), kmerPool.Get().(*kmers)
	defer kmerPool.Put(a)
	defer kmerPool.Put(b)
	a.list(e, x)
	b.list(e, y)
	sum := 0.0
	for i, u := range a.codes {
		sum += float64(a.weight(i) * e.weighAll(u, b, 0))
	}
	if e.rc {
		sum *= 2
	}
	return sum
}

// selfEvalPairs weighs each pair of different k-mers once.
func (e *engine) selfEvalPairs(ctx context.Context, x []byte) float64 {
	w := kmerPool.Get().(*kmers)
	defer kmerPool.Put(w)
	w.list(e, x)
	if e.counted() {
		if e.alike == nil && e.masksCountSelf(len(w.codes)) {
			return e.selfByMasksWeighed(ctx, w)
		}
		if n := float64(len(w.codes)); n*n/2*distinctPairTime > e.selfTime(n) {
			return e.selfEvalAtOnce(ctx, w)
		}
		if repeats := w.repeats(); e.coder.fold == 2 && e.alike == nil && repeats < len(w.codes)/mostRepeats {
			return e.selfEvalRepeats(ctx, x, w)
		}
	}
	pairs, own := 0.0, 0.0
	for i, u := range w.codes {
		cancel.Check(ctx)
		weight := w.weight(i)
		pairs += float64(weight * e.weighAll(u, w, i+1))
		alone := e.weigh(u, u)
		if e.rc {
			alone += e.weigh(u, w.opposite[i])
		}
		own += float64(float64(weight*weight) * alone)
	}
	sum := 2*pairs + own
	if e.rc {
		sum *= 2
	}
	return sum
}

// mostRepeats bounds the share of places of k-mers that repeat others, or are their own reverse complements, where
// k(x, x) is that of raw counts, corrected for those.
const mostRepeats = 6

// repeats returns the number of places of k-mers through a function that weigh other than the only occurrence of most.
func (w *kmers) repeats() (places int) {
	for _, stored := range w.stored {
		if stored != single {
			places += int(stored >> 1)
		}
	}
	return places
}

// selfEvalRepeats is selfEvalPairs of nucleotides that hardly repeat k-mers. With the numbers n of places, the weight b
// of a k-mer at one and e = w − b·n, which is 0 for most k-mers,
//
//	Σ_u Σ_v w_u w_v h(d(u, v)) = b²·Σ_u Σ_v n_u n_v h(d(u, v)) + Σ_u e_u Σ_v (2b·n_v + e_v) h(d(u, v))
//
// whose first sum is that of raw counts.
func (e *engine) selfEvalRepeats(ctx context.Context, x []byte, w *kmers) (sum float64) {
	base := e.weights.of(single)
	for i, stored := range w.stored {
		places := float64(base * float64(stored>>1))
		w.weights[i] += places // e + 2b·n
	}
	for i, stored := range w.stored {
		if stored != single {
			cancel.Check(ctx)
			excess := e.weights.of(stored) - float64(base*float64(stored>>1))
			sum += float64(excess * e.weighAll(w.codes[i], w, 0))
		}
	}
	if e.rc {
		sum *= 2
	}
	return float64(base*base*e.selfEvalDiagonals(ctx, x)) + sum
}

// selfTime estimates the time of selfEvalAtOnce for a number of k-mers.
func (e *engine) selfTime(kmers float64) float64 {
	if e.tabular {
		return e.convolutionTime(float64(e.tableSize()))
	}
	return kmers * e.maskCount() * listingTime
}

// selfEvalAtOnce is selfEvalPairs by the table of all k-mers, or by masks: Σ_S a_S Σ_f c_f², where c_f is the sum of
// the weights of the k-mers that are f on the positions S.
func (e *engine) selfEvalAtOnce(ctx context.Context, w *kmers) (sum float64) {
	if e.tabular {
		table := scratch.Borrow(&alikePool, e.tableSize())
		defer alikePool.Put(table)
		clear(*table)
		w.eachStrand(func(code uint64, weight float64) { (*table)[e.coder.place(code)] += weight })
		e.convolve(ctx, *table)
		w.eachStrand(func(code uint64, weight float64) { sum += float64(weight * (*table)[e.coder.place(code)]) })
		return sum
	}
	var codes []uint64
	var weights []float64
	w.eachStrand(func(code uint64, weight float64) { codes, weights = append(codes, code), append(weights, weight) })
	s := borrowSharer()
	defer sharers.Put(s)
	sums := make([]float64, len(codes))
	for _, m := range e.masks() {
		cancel.Check(ctx)
		s.numberKmers(ctx, codes, m)
		clear(sums)
		for i, id := range s.ids {
			sums[id] += weights[i]
		}
		squares := 0.0
		for _, c := range sums {
			squares += float64(c * c)
		}
		sum += float64(m.weight * squares)
	}
	return sum
}

// eachStrand calls visit with the k-mers, and those of the other strand if both count.
func (w *kmers) eachStrand(visit func(code uint64, weight float64)) {
	for i, code := range w.codes {
		visit(code, w.weight(i))
		if len(w.opposite) > 0 {
			visit(w.opposite[i], w.weight(i))
		}
	}
}

// weighAll returns the sum over the k-mers of a list from one on, of both strands if both count, of their weights times
// that of the pair with u.
func (e *engine) weighAll(u uint64, w *kmers, from int) (sum float64) {
	if e.alike == nil {
		sum = e.weighNear(u, w.codes[from:], w.weights[from:])
		if e.rc {
			sum += e.weighNear(u, w.opposite[from:], w.weights[from:])
		}
		return sum
	}
	for j := from; j < len(w.codes); j++ {
		pair := e.weigh(u, w.codes[j])
		if e.rc {
			pair += e.weigh(u, w.opposite[j])
		}
		sum += float64(w.weight(j) * pair)
	}
	return sum
}

// weighNear returns the sum over some k-mers of their weights times h of their distance from u.
func (e *engine) weighNear(u uint64, codes []uint64, weights []float64) (sum float64) {
	weights = weights[:len(codes)]
	if e.coder.fold == 2 {
		for j, v := range codes {
			d := u ^ v
			if m := bits.OnesCount64((d | d>>1) & e.coder.mask); m <= e.reach {
				sum += float64(weights[j] * e.h[m])
			}
		}
		return sum
	}
	for j, v := range codes {
		if m := e.coder.distance(u, v); m <= e.reach {
			sum += float64(weights[j] * e.h[m])
		}
	}
	return sum
}
