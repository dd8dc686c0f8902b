//go:build heap

package classify

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// The memory of a training while it runs stays within the estimate made beforehand.
func TestHeapOfTraining(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	build := func(n, k int) (*stringkernel.Corpus, []string) {
		var b stringkernel.CorpusBuilder
		labels := make([]string, n)
		for i := range n {
			seq := make([]byte, 12)
			for j := range seq {
				seq[j] = "ACGT"[rng.IntN(4)]
			}
			b.Add(fmt.Sprint(i), seq)
			labels[i] = fmt.Sprint(i % k)
		}
		return b.Corpus(), labels
	}
	for _, c := range []struct {
		name    string
		n, k    int
		trainer Trainer
		several bool
	}{
		{"one-vs-rest", 4000, 500, Trainer{}, false},
		{"one-vs-one", 2000, 60, Trainer{Multiclass: OneVsOne}, false},
		{"crammer-singer", 4000, 500, Trainer{Multiclass: CrammerSinger}, false},
		{"probability", 1500, 100, Trainer{Probability: true}, false},
		{"several labels", 1500, 100, Trainer{}, true},
	} {
		corpus, labels := build(c.n, c.k)
		d, err := NewDataset(corpus, labels, nil)
		if c.several {
			var lists [][]string
			for _, label := range labels {
				lists = append(lists, []string{label})
			}
			d, err = NewMultilabelDataset(corpus, lists, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		c.trainer.Kernel, c.trainer.Tol = spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA}, 0.5
		counted := c.trainer.machineBytes(d)
		if c.trainer.Multiclass == CrammerSinger { // whose descent checks its table itself
			counted += float64(8 * c.k * stringkernel.FeatureRowsOf(gramOf(t, c.trainer.Kernel, d)).Width())
		}
		peak := heapOf(t, func() {
			m, err := c.trainer.Train(context.Background(), d)
			if err == nil {
				_, err = m.Classifier(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
		})
		const rest = 24 << 20 // solvers, index, and what a collection has not seen yet
		t.Logf("%s: %.1f MB counted, %.1f MB taken", c.name, counted/1e6, peak/1e6)
		if peak > counted+rest {
			t.Errorf("%s took %.0f MB, counted were %.0f MB", c.name, peak/1e6, counted/1e6)
		}
	}
}

// The memory of solvers on many short records stays within the estimate made beforehand, which is not far above it.
func TestHeapOfSolvers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const n = 60_000
	var b stringkernel.CorpusBuilder
	labels := make([]string, n)
	for i := range n {
		x := make([]byte, 12)
		for j := range x {
			x[j] = "ACGT"[rng.IntN(4)]
		}
		labels[i] = "a"
		if i%2 == 0 {
			labels[i] = "b"
			copy(x[rng.IntN(8):], "ACGT")
		}
		b.Add(fmt.Sprint(i), x)
	}
	d := must.Get(NewDataset(b.Corpus(), labels, nil))(t)
	g := gramOf(t, compose.Normalized{Kernel: spectrum.Kernel{K: 4, Alphabet: stringkernel.DNA}}, d)
	must.Succeed(t, stringkernel.Prepare(t.Context(), g))
	for name, tr := range map[string]Trainer{
		"cutting planes":           {Solver: svm.CuttingPlane{}},
		"cutting planes, small C":  {Solver: svm.CuttingPlane{}, C: 0.1},
		"cutting planes, great C":  {Solver: svm.CuttingPlane{}, C: 10},
		"smo":                      {Solver: svm.SMO{MaxIterations: 2000}, CacheBytes: 64 << 20},
		"dual coordinate descent":  {Solver: svm.DualCoordinate{}},
		"cutting planes of a risk": {Loss: LossLogistic, Solver: svm.CuttingPlane{}},
		"newton":                   {Loss: LossLogistic},
	} {
		plan := must.Get(tr.plan(d, nil))(t)
		running := inFlight(len(plan.jobs), false)
		counted := tr.beside(running).solverBytes(g, plan.jobs, running)
		const rest = 8 << 20 // labels, weights, coefficients, and what a collection has not seen yet
		within := false
		// a collection may come too late for the peak, or count what is allocated meanwhile, but not each time
		for range 3 {
			peak := heapOf(t, func() {
				if _, _, err := tr.TrainOn(t.Context(), g, d); err != nil {
					t.Fatal(err)
				}
			})
			t.Logf("%s: %.1f MB counted, %.1f MB taken", name, counted/1e6, peak/1e6)
			if within = peak <= counted+rest && counted <= 3*peak+rest; within {
				break
			}
		}
		if !within {
			t.Errorf("%s took less or more than the %.0f MB that were counted, each time", name, counted/1e6)
		}
	}
}

// heapOf returns the most that run adds to the live heap: what collections found in use, garbage that still waits for
// one left out. They come in steps of a fifth.
func heapOf(t *testing.T, run func()) float64 {
	t.Helper()
	// what is allocated while a collection goes on counts as in use, and is more with more processors
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(min(2, runtime.GOMAXPROCS(0))))
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	runtime.GC()
	before := liveHeap()
	done, most := make(chan struct{}), make(chan float64)
	go func() {
		greatest := 0.0
		for {
			select {
			case <-done:
				most <- greatest
				return
			case <-time.After(10 * time.Millisecond):
				greatest = max(greatest, liveHeap())
			}
		}
	}()
	run()
	close(done)
	return max(0, <-most-before)
}

// liveHeap returns the bytes that the last collection marked.
func liveHeap() float64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return float64(sample[0].Value.Uint64())
}
