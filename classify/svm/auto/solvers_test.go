package auto_test

import (
	"cmp"
	"context"
	"testing"

	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/auto"
	"github.com/seqsvm/seqsvm/classify/svm/bundle"
	"github.com/seqsvm/seqsvm/classify/svm/descent"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// products hides all but the products.
func products(g *svmtest.Gram) stringkernel.Gram { return svmtest.Unbased{Gram: svmtest.Dense(g)} }

func inMemory(g *svmtest.Gram) stringkernel.Gram { return svmtest.Dense(g) }

func byRows(g *svmtest.Gram) stringkernel.Gram {
	return svmtest.RowsOnly{Precomputed: svmtest.Dense(g)}
}

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
		opt    abilities
	}{
		"smo":           {smo.Solver{}, abilities{Refused: risks, Limited: steps, Gram: inMemory}},
		"smo, two rows": {twoRows{}, abilities{Refused: risks, Limited: steps, Gram: byRows}},
		"planes": {bundle.Solver{},
			abilities{Refused: squares, Limited: planes, Starts: true, Gram: products}},
		"sparse planes": {bundle.Solver{Sparse: true}, abilities{Refused: squares, Starts: true}},
		"descent": {descent.Solver{},
			abilities{Refused: risks, Limited: passes, Starts: true, Open: slow}},
		"auto": {auto.Solver{}, abilities{}},
	} {
		t.Run(name, func(t *testing.T) { runSuite(t, c.solver, c.opt) })
	}
}
