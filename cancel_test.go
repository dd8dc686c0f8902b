package seqsvm_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// families are kernels of every index there is, by what their records are.
var families = map[string][]string{
	"dna": {
		"spectrum:k=6", "spectrum:k=6,bounded", "spectrum:k=16,rc", "spectrum:k=20", "spectrum:k=4,rbf=1",
		"substring:weight=constant", "substring:weight=tfidf,k=8", "substring:weight=bounded,k=8,rc",
		"gapped:l=8,k=5,rc", "gapped:l=15,k=7", "mismatch:k=6,m=1", "mismatch:k=14,m=1",
		"wd:d=20", "wd:d=20,shift=2", "poly:d=3", "locality", "oligo",
	},
	"text": {
		"words:ngram=1-3,tfidf", "words:letters,ngram=1-3", "substring:unit=word,weight=decay,lambda=0.5",
		"substring:unit=rune,weight=constant",
	},
	"tree": {"subtree", "tag", "sst", "sst:depth=3", "ptk", "ptk:size=3"},
}

// randomRecord draws a record of a kind with a number of letters, words or leaves.
func randomRecord(rng *rand.Rand, kind string, size int) []byte {
	var s strings.Builder
	switch kind {
	case "dna":
		for range size {
			s.WriteByte("ACGT"[rng.IntN(4)])
		}
	case "text":
		for range size {
			fmt.Fprintf(&s, "w%d ", int(2000*rng.Float64()*rng.Float64()))
		}
	default:
		var grow func(leaves int)
		grow = func(leaves int) {
			fmt.Fprintf(&s, "(%c ", 'A'+rng.IntN(8))
			if leaves == 1 {
				fmt.Fprintf(&s, "w%d", rng.IntN(50))
			} else {
				left := 1 + rng.IntN(leaves-1)
				grow(left)
				s.WriteByte(' ')
				grow(leaves - left)
			}
			s.WriteByte(')')
		}
		grow(size)
	}
	return []byte(s.String())
}

// randomData draws random records with random labels, which solvers find hard.
func randomData(t *testing.T, kind string, n, size int) *dataset.Dataset {
	rng := rand.New(rand.NewPCG(5, uint64(n)))
	var b stringkernel.CorpusBuilder
	labels := make([]string, n)
	for i := range labels {
		b.Add(fmt.Sprint(i), randomRecord(rng, kind, size))
		labels[i] = string(rune('a' + i%2))
	}
	return must.Get(dataset.New(b.Corpus(), labels, nil))(t)
}

// countdown is a context that is cancelled when it is asked the n-th time whether it is.
type countdown struct {
	context.Context
	left   atomic.Int64
	cancel context.CancelFunc
}

func newCountdown(n int64) *countdown {
	c := new(countdown)
	c.Context, c.cancel = context.WithCancel(context.Background())
	c.left.Store(n)
	return c
}

func (c *countdown) Err() error {
	if c.left.Add(-1) <= 0 { // each: the goroutine that asked for the n-th time may have to wait before it cancels
		c.cancel()
	}
	return c.Context.Err()
}

// TestCancelledAtAnyCheck cancels training at checks that are spread over the whole run: it ends with the context's
// error, and with no goroutine left, wherever it was. The number of checks may differ from run to run by those of rows
// that take long.
func TestCancelledAtAnyCheck(t *testing.T) {
	goroutines := runtime.NumGoroutine()
	rng := rand.New(rand.NewPCG(3, 4))
	for kind, kernels := range families {
		d := randomData(t, kind, 40, 30)
		for _, kernel := range kernels {
			const most = 1 << 40
			ctx := newCountdown(most)
			if _, err := seqsvm.FitDataset(ctx, kernel, d, seqsvm.Options{}); err != nil {
				t.Fatalf("%s: %v", kernel, err)
			}
			checks := most - ctx.left.Load()
			for range long.Or(6, 3) {
				n := 1 + rng.Int64N(checks)
				ctx := newCountdown(n)
				_, err := seqsvm.FitDataset(ctx, kernel, d, seqsvm.Options{})
				if cancelled := ctx.Context.Err(); !errors.Is(err, cancelled) { // nil if this run has fewer checks
					t.Errorf("%s, cancelled at check %d of %d: error %v, want %v", kernel, n, checks, err, cancelled)
				}
			}
		}
	}
	wantGoroutines(t, goroutines)
}

// TestCancelledTrainingStops cancels training on many records at its 300th check of the context, before its end:
// it asks often. From then on it asks once for each part of the work that was under way, and leaves neither a goroutine
// nor memory behind.
func TestCancelledTrainingStops(t *testing.T) {
	goroutines, most := runtime.NumGoroutine(), int64(100)
	sizes := map[string][2]int{"dna": {1000, 300}, "text": {1000, 100}, "tree": {1000, 50}}
	for kind, kernels := range families {
		d := randomData(t, kind, sizes[kind][0], sizes[kind][1])
		before := heap()
		for _, kernel := range kernels {
			ctx := newCountdown(300)
			_, err := seqsvm.FitDataset(ctx, kernel, d, seqsvm.Options{})
			if after := -ctx.left.Load(); !errors.Is(err, context.Canceled) || after > most {
				t.Errorf("%s: error %v, asked %d times after it was cancelled, want %v and at most %d", kernel, err, after,
					context.Canceled, most)
			}
		}
		wantGoroutines(t, goroutines) // a product that was left behind ends first
		if after := heap(); after > before+(32<<20) {
			t.Errorf("%s: %d MB are in use after cancelled trainings, %d before", kind, after>>20, before>>20)
		}
		runtime.KeepAlive(d)
	}
}

// heap returns the bytes in use, without those that pools hold for reuse.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// wantGoroutines waits until the number of goroutines comes down to n; if one is left behind, until the test's limit.
func wantGoroutines(t *testing.T, n int) {
	t.Helper()
	for runtime.NumGoroutine() > n {
		time.Sleep(time.Millisecond)
	}
}
