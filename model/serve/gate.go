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
	waiting list.List // of *entrant
}

// entrant waits for units of a gate.
type entrant struct {
	units int64
	open  chan struct{} // closed when it has them
}

func newGate(units int64) *gate { return &gate{free: units} }

// enter waits for units, no more than the gate has in all, or returns the error of ctx. Leave with as many.
func (g *gate) enter(ctx context.Context, units int64) error {
	g.mutex.Lock()
	if g.waiting.Len() == 0 && g.free >= units {
		g.free -= units
		g.mutex.Unlock()
		return nil
	}
	e := &entrant{units, make(chan struct{})}
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
		g.free += units
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
		if e.units > g.free {
			return
		}
		g.free -= e.units
		g.waiting.Remove(front)
		close(e.open)
	}
}

// queued returns how many wait.
func (g *gate) queued() int {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return g.waiting.Len()
}
