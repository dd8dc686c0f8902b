package main

import (
	"fmt"
	"time"

	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// progress returns a reporter for a solver, nil if there is no terminal to show it. clear wipes its line.
func progress(c *cli.Call) (report func(svm.Progress), clear func()) {
	file := c.Terminal()
	if file == nil {
		return nil, func() {}
	}
	last := time.Time{}
	report = func(p svm.Progress) {
		if now := time.Now(); p.Done || now.Sub(last) > 100*time.Millisecond {
			last = now
			fmt.Fprintf(file, "\r\x1b[Kmachine %d of %d, %s: iteration %d, relative gap %.2g", p.Machine+1,
				p.Machines, p.Solver, p.Iterations, p.Gap)
		}
	}
	return report, func() { fmt.Fprint(file, "\r\x1b[K") }
}

// searchProgress is progress for a search.
func searchProgress(c *cli.Call) (report func(search.Progress), clear func()) {
	file := c.Terminal()
	if file == nil {
		return nil, func() {}
	}
	report = func(p search.Progress) {
		outer := ""
		if p.Outers > 0 {
			outer = fmt.Sprintf("outer fold %d of %d, ", p.Outer, p.Outers)
		}
		fmt.Fprintf(file, "\r\x1b[K%scandidate %d of %d", outer, p.Done, p.Candidates)
	}
	return report, func() { fmt.Fprint(file, "\r\x1b[K") }
}
