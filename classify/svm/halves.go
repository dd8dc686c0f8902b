package svm

import (
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/simd"
)

// tally is what visits change and meet but for the coefficients.
type tally struct {
	*visited
	table  []float64 // features, weighted
	excess float64   // Σ beta − Sum
	free   int       // coefficients off their bounds that a pass has met
}

// halves visit the records of a round in two halves at the same time: each starts from the same table and sees its own
// changes alone, and the changes of both are added. A round is short, so that neither corrects what the other does.
type halves struct {
	run    *coordinateRun
	pieces int // of a half, at most
	orders [2][]int32
	parts  [2]tally
	joined bool // the tables of both halves are that of the run
}

const (
	leastPieces = 128      // of a half of a round
	halfEntries = 16       // of a table per record of a half, at most, so that adding changes takes a tenth of the time
	leastHalved = 16 << 10 // records: fewer are visited one by one
)

// newHalves returns nil if there are few records, or a round would be longer than what is loaded.
func newHalves(r *coordinateRun) *halves {
	h := &halves{run: r, pieces: max(leastPieces, len(r.all.table)/(halfEntries*piece))}
	if len(r.beta) < leastHalved {
		return nil
	}
	for half := range h.parts {
		h.parts[half] = tally{visited: &visited{}, table: make([]float64, len(r.all.table))}
	}
	return h
}

// round visits the records of both orders.
func (h *halves) round(ctx context.Context, v *visits) error {
	err := parallel.Do(ctx, len(h.parts), func(half int) error {
		t, all := &h.parts[half], h.run.all
		*t = tally{visited: t.visited, table: t.table, excess: all.excess}
		*t.visited = visited{}
		if !h.joined {
			copy(t.table, all.table)
		}
		visit := func(i int) bool { return h.run.visit(t, i) }
		for piece := range slices.Chunk(h.orders[half], piece) {
			h.prefetch(v, piece)
			for _, at := range piece {
				v.visitAt(int(at), visit)
			}
		}
		return nil
	})
	h.join()
	h.joined = true
	return err
}

// prefetch asks for what visits of a piece will read: misses of the caches overlap here, and do not between visits.
func (h *halves) prefetch(v *visits, piece []int32) {
	r := h.run
	for _, at := range piece {
		if i := v.active[at]; v.left[i] == 0 {
			simd.Prefetch(&r.beta[i])
			simd.Prefetch(&r.Linear[i])
			simd.Prefetch(&r.diag[i])
			r.rows.Prefetch(int(i))
		}
	}
}

// join adds the changes of both halves. The dual value of the sum lacks the inner product of the two.
func (h *halves) join() {
	all, a, b := h.run.all, &h.parts[0], &h.parts[1]
	cross := make([]float64, (len(all.table)+joinedPart-1)/joinedPart)
	parallel.Each(len(cross), func(part int) {
		lo, hi := part*joinedPart, min((part+1)*joinedPart, len(all.table))
		table, first, second, sum := all.table[lo:hi], a.table[lo:hi], b.table[lo:hi], 0.0
		for j, w := range table {
			d, e := first[j]-w, second[j]-w
			sum += float64(d * e)
			w += d + e
			table[j], first[j], second[j] = w, w, w
		}
		cross[part] = sum
	})
	inner := 0.0
	for _, s := range cross {
		inner += s
	}
	all.dual -= float64(inner / h.run.rows.Scale())
	all.excess = a.excess + b.excess - all.excess
	for _, t := range []*tally{a, b} {
		all.add(t.visited)
		all.free += t.free
	}
}

// joinedPart is the number of entries of a table that are added together.
const joinedPart = 1 << 13
