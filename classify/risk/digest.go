package risk

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// The bias of many records, exactly and in little memory: where [quantile.find] needs all breakpoints side by side,
// digests count them by buckets, and add up. The bucket in which the slope of R turns from negative to positive is
// found from the sum; a second pass collects its breakpoints. Of records that are in several places, digests and the
// few breakpoints of one bucket are all that is sent.

const (
	buckets       = 2048    // of a window
	sampled       = 2048    // breakpoints from which the first window is chosen
	mostCollected = 1 << 16 // different breakpoints in one bucket; where there are more, it becomes the window
)

// window is an interval of biases, divided into buckets 1 … buckets; 0 and buckets+1 lie outside.
type window struct{ lo, scale float64 }

// newWindow returns the window from lo to hi, both within.
func newWindow(lo, hi float64) window {
	const within = buckets * (1 - 0x1p-40) // hi is in a bucket whatever rounding does
	return window{lo, min(within/(hi-lo), math.MaxFloat64)}
}

// bucket returns that of a breakpoint. It never falls as the breakpoint rises. There are no branches: where breakpoints
// lie is as good as random.
func (w *window) bucket(e float64) int {
	return int(1 + max(-1, min(buckets, float64((e-w.lo)*w.scale))))
}

// digest is the summed weights of breakpoints by bucket and sign, negative ones first. Those of parts are added.
type digest [buckets + 2][2]float64

func (d *digest) add(e *digest) {
	for b := range d {
		d[b][0] += e[b][0]
		d[b][1] += e[b][1]
	}
}

// bracket is where the bias lies: in the buckets first … last, right of what is counted in below. If level, R is
// constant from the last breakpoint of bucket first to the first one of bucket last.
type bracket struct {
	below       tally
	first, last int
	level       bool
}

// bracket finds the bucket in which the slope turns.
func (q *quantile) bracket(d *digest) bracket {
	at := bracket{}
	for b, sums := range d {
		t := tally{sums[1], -sums[0]}
		if sums == [2]float64{} {
			continue
		}
		if at.level {
			at.last = b
			return at
		}
		upTo := at.below.plus(t)
		at.first, at.last = b, b
		switch slope := q.slope(upTo); {
		case slope > 0:
			return at
		case slope == 0:
			at.level = true
		default:
			at.below = upTo
		}
	}
	at.level = false // nothing rises
	return at
}

// biasOf returns the bias at computed scores, with the shares of ties.
func (h *Hinges) biasOf(scores Scores) bias {
	q := quantile{h.Costs, h.positives[0], h.sum(0)}
	if len(h.Points) == 0 || h.NoBias {
		return bias{}
	}
	for w := newWindow(h.likely(&q, scores)); ; {
		d := h.digest(scores, w)
		at := q.bracket(d)
		found := h.collect(scores, w, at)
		switch {
		case at.level:
			return between(found.left, found.right)
		case found.ties != nil:
			return q.findAbove(at.below, found.points())
		}
		w = newWindow(found.right, found.left)
	}
}

// likely returns an interval that has the bias, most probably, and a quarter of the breakpoints where the costs of the
// classes are alike: it lies between those of a sample whose losses are tilted by five standard deviations of its
// slope.
func (h *Hinges) likely(q *quantile, scores Scores) (lo, hi float64) {
	n := len(h.Points)
	m := min(n, sampled)
	sample, f, all, squares := make([]breakpoint, m), make([]float64, 1), tally{}, 0.0
	for k := range sample {
		i := k*n/m + int(uint64(k)*0x9e3779b97f4a7c15>>40)%max(1, n/m) // not at equal distances
		scores(f, h.record(i))
		sample[k] = breakpoint{h.Points[i] - f[0], h.Weights[i]}
		all.add(h.Weights[i])
		squares += float64(h.Cost(i) * h.Cost(i))
	}
	end := func(tilt float64) float64 {
		of := quantile{q.costs, all.positive, float64(q.sum*float64(m)/float64(n)) + tilt}
		switch {
		case of.slope(tally{}) >= 0:
			return slices.MinFunc(sample, byPlace).at
		case of.slope(all) <= 0:
			return slices.MaxFunc(sample, byPlace).at
		}
		return of.find(sample).value
	}
	tilt := float64(5 * math.Sqrt(squares))
	return end(tilt), end(-tilt)
}

// add counts a weight.
func (t *tally) add(weight float64) {
	if weight > 0 {
		t.positive += weight
	} else {
		t.negative -= weight
	}
}

// digest counts all breakpoints.
func (h *Hinges) digest(scores Scores, w window) *digest {
	parts := make([]*digest, groups)
	h.eachPart(scores, func(group int, p part, f []float64) {
		if parts[group] == nil {
			parts[group] = new(digest)
		}
		d := parts[group]
		for e, weight := range h.breakpointsOf(p, f) {
			d[w.bucket(e)][oneIf(weight > 0)] += weight
		}
	})
	sum := new(digest)
	for _, d := range parts {
		if d != nil {
			sum.add(d)
		}
	}
	return sum
}

// found is the breakpoints of a bracket: the last one of its first bucket and the first one of its last, and all of
// them unless they are too many.
type found struct {
	left, right float64
	ties        map[float64]tally
}

func newFound() *found {
	return &found{left: math.Inf(-1), right: math.Inf(1), ties: map[float64]tally{}}
}

// count counts weights at a breakpoint.
func (f *found) count(e float64, t tally) {
	if f.ties == nil {
		return
	}
	if f.ties[e] = f.ties[e].plus(t); len(f.ties) > mostCollected {
		f.ties = nil
	}
}

// add adds the breakpoints that another part has found.
func (f *found) add(g *found) {
	f.left, f.right = max(f.left, g.left), min(f.right, g.right)
	if g.ties == nil {
		f.ties = nil
	}
	for e, t := range g.ties { // in any order: each is added to a place of its own
		f.count(e, t)
	}
}

// points returns the breakpoints in order, one for each sign and place.
func (f *found) points() (points []breakpoint) {
	for e, t := range f.ties {
		if t.positive > 0 {
			points = append(points, breakpoint{e, t.positive})
		}
		if t.negative > 0 {
			points = append(points, breakpoint{e, -t.negative})
		}
	}
	slices.SortFunc(points, func(a, b breakpoint) int {
		return cmp.Or(byPlace(a, b), cmp.Compare(a.weight, b.weight))
	})
	return points
}

// collect returns what is found in a bracket.
func (h *Hinges) collect(scores Scores, w window, at bracket) *found {
	parts := make([]*found, groups)
	h.eachPart(scores, func(group int, p part, f []float64) {
		if parts[group] == nil {
			parts[group] = newFound()
		}
		part := parts[group]
		for e, weight := range h.breakpointsOf(p, f) {
			b := w.bucket(e)
			if b == at.first {
				part.left = max(part.left, e)
			}
			if b == at.last {
				part.right = min(part.right, e)
			}
			if b == at.first && !at.level {
				var t tally
				t.add(weight)
				part.count(e, t)
			}
		}
	})
	sum := newFound()
	for _, part := range parts {
		if part != nil {
			sum.add(part)
		}
	}
	return sum
}

// breakpointsOf yields the breakpoints p_h − f_i of a part and their weights, given the scores of its records.
func (h *Hinges) breakpointsOf(p part, f []float64) func(yield func(e, weight float64) bool) {
	return func(yield func(e, weight float64) bool) {
		weights := h.Weights[p.first:p.end]
		if h.Record == nil {
			for i, point := range h.Points[p.first:p.end] {
				if !yield(point-f[i], weights[i]) {
					return
				}
			}
			return
		}
		records := h.Record[p.first:p.end]
		for i, point := range h.Points[p.first:p.end] {
			if !yield(point-f[int(records[i])-p.lo], weights[i]) {
				return
			}
		}
	}
}

// firstOf returns the first hinge of record i or of one after it.
func (h *Hinges) firstOf(i int) int {
	if h.Record == nil {
		return i
	}
	return sort.Search(len(h.Record), func(k int) bool { return int(h.Record[k]) >= i })
}
