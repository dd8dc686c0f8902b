package bundle

import "math"

// Measured, see docs/decisions/plane-queries.md. From a quarter to four times these, results stay within Tol.
const (
	paceLen  = 12   // iterations of a phase
	slowPace = 0.12 // by which ln gap is to fall in each iteration, or the other kind is tried
	fresher  = 1.5  // by which the pace of the other kind is raised in each phase that it is not used
)

// pace decides whether planes are near the goal or touch, by how fast the gap shrank with each. Planes near the goal
// are the better ones where the optimum has many directions, those that touch where it has few, as with short words.
//
// Phases begin with planes near the goal. The first that is slow is followed by one of planes that touch; after it,
// every phase is of the kind that was faster the last time. What was measured long ago, at a greater gap, counts for
// less: the kind that rests is raised until it is tried again.
type pace struct {
	touching bool
	falls    [2]float64 // of ln gap per iteration in the last phase of each kind: near the goal, touching; 0: none yet
	start    float64    // gap at which the phase began; 0: no phase has begun
	length   int        // iterations of the phase so far
}

// after takes note of the gap after an iteration.
func (p *pace) after(gap float64) {
	if p.start == 0 {
		p.start = gap
		return
	}
	p.length++
	if p.length < paceLen {
		return
	}
	this, other := &p.falls[0], &p.falls[1]
	if p.touching {
		this, other = other, this
	}
	*this = math.Log(p.start/gap) / float64(p.length)
	p.start, p.length = gap, 0
	if *other == 0 {
		p.touching = p.touching || *this < slowPace
		return
	}
	if *other > *this {
		p.touching = !p.touching
	} else {
		*other *= fresher
	}
}
