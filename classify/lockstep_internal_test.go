package classify

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"testing"

	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/svm/bundle"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// rowsToy is toyKernel with explicit rows.
type rowsToy struct{ toyKernel }

func (k rowsToy) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return svmtest.PairCounts(c), nil
}

// blockToy is toyKernel with products of blocks, and keeps account of their sizes.
type blockToy struct {
	toyKernel
	blocks *blockSizes
}

type blockSizes struct {
	lock sync.Mutex
	greatest, products,
	blocks int
	end func()
}

func (k blockToy) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return blockGram{svmtest.PairCounts(c), k.blocks}, nil
}

type blockGram struct {
	inner *svmtest.Gram
	*blockSizes
}

func (g blockGram) Len() int                  { return g.inner.Len() }
func (g blockGram) Diag(dst []float64)        { g.inner.Diag(dst) }
func (g blockGram) Row(dst []float64, i int)  { g.inner.Row(dst, i) }
func (g blockGram) MulVecTo(dst, v []float64) { g.inner.MulVecTo(dst, v) }

func (g blockGram) Traits() stringkernel.Traits { return stringkernel.Traits{MulBlockTo: g.mulBlockTo} }

func (g blockGram) mulBlockTo(dst, v [][]float64) {
	g.lock.Lock()
	g.greatest, g.products, g.blocks = max(g.greatest, len(v)), g.products+len(v), g.blocks+1
	if g.end != nil && g.blocks == 3 {
		g.end()
	}
	g.lock.Unlock()
	for m := range v {
		g.inner.MulVecTo(dst[m], v[m])
	}
}

// TestLockstepChangesNoBit: cross-validation with and without shared products, and for any number of processors.
func TestLockstepChangesNoBit(t *testing.T) {
	d := toyData(160, 3)
	fold := must.Get(d.Folds(6, 7))(t)
	for _, probability := range []bool{false, true} {
		var first *CVResult
		for _, procs := range []int{1, 2, 5, 50} {
			func() {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
				sizes := new(blockSizes)
				tr := Trainer{Kernel: blockToy{blocks: sizes}, Solver: bundle.Solver{},
					Probability: probability, Seed: 1}
				got := must.Get(CrossValidate(context.Background(), tr, d, fold))(t)
				if first == nil {
					first = got
				} else if !reflect.DeepEqual(first, got) {
					t.Errorf("%d processors change the outcome", procs)
				}
				if shared := sizes.greatest >= 3; shared != (procs <= 2) {
					t.Errorf("%d processors: blocks of up to %d products", procs, sizes.greatest)
				}
			}()
		}
	}
}

func TestLockstepEndsWithErrors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	d := toyData(160, 3)
	fold, err := d.Folds(6, 7)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	tr := Trainer{Kernel: blockToy{blocks: &blockSizes{end: cancel}}, Tol: 1e-9}
	if _, err := CrossValidate(ctx, tr, d, fold); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	// A task that fails leaves the others running to their end, and the first error counts.
	g := blockGram{svmtest.PairCounts(d.Corpus), new(blockSizes)}
	err = solve.EachJob(context.Background(), g, 9, true, func(i int, g stringkernel.Gram) error {
		v := make([]float64, g.Len())
		g.MulVecTo(v, make([]float64, g.Len()))
		if i%4 == 1 {
			return fmt.Errorf("job %d", i)
		}
		g.MulVecTo(v, make([]float64, g.Len()))
		return nil
	})
	if err == nil || err.Error() != "job 1" {
		t.Errorf("error %v, want that of job 1", err)
	}
}
