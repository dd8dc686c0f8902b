package seqsvm_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/baseline"
	"github.com/seqsvm/seqsvm/classify/components"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/bundle"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// gate is a kernel whose Gram matrix calls reached at every row and product, from any goroutine.
type gate struct {
	stringkernel.Kernel
	byRows  bool // the matrix is better at rows
	slow    bool // rows take longer than what a solver waits for
	reached func()
}

func (k gate) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	g, err := k.Kernel.Gram(ctx, c)
	if err != nil {
		return nil, err
	}
	return gatedGram{g, k}, nil
}

// gatedGram hides what else the matrix of its kernel has.
type gatedGram struct {
	inner stringkernel.Gram
	gate
}

func (g gatedGram) Len() int           { return g.inner.Len() }
func (g gatedGram) Diag(dst []float64) { g.inner.Diag(dst) }

func (g gatedGram) Row(dst []float64, i int) {
	g.reached()
	if g.slow {
		time.Sleep(200 * time.Microsecond)
	}
	g.inner.Row(dst, i)
}

func (g gatedGram) MulVecTo(dst, v []float64) {
	g.reached()
	g.inner.MulVecTo(dst, v)
}

func (g gatedGram) Traits() stringkernel.Traits { return stringkernel.Traits{RowBased: g.byRows} }

// learners use rows and products in all the ways there are.
func learners(t *testing.T) map[string]func(ctx context.Context, reached func()) error {
	spec := must.Get(catalog.Parse("spectrum:k=3"))(t)
	kernel := must.Get(spec.Compile(stringkernel.DNA))(t)
	d := randomData(t, "dna", 60, 30)
	const classes = 10
	labels, fold, numbers := make([]string, d.Len()), make([]int, d.Len()), make([]float64, d.Len())
	for i := range labels {
		labels[i], fold[i], numbers[i] = fmt.Sprint(i%classes), i/classes%3, float64(i%7)
	}
	many := must.Get(dataset.New(d.Corpus, labels, nil))(t)
	matrix := func(ctx context.Context, k gate) stringkernel.Gram {
		g, err := k.Gram(ctx, d.Corpus)
		if err != nil {
			t.Error(err)
		}
		return g
	}
	train := func(k gate, s svm.Solver) func(ctx context.Context, reached func()) error {
		return func(ctx context.Context, reached func()) error {
			k.Kernel, k.reached = kernel, reached
			_, err := classify.Trainer{Kernel: k, Solver: s, Probability: true}.Train(ctx, d)
			return err
		}
	}
	on := func(run func(ctx context.Context, g stringkernel.Gram) error) func(context.Context, func()) error {
		return func(ctx context.Context, reached func()) error {
			return run(ctx, matrix(ctx, gate{Kernel: kernel, reached: reached}))
		}
	}
	problem := process.Regression{Targets: numbers, Lambda: 0.1}
	predict := func(method func(matrix classify.GramFunc) baseline.Method) func(context.Context, func()) error {
		return on(func(ctx context.Context, g stringkernel.Gram) error {
			m := method(func(context.Context, []int) (stringkernel.Gram, error) { return g, nil })
			_, err := m.Predict(ctx, many, []int{0, 1, 2, 3, 4, 5}, []int{6, 7, 8})
			return err
		})
	}
	return map[string]func(ctx context.Context, reached func()) error{
		"smo":         train(gate{slow: true}, smo.Solver{}),
		"smo by rows": train(gate{byRows: true, slow: true}, smo.Solver{}),
		"held": func(ctx context.Context, reached func()) error {
			_, err := svm.Hold(ctx, matrix(ctx, gate{Kernel: kernel, byRows: true, reached: reached}))
			return err
		},
		"cutting planes": train(gate{}, bundle.Solver{}),
		"folds of many classes": func(ctx context.Context, reached func()) error {
			tr := classify.Trainer{Kernel: gate{Kernel: kernel, reached: reached}, Solver: bundle.Solver{}}
			_, err := classify.CrossValidate(ctx, tr, many, fold)
			return err
		},
		"ridge": on(func(ctx context.Context, g stringkernel.Gram) error {
			_, err := process.Ridge{}.Solve(ctx, g, problem)
			return err
		}),
		"leave one out": on(func(ctx context.Context, g stringkernel.Gram) error {
			_, err := process.LeaveOneOut{}.Predict(ctx, g, problem, []float64{0.1})
			return err
		}),
		"relevance vectors": on(func(ctx context.Context, g stringkernel.Gram) error {
			_, err := process.Relevance{Columns: 20}.Regress(ctx, g, problem)
			return err
		}),
		"gaussian process": on(func(ctx context.Context, g stringkernel.Gram) error {
			_, err := process.Gaussian{Checks: 3}.Fit(ctx, g, problem)
			return err
		}),
		"components": on(func(ctx context.Context, g stringkernel.Gram) error {
			_, err := components.PCA{Count: 2}.Fit(ctx, g)
			return err
		}),
		"centroid":  predict(func(m classify.GramFunc) baseline.Method { return baseline.Centroid{Gram: m} }),
		"neighbour": predict(func(m classify.GramFunc) baseline.Method { return baseline.Neighbour{Gram: m} }),
	}
}

// TestCancelledDuringAProduct cancels learning while a row or product is being made, at several of them that are spread
// over the whole run: it returns while that still goes on, and once that has ended nothing is left running.
func TestCancelledDuringAProduct(t *testing.T) {
	goroutines := runtime.NumGoroutine()
	for name, learn := range learners(t) {
		var calls atomic.Int64
		if err := learn(t.Context(), func() { calls.Add(1) }); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for part := range int64(6) {
			var asked atomic.Int64
			at, release := 1+part*(calls.Load()-1)/6, make(chan struct{})
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() {
				ended <- learn(ctx, func() {
					if asked.Add(1) >= at {
						cancel()
						<-release
					}
				})
			}()
			if err := <-ended; !errors.Is(err, context.Canceled) { // never, if it waits for the product
				t.Errorf("%s, at %d of %d: error %v, want %v", name, at, calls.Load(), err, context.Canceled)
			}
			cancel()
			close(release)
		}
		wantGoroutines(t, goroutines)
	}
}
