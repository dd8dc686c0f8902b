package main

import (
	"math"

	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// showSolver returns a reporter for the solver of a number of training runs. The share of a machine that is done is
// estimated from its gap, which falls exponentially, more or less, to the tolerance.
func showSolver(c *cli.Call, tol float64, runs int) func(svm.Progress) {
	done := 0
	return func(p svm.Progress) {
		share := 0.0
		if p.Done {
			done++
		} else if p.Gap > 0 && p.Gap < 1 {
			share = math.Min(1, math.Log(p.Gap)/math.Log(tol))
		}
		share = (float64(done) + share) / float64(p.Machines*runs)
		c.Show(share, "machine %d of %d, %s, iteration %d, relative gap %.2g", p.Machine+1, p.Machines, p.Solver,
			p.Iterations, p.Gap)
	}
}

// runs is the number of training runs of a cross-validation: a kernel that depends on the corpus has one per fold,
// any other one for all.
func (e *experiment) runs(fold []int) int {
	runs := 1
	if stringkernel.DependsOnCorpus(e.trainer.Kernel) {
		for _, f := range fold {
			runs = max(runs, f+1)
		}
	}
	return runs
}

// showSearch returns a reporter for a search, which takes as long as one of its outer folds, or a little longer.
func showSearch(c *cli.Call) func(search.Progress) {
	return func(p search.Progress) {
		share := float64(p.Done) / float64(p.Candidates)
		if p.Outers == 0 {
			c.Show(share, "candidate %d of %d", p.Done, p.Candidates)
			return
		}
		share = (float64(p.Outer-1) + share) / float64(p.Outers)
		c.Show(share, "outer fold %d of %d, candidate %d of %d", p.Outer, p.Outers, p.Done, p.Candidates)
	}
}
