package solve

import (
	"context"
	"runtime"
	"sync"

	"github.com/seqsvm/seqsvm/classify/krylov"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

const (
	lockstepWidth = 4  // problems in flight per processor: as many as a block product has vectors in one pass
	mostInFlight  = 16 // each keeps its planes; more than four processors would get narrower blocks
)

// lockstep wraps a Gram matrix for problems that are solved side by side: a product waits until every running problem
// has asked for one, and then all are computed as one block. A product has the same bits in any
// block ([stringkernel.MulBlock]), so this changes the time alone. The solvers know nothing of it.
type lockstep struct {
	stringkernel.Gram
	ctx     context.Context // of all problems
	lock    sync.Mutex
	running int // problems that have not ended
	next    *round
}

// round is a block of products, complete when done is closed.
type round struct {
	dst, v [][]float64
	done   chan struct{}
}

// newLockstep returns the front for a number of problems, each of which has to call leave in the end.
func newLockstep(ctx context.Context, g stringkernel.Gram, running int) *lockstep {
	return &lockstep{Gram: g, ctx: ctx, running: running, next: newRound()}
}

func newRound() *round { return &round{done: make(chan struct{})} }

// Describer is that of the wrapped matrix.
func (l *lockstep) Describer() stringkernel.Describer { return stringkernel.DescriberOf(l.Gram) }

// FeatureRows returns those of the wrapped matrix.
func (l *lockstep) FeatureRows() stringkernel.FeatureRows { return stringkernel.FeatureRowsOf(l.Gram) }

// MulVecTo waits for the round to fill up; the caller that fills it multiplies for all.
func (l *lockstep) MulVecTo(dst, v []float64) {
	l.lock.Lock()
	r := l.next
	r.dst, r.v = append(r.dst, dst), append(r.v, v)
	full := l.full()
	l.lock.Unlock()
	if full != nil {
		l.multiply(full)
	}
	<-r.done
}

// leave takes a problem out, and does not wait for the product that this may begin.
func (l *lockstep) leave() {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.running--
	if full := l.full(); full != nil {
		go l.multiply(full)
	}
}

// full returns the current round and begins another if all running problems wait for it, else nil. Once the context is
// done, one that waits is enough.
func (l *lockstep) full() *round {
	r := l.next
	if len(r.v) == 0 || len(r.v) < l.running && l.ctx.Err() == nil {
		return nil
	}
	l.next = newRound()
	return r
}

// multiply makes the products of a round, a block per processor, but none that nobody will read.
func (l *lockstep) multiply(r *round) {
	if l.ctx.Err() == nil {
		krylov.MulBlocks(l.Gram, r.dst, r.v)
	}
	close(r.done)
}

// EachJob calls task(i, matrix) for n problems in parallel, like parallel.Do: in lock step if that pays.
func EachJob(
	ctx context.Context, g stringkernel.Gram, n int, blocks bool, task func(i int, g stringkernel.Gram) error,
) error {
	width := InFlight(n, blocks)
	if width <= runtime.GOMAXPROCS(0) {
		return parallel.Do(ctx, n, func(i int) error { return task(i, g) })
	}
	front := newLockstep(ctx, g, width)
	return parallel.DoOn(ctx, width, n, func(j int) error { return task(j, front) }, front.leave)
}

// InFlight returns how many of n problems run at the same time: more than there are processors in lock step alone.
func InFlight(n int, blocks bool) int {
	procs := runtime.GOMAXPROCS(0)
	if width := min(n, lockstepWidth*procs, mostInFlight); blocks && width >= lockstepWidth*procs {
		return width
	}
	return min(n, procs)
}

// sharesProducts reports whether block products would serve a list of jobs: their solver asks for products alone, and
// the matrix gains from blocks.
func (r Runner) sharesProducts(g stringkernel.Gram, jobs []Job) bool {
	if stringkernel.TraitsOf(g).MulBlockTo == nil {
		return false
	}
	for _, j := range jobs {
		if j.Joint != nil || j.Reference != nil || svm.UsesOf(r.Solver, PartOf(g, j.Index), r.Problem) != svm.Products {
			return false
		}
	}
	return true
}
