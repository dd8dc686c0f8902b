package main

import (
	"errors"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/auto"
	"github.com/seqsvm/seqsvm/classify/svm/bundle"
	"github.com/seqsvm/seqsvm/classify/svm/descent"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// solverNames are the values of --solver.
var solverNames = []string{"auto", "smo", "cutting-plane", "dual-coordinate"}

// solverNamed returns the solver with a name.
func solverNamed(name string, seed uint64, sparse bool) svm.Solver {
	switch name {
	case "smo":
		return smo.Solver{}
	case "cutting-plane":
		return bundle.Solver{Sparse: sparse}
	case "dual-coordinate":
		return descent.Solver{Seed: seed}
	default:
		return auto.Solver{Seed: seed, Sparse: sparse}
	}
}

// optionFlags are the flags of the library's options.
var optionFlags = map[string]string{
	"C": "C", "Tol": "tol", "Loss": "loss", "NoBias": "no-bias", "Penalty": "penalty", "Solver": "solver", "MKL": "mkl",
	"ClassWeight": "class-weight", "Multiclass": "multiclass", "Epsilon": "epsilon", "Nu": "nu", "Prior": "prior",
	"Known": "known", "Order": "order", "Probability": "probability", "Threshold": "threshold", "Conformal": "conformal",
	"Confidence": "confidence", "Weights": "weights", "Lambda": "lambda",
	"Landmarks": "landmarks", "Relevance": "relevance",
	"Bias": "bias", "Task": "task",
}

// optionError turns an error of the library about an option into one about its flag.
func optionError(err error) error {
	if errors.Is(err, classify.ErrNoSum) {
		return cli.Usagef("--mkl learns the weights of a sum of kernels: want several --kernel, or a formula as 'A + B', " +
			"without weights of its own")
	}
	if errors.Is(err, svm.ErrIndefinite) {
		return fmt.Errorf("%w: want a kernel without negative eigenvalues, as the flag clip makes gapped and mismatch", err)
	}
	var option *svm.OptionError
	if !errors.As(err, &option) || optionFlags[option.Option] == "" {
		return err
	}
	return cli.Usagef("--%s %v, want %s", optionFlags[option.Option], option.Value, option.Want)
}

func checkC(c float64) error { return optionError(classify.CheckC(c)) }

// showSolver returns a reporter for the solver of a number of training runs. The share of a machine that is done is
// what it expects, else estimated from its gap, which falls exponentially, more or less, to the tolerance.
func showSolver(c *cli.Call, tol float64, runs int) func(svm.Progress) {
	done := 0
	return func(p svm.Progress) {
		share := 0.0
		switch {
		case p.Done:
			done++
		case p.Expected > 0:
			share = math.Min(1, float64(p.Iterations)/float64(p.Expected))
		case p.Gap > 0 && p.Gap < 1:
			share = math.Min(1, math.Log(p.Gap)/math.Log(tol))
		}
		share = (float64(done) + share) / float64(p.Machines*runs)
		c.Show(share, "machine %d of %d, %s, iteration %d, %s", p.Machine+1, p.Machines, p.Solver, p.Iterations, gapOf(p))
	}
}

// gapOf says what gap is known, and since when.
func gapOf(p svm.Progress) string {
	if math.IsInf(p.Gap, 1) {
		return "no gap yet"
	}
	gap := fmt.Sprintf("relative gap %.2g", p.Gap)
	if p.Certified > 0 && p.Certified < p.Iterations {
		gap += fmt.Sprintf(" after %d", p.Certified)
	}
	return gap
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
