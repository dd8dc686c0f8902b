package parallel

import (
	"context"
	"sync/atomic"
	"time"
)

// Work is the processor time of a computation, counted task by task on one processor: see [Measure].
type Work struct {
	Total   time.Duration   // of one processor
	Longest time.Duration   // the longest chain of what must come one after another: with any number of processors
	On      []time.Duration // at most, with each number of processors that Measure was asked for
}

// Less returns w without what it has in common with part, a computation that it includes.
func (w Work) Less(part Work) Work {
	d := Work{w.Total - part.Total, w.Longest - part.Longest, make([]time.Duration, len(w.On))}
	for k := range d.On {
		d.On[k] = max(0, w.On[k]-part.On[k])
	}
	return d
}

// then adds what comes after w.
func (w *Work) then(after Work) {
	w.Total += after.Total
	w.Longest += after.Longest
	for k := range w.On {
		w.On[k] += after.On[k]
	}
}

// Measure calls f with the loops of this package run task after task, and returns how long f takes, by a clock of
// processor time, and at most would take with other numbers of processors, if memory kept up: a loop gives its tasks in
// order to whichever processor is free first; one whose tasks have loops takes no longer than that, nor, as no
// processor idles while there is a task to start (Graham 1966, doi:10.1002/j.1538-7305.1966.tb01709.x), than its work
// divided by the processors plus its longest chain. What depends on the number of processors, such as the loops of
// [DoOn], counts as serial.
//
// Nothing else may run in the process meanwhile, on one processor (GOMAXPROCS). It is for programs that measure.
func Measure(processors []int, clock func() time.Duration, f func()) Work {
	m := &meter{processors: processors, clock: clock}
	m.open = m.nothing()
	metering.Store(m)
	defer metering.Store(nil)
	m.last = clock()
	f()
	m.tick()
	return m.open
}

// metering is the meter in use, mostly nil.
var metering atomic.Pointer[meter]

// meter counts for Measure.
type meter struct {
	processors []int
	clock      func() time.Duration
	last       time.Duration // of the clock
	open       Work          // of the task that runs
}

func (m *meter) nothing() Work { return Work{On: make([]time.Duration, len(m.processors))} }

// tick counts the time since the last tick as the task's own.
func (m *meter) tick() {
	now := m.clock()
	d := now - m.last
	m.last = now
	own := m.nothing()
	own.Total, own.Longest = d, d
	for k := range own.On {
		own.On[k] = d
	}
	m.open.then(own)
}

// do is Do, task after task.
func (m *meter) do(ctx context.Context, n int, task func(i int) error) (err error) {
	m.tick()
	around := m.open
	loop, busy := m.nothing(), make([][]time.Duration, len(m.processors))
	for k, p := range m.processors {
		busy[k] = make([]time.Duration, min(p, n))
	}
	for i := 0; i < n && err == nil && ctx.Err() == nil; i++ {
		m.open = m.nothing()
		err = run(task, i)
		m.tick()
		loop.Total += m.open.Total
		loop.Longest = max(loop.Longest, m.open.Longest)
		for k := range busy {
			assign(busy[k], m.open.Total)
		}
	}
	for k, p := range m.processors {
		last := time.Duration(0)
		for _, t := range busy[k] {
			last = max(last, t)
		}
		chain := loop.Longest * time.Duration(p-1) / time.Duration(p)
		loop.On[k] = min(last, loop.Total/time.Duration(p)+chain)
	}
	m.open = around
	m.open.then(loop)
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// assign gives a task to the processor that is free first.
func assign(busy []time.Duration, task time.Duration) {
	first := 0
	for p, t := range busy {
		if t < busy[first] {
			first = p
		}
	}
	busy[first] += task
}
