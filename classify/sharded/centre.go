package sharded

import (
	"math"

	"github.com/seqsvm/seqsvm/classify/internal/bundle"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// centre follows the coefficients Σ_t λ_t a_t of the goal, which tables do not have: planes near the goal are near
// these (risk.Proximal), and any plane is valid, so they need not be exact. The latest planes are kept in a byte per
// record and get their present weights λ. The older ones are one vector, in single precision, which keeps the weights
// among them of the time when each became old, and gets their present sum. Without the latest ones it would not do: see
// docs/decisions/plane-queries.md.
type centre struct {
	recent []recentPlane // oldest first, at most recentPlanes
	old    []float32
	inOld  float64 // sum of the weights in old when a plane last became old
	weight float64 // and now
	coef   []float64
}

// recentPlane is unit·quantum_i for each record i.
type recentPlane struct {
	quantum []int8
	unit    float64
	weight  float64 // in the goal
}

const (
	recentPlanes = 8
	quanta       = 127 // of the greatest coefficient
)

func newCentre(n int) *centre { return &centre{old: make([]float32, n), coef: make([]float64, n)} }

// add takes the coefficients of a new plane.
func (c *centre) add(a []float64) {
	p := recentPlane{quantum: c.vacate()}
	greatest := 0.0
	for _, x := range a {
		greatest = max(greatest, math.Abs(x))
	}
	p.unit = greatest / quanta
	inverse := 0.0
	if greatest > 0 {
		inverse = quanta / greatest
	}
	parallel.For(len(a), func(lo, hi int) {
		for i, x := range a[lo:hi] {
			p.quantum[lo+i] = int8(math.RoundToEven(x * inverse))
		}
	})
	c.recent = append(c.recent, p)
}

// vacate returns a vector for a plane, that of the oldest recent one, which joins the old ones, if there are enough.
func (c *centre) vacate() []int8 {
	if len(c.recent) < recentPlanes {
		return make([]int8, len(c.old))
	}
	oldest := c.recent[0]
	kept, part := c.oldFactor(), float64(oldest.weight*oldest.unit)
	parallel.For(len(c.old), func(lo, hi int) {
		for i, q := range oldest.quantum[lo:hi] {
			c.old[lo+i] = float32(float64(kept*float64(c.old[lo+i])) + float64(part*float64(q)))
		}
	})
	c.weight += oldest.weight
	c.inOld = c.weight
	c.recent = append(c.recent[:0], c.recent[1:]...)
	return oldest.quantum
}

// oldFactor returns what the old vector is multiplied by.
func (c *centre) oldFactor() float64 {
	if c.inOld == 0 {
		return 0
	}
	return c.weight / c.inOld
}

// follow takes the weights of planes, out of a number of them of which the last ones are recent.
func (c *centre) follow(planes []int, weights []float64, count int) {
	for k := range c.recent {
		c.recent[k].weight = 0
	}
	c.weight = 0
	for i, t := range planes {
		if k := t - (count - len(c.recent)); k >= 0 {
			c.recent[k].weight = weights[i]
		} else {
			c.weight += weights[i]
		}
	}
}

// coefficients returns those of the goal, good until the next call.
func (c *centre) coefficients() []float64 {
	kept := c.oldFactor()
	parallel.For(len(c.coef), func(lo, hi int) {
		coef := c.coef[lo:hi]
		for i, x := range c.old[lo:hi] {
			coef[i] = kept * float64(x)
		}
		for _, p := range c.recent {
			part := p.weight * p.unit
			if part == 0 {
				continue
			}
			for i, q := range p.quantum[lo:hi] {
				coef[i] += float64(part * float64(q))
			}
		}
	})
	return c.coef
}

// code moves the state.
func (c *centre) code(to *bundle.Coder) {
	count := len(c.recent)
	to.Int(&count, recentPlanes)
	if to.Reading() {
		c.recent = make([]recentPlane, count)
	}
	for k := range c.recent {
		p := &c.recent[k]
		to.Int8s(&p.quantum, len(c.old))
		to.Float(&p.unit)
		to.Float(&p.weight)
	}
	to.Float32s(c.old)
	to.Float(&c.inOld)
	to.Float(&c.weight)
}
