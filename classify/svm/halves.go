package svm

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/parallel"
)

// tally is what visits change and meet but for the coefficients.
type tally struct {
	*visited
	weight float64   // of changes in what follows
	table  []float64 // features, weighted
	excess float64   // Σ beta − Sum
	free   int       // coefficients off their bounds that a pass has met
}

// halves visit the records of a round in two halves at the same time. Each starts from the same table and sees its own
// changes alone, with more than their weight, which stands for what the other changes likewise: else both correct the
// same. Then the changes of both are added. With a weight of 2 the dual value rises whatever the records, as Ma et al.
// (2015) show; that of short rounds does with much less.
type halves struct {
	run     *coordinateRun
	records int // of a half, at most
	parts   [2]tally
	joined  bool // the tables of both halves are that of the run
}

const (
	halfWeight  = 1.3     // of changes; measured: 1.15 to 1.6 take as many passes, and with 1 the dual value may fall
	roundWidth  = 8       // features for each record of a half of a round
	leastHalf   = 1 << 9  // records of a half: shorter ones would wait more than they visit
	mostHalf    = 1 << 14 // two are about what is loaded
	leastHalved = 1 << 17 // records: fewer take more passes in halves than is gained
)

// halfRecords returns how many records a half of a round has at most, or 0 if there are few
// in all, or too few or too many features.
func halfRecords(records, width int) int {
	half := width / roundWidth
	if records < leastHalved || half < leastHalf || half > 2*mostHalf {
		return 0
	}
	return min(half, mostHalf)
}

// newHalves returns nil if there are to be no records.
func newHalves(r *coordinateRun, records int) *halves {
	if records == 0 {
		return nil
	}
	h := &halves{run: r, records: records}
	for half := range h.parts {
		h.parts[half] = tally{visited: &visited{}, table: make([]float64, len(r.all.table))}
	}
	return h
}

// round visits the records of both halves of an order.
func (h *halves) round(ctx context.Context, v *visits, order []int32) error {
	middle := len(order) / 2
	orders := [][]int32{order[:middle], order[middle:]}
	err := parallel.Do(ctx, len(h.parts), func(half int) error {
		t, all := &h.parts[half], h.run.all
		*t = tally{visited: t.visited, weight: halfWeight, table: t.table, excess: all.excess}
		*t.visited = visited{}
		if !h.joined {
			copy(t.table, all.table)
		}
		visit := func(i int) bool { return h.run.visit(t, i) }
		v.visitAll(orders[half], visit)
		return nil
	})
	h.join()
	h.joined = true
	return err
}

// join adds the changes of both halves. Those of the dual value, of which each half subtracts the square of its own
// weight times and a half, are those of the sum, whose square is subtracted once.
func (h *halves) join() {
	all, a, b := h.run.all, &h.parts[0], &h.parts[1]
	squares := make([][2]float64, (len(all.table)+joinedPart-1)/joinedPart)
	parallel.Each(len(squares), func(part int) {
		lo, hi := part*joinedPart, min((part+1)*joinedPart, len(all.table))
		table, first, second := all.table[lo:hi], a.table[lo:hi], b.table[lo:hi]
		var each, both float64
		for j, w := range table {
			d, e := (first[j]-w)/halfWeight, (second[j]-w)/halfWeight
			each += float64(d*d) + float64(e*e)
			both += float64((d + e) * (d + e))
			w += d + e
			table[j], first[j], second[j] = w, w, w
		}
		squares[part] = [2]float64{each, both}
	})
	var each, both float64
	for _, s := range squares {
		each += s[0]
		both += s[1]
	}
	all.dual += float64((float64(halfWeight*each)-both)/2) / h.run.rows.Scale()
	all.excess += (a.excess - all.excess + b.excess - all.excess) / halfWeight
	for _, t := range []*tally{a, b} {
		all.add(t.visited)
		all.free += t.free
	}
}

// joinedPart is the number of entries of a table that are added together.
const joinedPart = 1 << 13
