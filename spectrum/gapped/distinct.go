package gapped

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
)

// k(x, x) along diagonals takes O(|x|²), and minutes for a million letters. In a long sequence k-mers recur. With the
// counts c_u of the distinct k-mers u, both strands together, the number of pairs at distance m is
//
//	P_m = Σ c_u·c_v over d(u, v) = m
//
// which is counted by pairs of distinct k-mers, of which a run of one letter has few, or by masks: the pairs that agree
// on the positions S, summed over the choices of s positions, are
//
//	A_s = Σ_{|S| = s} Σ_f c_f² = Σ_m C(l−m, s)·P_m
//
// with the counts c_f of the k-mers f masked by S, so that A_l gives P_0, then A_{l−1} gives P_1, and so on. All are
// whole numbers, and the value has the same bits whichever way they are counted.

const (
	longSequence = 1 << 14 // letters from which another way than diagonals may be faster
	mostCounted  = 24      // bits of a k-mer that indexes an array of counts: 64 MB
)

// The times of each way, in nanoseconds.
const (
	stepTime         = 5 // of 65 − l pairs along a diagonal
	distinctPairTime = 1
	agreementTime    = 4 // of a distinct k-mer under a mask
)

// distinctKmer is a k-mer and how often it occurs.
type distinctKmer struct{ code, count uint64 }

// distinct returns the k-mers of x, both strands together where both count, in ascending order.
func (e *engine) distinct(x []byte) (list []distinctKmer) {
	w := kmerPool.Get().(*kmers)
	defer kmerPool.Put(w)
	w.list(e, x)
	w.codes = append(w.codes, w.opposite...)
	slices.Sort(w.codes)
	for _, code := range w.codes {
		if last := len(list) - 1; last >= 0 && list[last].code == code {
			list[last].count++
		} else {
			list = append(list, distinctKmer{code, 1})
		}
	}
	return list
}

// selfEvalLong is selfEval of a long sequence of nucleotides.
func (e *engine) selfEvalLong(ctx context.Context, x []byte) float64 {
	list := e.distinct(x)
	n, d := float64(len(x)), float64(len(list))
	diagonals := stepTime * n * n / 2 / float64(65-e.coder.length)
	if e.rc {
		diagonals *= 2
	}
	pairs, masked := distinctPairTime*d*d/2, math.Inf(1)
	if e.coder.length*e.coder.fold <= mostCounted {
		masked = agreementTime * d * e.nearMasks()
	}
	var at []uint64 // pairs by distance
	switch min(diagonals, pairs, masked) {
	case diagonals:
		return e.selfEvalDiagonals(ctx, x)
	case pairs:
		at = e.pairsOfDistinct(ctx, list)
	default:
		at = e.pairsByMasks(ctx, list)
	}
	counts := make([]float64, len(e.h))
	for m, pairs := range at {
		if e.rc { // total doubles them
			pairs /= 2
		}
		counts[m] = float64(pairs)
	}
	return e.total(counts)
}

// nearMasks returns the number of choices of l − reach or more positions.
func (e *engine) nearMasks() float64 {
	sum := 0.0
	for m := range e.reach + 1 {
		sum += choices(e.coder.length, m)
	}
	return sum
}

// pairsOfDistinct counts P_m for all m up to reach.
func (e *engine) pairsOfDistinct(ctx context.Context, list []distinctKmer) []uint64 {
	at := make([]uint64, e.coder.length+1)
	for i, u := range list {
		cancel.Check(ctx)
		at[0] += u.count * u.count
		for _, v := range list[i+1:] {
			at[e.coder.distance(u.code, v.code)] += 2 * u.count * v.count
		}
	}
	return at[:e.reach+1]
}

// pairsByMasks counts P_m for all m up to reach. A term may exceed 64 bits, but no P_m does.
func (e *engine) pairsByMasks(ctx context.Context, list []distinctKmer) []uint64 {
	l := e.coder.length
	at := make([]uint64, e.reach+1)
	counts := make([]uint32, 1<<(l*e.coder.fold))
	for m := range at {
		eachChoice(l, l-m, func(positions uint64) {
			weight := uint64(1)
			if e.rc {
				switch mirrored := bits.Reverse64(positions) >> (64 - l); {
				case mirrored < positions:
					return
				case mirrored > positions:
					weight = 2
				}
			}
			cancel.Check(ctx)
			moves := draw(e.coder.spread(positions))
			at[m] += weight * squares(counts[:1<<((l-m)*e.coder.fold)], list, moves)
		})
		for nearer := range m {
			at[m] -= uint64(choices(l-nearer, l-m)) * at[nearer]
		}
	}
	return at
}

// squares returns Σ_f c_f²: n more than c add (2c + n)·n. It clears counts first.
func squares(counts []uint32, list []distinctKmer, moves []drawn) (sum uint64) {
	clear(counts)
	for _, u := range list {
		c := &counts[together(u.code, moves)]
		sum += (2*uint64(*c) + u.count) * u.count
		*c += uint32(u.count)
	}
	return sum
}
