package risk

import (
	"math"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// ProximalOf returns a risk that has a plane near any other, not only those that touch it: hinges of one scalar do.
// Nil: it has none.
func ProximalOf(r Risk) *Hinges {
	if h, ok := r.(*Hinges); ok && h.Scalar == nil {
		return h
	}
	return nil
}

// Near writes into a the coefficients that maximise
//
//	−R*(−a) − Σ_i a_i f_i − Σ_i (a_i − near_i)²/(2 step),
//
// given those of a plane, or of a convex combination of planes, near. It returns the first term, so that
// offset − Σ_i a_i g_i is a lower bound of R at all scores g. The greater step, the more a is what Plane writes at f.
// a may be f.
// ok is false where rounding hides the solution. O(n) for each of about ten steps of Newton's method.
//
// Of a record with one hinge a is near + step (p − f − b) within its bounds. Of one with
// several, whose coefficients fill up one after another by descending points, each has the part of that which lies
// between the bounds of those before and after it. b makes the coefficients sum to s.
func (h *Hinges) Near(a, f, near []float64, step float64) (offset float64, ok bool) {
	h.prepare()
	h.prepareOrder()
	p := newProximal(h, f, near, step)
	b := 0.0
	if !h.NoBias {
		if b, ok = p.balance(h.sum(0), h.balanced); !ok {
			return 0, false
		}
		h.balanced = b
	}
	offsets := make([]float64, Parts(h.Len()))
	h.inParts(func(q part) { offsets[q.lo/PartLen] = p.write(a, q, b) })
	return vectors.Sum(offsets), true
}

// Slopes writes how fast each of the coefficients that Near wrote last, for this step, falls as its score rises while b
// stays, and returns their sum and whether there is a b. Where the scores change by s, the coefficients change by
// −h_i (s_i − Σ h s/Σ h) of slopes h, or −h_i s_i without a b, as long as none comes to a bound or leaves one.
func (h *Hinges) Slopes(slopes []float64, step float64) (sum float64, biased bool) {
	p := &proximal{h, h.want, step, [2]float64{}}
	b := h.balanced
	if h.NoBias {
		b = 0
	}
	sums := make([]float64, Parts(h.Len()))
	h.inParts(func(q part) {
		clear(slopes[q.lo:q.hi])
		total := 0.0
		for i := q.first; i < q.end; i++ {
			slope, bound := p.slope(i), p.bound(i)
			if coef := p.want[i] - float64(slope*b); coef > min(0, bound) && coef < max(0, bound) {
				slopes[h.record(i)] += slope
				total += slope
			}
		}
		sums[q.lo/PartLen] = total
	})
	return vectors.Sum(sums), !h.NoBias
}

// Memory returns the free scalar of the last Near, where the next one begins.
func (h *Hinges) Memory() float64 { return h.balanced }

// Remember makes the next Near the one that follows when Memory returned balanced.
func (h *Hinges) Remember(balanced float64) { h.balanced = balanced }

// prepareOrder finds, once, how much of its record's coefficient is taken by the hinges before each one, beyond what it
// begins with itself.
func (h *Hinges) prepareOrder() {
	if h.Record == nil || h.before != nil {
		return
	}
	h.before = make([]float64, len(h.Points))
	for lo := 0; lo < len(h.Record); {
		end := h.endOf(lo, int(h.Record[lo]))
		taken := 0.0
		for i := lo; i < end; i++ {
			taken += min(0, math.Copysign(h.Cost(i), h.Weights[i]))
		}
		for i := lo; i < end; i++ {
			cost := math.Copysign(h.Cost(i), h.Weights[i])
			h.before[i] = taken - min(0, cost)
			taken += math.Abs(cost)
		}
		lo = end
	}
}

// proximal is the maximisation of Near: a hinge without bounds would have the coefficient want − slope·b.
type proximal struct {
	*Hinges
	want []float64  // per hinge
	step float64    // the slope of a hinge that is not squared
	cost [2]float64 // by the sign of the weight: positive, negative
}

func newProximal(h *Hinges, f, near []float64, step float64) *proximal {
	h.want = scratch.Resize(h.want, len(h.Points))
	p := &proximal{h, h.want, step, [2]float64{h.Costs.Positive, h.Costs.Negative}}
	h.inParts(func(q part) {
		for i := q.first; i < q.end; i++ {
			r := h.record(i)
			want := near[r] + float64(step*(h.Points[i]-f[r]))
			if h.Linear != nil {
				want -= h.Linear[r]
			}
			if h.before != nil {
				want -= h.before[i]
			}
			if h.Squared {
				want *= p.shrink(h.Cost(i))
			}
			p.want[i] = want
		}
	})
	return p
}

// slope returns how fast the coefficient of hinge i falls as b rises, where it is at no bound.
func (p *proximal) slope(i int) float64 {
	if p.Squared {
		return p.step * p.shrink(p.Cost(i))
	}
	return p.step
}

// shrink returns the part of a coefficient that the square leaves.
func (p *proximal) shrink(cost float64) float64 { return 1 / (1 + p.step/(2*cost)) }

// coefficients are sums over hinges at some b.
type coefficients struct {
	sum, size float64 // Σ a_h, Σ |a_h|
	slope     float64 // −d sum/db
}

// balance returns the b at which the coefficients sum to s: a root of a falling, piecewise linear function, by Newton's
// method within a bracket, from a first b.
func (p *proximal) balance(s, b float64) (root float64, ok bool) {
	lo, hi := math.Inf(-1), math.Inf(1)
	for range 200 {
		c := p.at(b)
		excess := c.sum - s
		if math.Abs(excess) <= 1e-13*c.size || excess == 0 {
			return b, true
		}
		next := b + excess/c.slope
		if c.slope == 0 {
			next = b + float64(1.5*p.corner(b, excess > 0))
		}
		if excess > 0 {
			lo = b
		} else {
			hi = b
		}
		if !(next > lo && next < hi) {
			next = float64(lo/2) + float64(hi/2)
		}
		if next == b || math.IsInf(next, 0) || math.IsNaN(next) || next <= lo || next >= hi {
			return b, math.Abs(excess) <= 1e-10*c.size
		}
		b = next
	}
	return b, false
}

// at returns the sums at b.
func (p *proximal) at(b float64) (sums coefficients) {
	list := make([]coefficients, Parts(p.Len()))
	p.inParts(func(q part) {
		if p.Squared {
			list[q.lo/PartLen] = p.sumSquared(q, b)
		} else {
			list[q.lo/PartLen] = p.sum(q, b)
		}
	})
	for _, c := range list {
		sums.sum += c.sum
		sums.size += c.size
		sums.slope += c.slope
	}
	return sums
}

// sum returns the sums of a part. It has no branch: whether a coefficient is at a bound is different for each record.
func (p *proximal) sum(q part, b float64) (c coefficients) {
	weights, move, free := p.Weights[q.first:q.end], float64(p.step*b), 0
	for k, want := range p.want[q.first:q.end] {
		sign := math.Float64bits(weights[k]) >> 63
		high := float64(math.Abs(weights[k]) * p.cost[sign])
		open := flip(want-move, sign)
		kept := min(max(open, 0), high)
		c.size += kept
		c.sum += flip(kept, sign)
		if math.Float64bits(kept) == math.Float64bits(open) {
			free++
		}
	}
	c.slope = float64(free) * p.step
	return c
}

// sumSquared returns those of squared hinges, which have one bound.
func (p *proximal) sumSquared(q part, b float64) (c coefficients) {
	for i := q.first; i < q.end; i++ {
		sign := math.Float64bits(p.Weights[i]) >> 63
		slope := p.slope(i)
		kept := max(0, flip(p.want[i]-float64(slope*b), sign))
		c.size += kept
		c.sum += flip(kept, sign)
		if kept > 0 {
			c.slope += slope
		}
	}
	return c
}

// flip changes the sign of x if sign is 1.
func flip(x float64, sign uint64) float64 {
	return math.Float64frombits(math.Float64bits(x) ^ sign<<63)
}

// corner returns the least change of b, upwards or downwards, at which a coefficient leaves its bound, where all are at
// one; infinite if none does.
func (p *proximal) corner(b float64, upwards bool) float64 {
	least := math.Inf(1)
	for i, want := range p.want {
		slope, low, high := p.slope(i), min(0, p.bound(i)), max(0, p.bound(i))
		if p.Weights[i] == 0 {
			continue
		}
		switch beyond := want - float64(slope*b); {
		case upwards && beyond > high:
			least = min(least, (beyond-high)/slope)
		case !upwards && beyond < low:
			least = min(least, (low-beyond)/slope)
		}
	}
	if upwards {
		return least
	}
	return -least
}

// bound returns the coefficient furthest from 0 that hinge i may have.
func (p *proximal) bound(i int) float64 {
	if p.Squared {
		return math.Copysign(math.Inf(1), p.Weights[i])
	}
	return math.Copysign(p.Cost(i), p.Weights[i])
}

// write writes the coefficients of the records of a part, and returns their part of the offset.
func (p *proximal) write(a []float64, q part, b float64) (offset float64) {
	clear(a[q.lo:q.hi])
	if p.Linear != nil {
		copy(a[q.lo:q.hi], p.Linear[q.lo:q.hi])
	}
	for i := q.first; i < q.end; i++ {
		slope, bound := p.slope(i), p.bound(i)
		coef := min(max(p.want[i]-float64(slope*b), min(0, bound)), max(0, bound))
		a[p.record(i)] += coef
		offset += float64(coef * p.Points[i])
		if p.Squared && coef != 0 {
			offset -= float64(coef*coef) / (4 * p.Cost(i))
		}
	}
	return offset
}
