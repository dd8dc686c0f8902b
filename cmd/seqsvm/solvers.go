package main

import (
	"errors"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// solverNames are the values of --solver.
var solverNames = []string{"auto", "smo", "cutting-plane", "dual-coordinate"}

// solverNamed returns the solver with a name.
func solverNamed(name string, seed uint64, sparse bool) svm.Solver {
	switch name {
	case "smo":
		return svm.SMO{}
	case "cutting-plane":
		return svm.CuttingPlane{Sparse: sparse}
	case "dual-coordinate":
		return svm.DualCoordinate{Seed: seed}
	default:
		return svm.Auto{Seed: seed, Sparse: sparse}
	}
}

// optionFlags are the flags of the library's options.
var optionFlags = map[string]string{
	"C": "C", "Tol": "tol", "Loss": "loss", "Solver": "solver", "ClassWeight": "class-weight",
	"Multiclass": "multiclass",
}

// optionError turns an error of the library about an option into one about its flag.
func optionError(err error) error {
	var option *svm.OptionError
	if !errors.As(err, &option) || optionFlags[option.Option] == "" {
		return err
	}
	return cli.Usagef("--%s %v, want %s", optionFlags[option.Option], option.Value, option.Want)
}

func checkC(c float64) error { return optionError(classify.CheckC(c)) }
