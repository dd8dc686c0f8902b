package main

import (
	"fmt"

	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// showSolver returns a reporter for a solver.
func showSolver(line *cli.Progress) func(svm.Progress) {
	return func(p svm.Progress) {
		line.Show("machine %d of %d, %s: iteration %d, relative gap %.2g", p.Machine+1, p.Machines, p.Solver,
			p.Iterations, p.Gap)
	}
}

// showSearch returns a reporter for a search.
func showSearch(line *cli.Progress) func(search.Progress) {
	return func(p search.Progress) {
		outer := ""
		if p.Outers > 0 {
			outer = fmt.Sprintf("outer fold %d of %d, ", p.Outer, p.Outers)
		}
		line.Show("%scandidate %d of %d", outer, p.Done, p.Candidates)
	}
}
