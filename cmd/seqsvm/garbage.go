package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"github.com/seqsvm/seqsvm/internal/memory"
)

// A collection of garbage marks what has pointers; most of the memory is a few large arrays of numbers and letters,
// which have none. So the heap may grow, until it is collected again, by a share of what has pointers and not of all of
// it: the same work for less memory.
const (
	slack      = 0.5     // of what has pointers: half of Go's default of 1
	leastSlack = 0.1     // of all, so that sweeping takes little time
	leastRoom  = 8 << 20 // bytes, so that a small heap is not collected all the time
	mostSlack  = 2       // of all, however small it is: Go collects none below 4 MB times that

	muchLive = 32 << 20 // bytes in use at which pages of the program are given back, and whenever they have doubled

	solverRoom = 2 << 20               // bytes, the least room while a solver allocates little
	seldom     = 20 * time.Millisecond // between collections: so little is allocated that they may come more often
)

// solving is true while machines are trained on an index.
var solving atomic.Bool

// spareMemory has the garbage of the process collected early where that is cheap, unless $GOGC is set, and gives back
// what it no longer needs of the program's file once the heap is large.
func spareMemory() {
	if os.Getenv("GOGC") != "" {
		return
	}
	set, much, last := percentOf(mostSlack), uint64(muchLive), time.Now()
	debug.SetGCPercent(set)
	runtime.MemProfileRate = 0 // its samples take a megabyte or two, and nothing here shows them
	afterEachCollection(func() {
		found := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/heap:bytes"}}
		metrics.Read(found)
		live := found[0].Value.Uint64()
		calm := solving.Load() && live >= muchLive && time.Since(last) >= seldom
		last = time.Now()
		if live >= much || calm {
			much = max(much, 2*live)
			memory.ForgetProgram()
		}
		next := percentOf(slackOf(float64(live), float64(found[1].Value.Uint64()), calm))
		if next < set-set/8 || next > set+set/8 { // a change stops all goroutines for a moment
			set = next
			debug.SetGCPercent(set)
		}
	})
}

// collectBeforeSolver gives back what indexing has left, and has garbage of the solver collected soon.
func collectBeforeSolver() {
	solving.Store(true)
	collectAll()
}

// collectAfterSolver gives back what the solver has left.
func collectAfterSolver() {
	solving.Store(false)
	collectAll()
}

// collectAll gives back what a stage of the work has left, where a later one will take as much. A collection needs other
// pages of the program than what came before it.
func collectAll() {
	memory.ForgetProgram()
	runtime.GC()
	memory.ForgetProgram()
}

// slackOf returns by how much of its size a heap may grow that has live bytes, some of them with pointers; calm is one
// in which little is allocated.
func slackOf(live, pointers float64, calm bool) float64 {
	least := max(leastSlack*live, leastRoom)
	if calm {
		least = max(leastSlack*(live-muchLive), solverRoom)
	}
	return min(mostSlack, max(slack*pointers, least)/max(1, live))
}

func percentOf(share float64) int { return int(math.Ceil(100 * share)) }

// collected is an object that is garbage at once. It has a pointer, so that it is not one of several in a block.
type collected struct{ _ *collected }

// afterEachCollection calls do after every collection, one call at a time.
func afterEachCollection(do func()) {
	runtime.SetFinalizer(&collected{}, func(*collected) {
		do()
		afterEachCollection(do)
	})
}
