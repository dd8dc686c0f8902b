package serve

import (
	"container/list"
	"context"
	"sync"
)

// gate lets in at most a number of units at a time; those that wait are let in in the order of their arrival.
type gate struct {
	mutex   sync.Mutex
	free    int64
	reserve int64     // of these, for one holding at a time
	lent    bool      // a holding has the reserve
	waiting list.List // of *entrant
}

// holding is what one request has of a gate, taken bit by bit. Those that wait for more while they hold some would wait
// for each other for ever; so one of them has the reserve, which is enough for all it may ever take.
type holding struct {
	*gate
	units int64
	first bool // it has the reserve
}

// entrant waits for units of a gate.
type entrant struct {
	units   int64
	holding *holding      // nil: without a right to the reserve
	open    chan struct{} // closed when it has them
}

func newGate(units int64) *gate { return &gate{free: units} }

// grow waits for more units of the gate, no more than its reserve with those held.
func (h *holding) grow(ctx context.Context, units int64) error {
	err := h.admitted(ctx, &entrant{units: units, holding: h})
	if err == nil {
		h.units += units
	}
	return err
}

// end gives back all that is held.
func (h *holding) end() {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.free += h.units
	h.lent = h.lent && !h.first
	h.units, h.first = 0, false
	h.admit()
}

// enter waits for units, no more than the gate has in all, or returns the error of ctx. Leave with as many.
func (g *gate) enter(ctx context.Context, units int64) error {
	return g.admitted(ctx, &entrant{units: units})
}

// admitted waits until an entrant is let in.
func (g *gate) admitted(ctx context.Context, e *entrant) error {
	g.mutex.Lock()
	if (g.waiting.Len() == 0 || e.holding != nil && e.holding.first) && g.takes(e) {
		g.mutex.Unlock()
		return nil
	}
	e.open = make(chan struct{})
	place := g.waiting.PushBack(e)
	g.mutex.Unlock()
	select {
	case <-e.open:
		return nil
	case <-ctx.Done():
	}
	g.mutex.Lock()
	defer g.mutex.Unlock()
	select {
	case <-e.open: // meanwhile
		g.free += e.units
	default:
		g.waiting.Remove(place)
	}
	g.admit() // the next may ask for less
	return ctx.Err()
}

func (g *gate) leave(units int64) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.free += units
	g.admit()
}

// admit lets in the first entrants while there is room.
func (g *gate) admit() {
	for front := g.waiting.Front(); front != nil; front = g.waiting.Front() {
		e := front.Value.(*entrant)
		if !g.takes(e) {
			return
		}
		g.waiting.Remove(front)
		close(e.open)
	}
}

// takes lets an entrant in if there is room.
func (g *gate) takes(e *entrant) bool {
	if g.free-e.units < g.reserve {
		h := e.holding
		if h == nil || g.lent && !h.first {
			return false
		}
		g.lent, h.first = true, true
	}
	g.free -= e.units
	return true
}

// queued returns how many wait.
func (g *gate) queued() int {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return g.waiting.Len()
}
