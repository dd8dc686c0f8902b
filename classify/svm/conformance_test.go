package svm_test

import (
	"cmp"
	"context"
	"testing"

	"github.com/seqsvm/seqsvm/classify/internal/solvertest"
	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/auto"
	"github.com/seqsvm/seqsvm/classify/svm/bundle"
	"github.com/seqsvm/seqsvm/classify/svm/descent"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// dense returns a matrix in memory.
func dense(g stringkernel.Gram) *svm.Precomputed {
	p := &svm.Precomputed{N: g.Len(), K: make([]float64, g.Len()*g.Len())}
	for i := range p.N {
		g.Row(p.K[i*p.N:(i+1)*p.N], i)
	}
	return p
}

// rowsOnly hides that a matrix is in memory.
type rowsOnly struct{ *svm.Precomputed }

func (rowsOnly) Traits() stringkernel.Traits { return stringkernel.Traits{RowBased: true} }

// products hides all but the products.
func products(g *svmtest.Gram) stringkernel.Gram { return svmtest.Unbased{Gram: dense(g)} }

func inMemory(g *svmtest.Gram) stringkernel.Gram { return dense(g) }

func byRows(g *svmtest.Gram) stringkernel.Gram { return rowsOnly{dense(g)} }

// twoRows is SMO with a cache of two rows.
type twoRows struct{ smo.Solver }

func (s twoRows) Solve(ctx context.Context, g stringkernel.Gram, p svm.Problem) (svm.Solution, error) {
	p.CacheBytes = cmp.Or(p.CacheBytes, 1)
	return s.Solver.Solve(ctx, g, p)
}

func TestConformance(t *testing.T) {
	steps := func(n int) svm.Solver { return smo.Solver{MaxIterations: n} }
	planes := func(n int) svm.Solver { return bundle.Solver{MaxIterations: n} }
	passes := func(n int) svm.Solver { return descent.Solver{MaxIterations: n} }
	slow := func(sol svm.Solution) bool { return sol.Iterations == 3000 || sol.Gap < 1e-5 }
	for name, c := range map[string]struct {
		solver svm.Solver
		opt    solvertest.Options
	}{
		"smo":           {smo.Solver{}, solvertest.Options{Refused: solvertest.Risks, Limited: steps, Gram: inMemory}},
		"smo, two rows": {twoRows{}, solvertest.Options{Refused: solvertest.Risks, Limited: steps, Gram: byRows}},
		"planes": {bundle.Solver{},
			solvertest.Options{Refused: solvertest.Squares, Limited: planes, Starts: true, Gram: products}},
		"sparse planes": {bundle.Solver{Sparse: true}, solvertest.Options{Refused: solvertest.Squares, Starts: true}},
		"descent": {descent.Solver{},
			solvertest.Options{Refused: solvertest.Risks, Limited: passes, Starts: true, Open: slow}},
		"descent, another seed": {descent.Solver{Seed: 5},
			solvertest.Options{Refused: solvertest.Risks, Starts: true, Open: slow}},
		"auto": {auto.Solver{}, solvertest.Options{}},
	} {
		t.Run(name, func(t *testing.T) { solvertest.Run(t, c.solver, c.opt) })
	}
}
