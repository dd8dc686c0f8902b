package risk

import "math"

// Proximal is implemented by risks that have a plane near any other, not only those that touch R.
type Proximal interface {
	Risk

	// Near writes into a the coefficients that maximise
	//
	//	−R*(−a) − Σ_i a_i f_i − Σ_i (a_i − near_i)²/(2 step),
	//
	// given those of a plane, or of a convex combination of planes, near. It returns the first term, so that
	// offset − Σ_i a_i g_i is a lower bound of R at all scores g. The greater step, the more a is what Plane writes at f.
	// ok is false where rounding hides the solution. O(n) for each of about ten steps of Newton's method.
	Near(a, f, near []float64, step float64) (offset float64, ok bool)
}

// ProximalOf returns the risk with its planes near others, nil where it has none: hinges of one scalar have them.
func ProximalOf(r Risk) Proximal {
	if h, ok := r.(*Hinges); ok && h.Scalar == nil {
		return h
	}
	return nil
}

// Near implements [Proximal]. Of a record with one hinge a is near + step (p − f − b) within its bounds. Of one with
// several, whose coefficients fill up one after another by descending points, each has the part of that which lies
// between the bounds of those before and after it. b makes the coefficients sum to s.
func (h *Hinges) Near(a, f, near []float64, step float64) (offset float64, ok bool) {
	h.prepare()
	h.prepareOrder()
	p := proximal{h, f, near, step}
	b := 0.0
	if !h.NoBias {
		if b, ok = p.balance(h.sum(0)); !ok {
			return 0, false
		}
	}
	offsets := make([]float64, Parts(h.Len()))
	h.eachPart(scoresOf(f), func(_ int, q part, _ []float64) { offsets[q.lo/PartLen] = p.write(a, q, b) })
	for _, o := range offsets {
		offset += o
	}
	return offset, true
}

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

// proximal is the maximisation of Near.
type proximal struct {
	*Hinges
	f, near []float64
	step    float64
}

// coefficients are sums over hinges at some b.
type coefficients struct {
	sum, size float64 // Σ a_h, Σ |a_h|
	slope     float64 // −d sum/db
	up, down  float64 // least change of b upwards, or downwards, at which a coefficient leaves its bound; infinite if none does
}

// add adds the sums of other hinges.
func (c *coefficients) add(d coefficients) {
	c.sum += d.sum
	c.size += d.size
	c.slope += d.slope
	c.up, c.down = min(c.up, d.up), min(c.down, d.down)
}

// balance returns the b at which the coefficients sum to s: a root of a falling, piecewise linear function, by Newton's
// method within a bracket.
func (p *proximal) balance(s float64) (b float64, ok bool) {
	lo, hi := math.Inf(-1), math.Inf(1)
	for range 200 {
		c := p.at(b)
		excess := c.sum - s
		if math.Abs(excess) <= 1e-13*c.size || excess == 0 {
			return b, true
		}
		next := b + excess/c.slope
		switch {
		case excess > 0:
			lo = b
			if c.slope == 0 {
				next = b + float64(1.5*c.up)
			}
		default:
			hi = b
			if c.slope == 0 {
				next = b - float64(1.5*c.down)
			}
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
func (p *proximal) at(b float64) coefficients {
	list := make([]coefficients, Parts(p.Len()))
	p.eachPart(scoresOf(p.f), func(_ int, q part, _ []float64) { list[q.lo/PartLen] = p.sums(q, b) })
	sums := coefficients{up: math.Inf(1), down: math.Inf(1)}
	for _, c := range list {
		sums.add(c)
	}
	return sums
}

// sums returns those of a part.
func (p *proximal) sums(q part, b float64) coefficients {
	c := coefficients{up: math.Inf(1), down: math.Inf(1)}
	for i := q.first; i < q.end; i++ {
		want, slope, low, high := p.wanted(i, b)
		switch {
		case want > high:
			c.up = min(c.up, (want-high)/slope)
			want = high
		case want < low:
			c.down = min(c.down, (low-want)/slope)
			want = low
		default:
			c.slope += slope
		}
		c.sum += want
		c.size += math.Abs(want)
	}
	return c
}

// wanted returns the coefficient that hinge i would have without bounds, how fast it falls with b, and the bounds.
func (p *proximal) wanted(i int, b float64) (want, slope, low, high float64) {
	r := p.record(i)
	cost := p.Weights[i]
	if cost > 0 {
		cost *= p.Costs.Positive
		high = cost
	} else {
		cost *= p.Costs.Negative
		low = cost
	}
	want, slope = p.near[r]+float64(p.step*(p.Points[i]-p.f[r]-b)), p.step
	if p.Linear != nil {
		want -= p.Linear[r]
	}
	if p.before != nil {
		want -= p.before[i]
	}
	if p.Squared {
		shrink := 1 / (1 + p.step/(2*math.Abs(cost)))
		want, slope = want*shrink, slope*shrink
		if cost > 0 {
			high = math.Inf(1)
		} else {
			low = math.Inf(-1)
		}
	}
	return want, slope, low, high
}

// write writes the coefficients of the records of a part, and returns their part of the offset.
func (p *proximal) write(a []float64, q part, b float64) (offset float64) {
	for r := q.lo; r < q.hi; r++ {
		a[r] = 0
		if p.Linear != nil {
			a[r] = p.Linear[r]
		}
	}
	for i := q.first; i < q.end; i++ {
		want, _, low, high := p.wanted(i, b)
		coef := min(high, max(low, want))
		a[p.record(i)] += coef
		offset += float64(coef * p.Points[i])
		if p.Squared {
			offset -= float64(coef*coef) / (4 * p.Cost(i))
		}
	}
	return offset
}

// scoresOf returns scores that are there.
func scoresOf(f []float64) Scores {
	return func(dst []float64, lo int) { copy(dst, f[lo:]) }
}
