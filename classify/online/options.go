package online

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The names of algorithms.
const (
	Perceptron        = "perceptron"
	PassiveAggressive = "passive-aggressive"
	NORMA             = "norma"
)

// algorithm is a rule and the tasks that it can do.
type algorithm struct {
	name  string
	tasks []dataset.Task
	rule  func(Options) rule
}

// algorithms is THE list of algorithms.
var algorithms = []algorithm{
	{PassiveAggressive, []dataset.Task{dataset.Classes, dataset.Regression}, passiveAggressive},
	{Perceptron, []dataset.Task{dataset.Classes}, perceptron},
	{NORMA, []dataset.Task{dataset.Classes, dataset.Regression, dataset.Novelty}, norma},
}

// AlgorithmNames lists the algorithms.
func AlgorithmNames() (names []string) {
	for _, a := range algorithms {
		names = append(names, a.name)
	}
	return names
}

// Options are a kernel and how to learn with it. Kernel and all that the algorithm and the task have a symbol for must
// be set; the others are ignored.
type Options struct {
	Kernel    stringkernel.Kernel // fitted, if it depends on a corpus
	Algorithm string              // Perceptron, PassiveAggressive or NORMA
	Task      dataset.Task        // Classes, Regression or Novelty
	Classes   []string            // classes that are known beforehand; others are added when they are met

	Bias    float64 // β, the value of the feature whose weight is the bias, ≥ 0; 0: no bias
	C       float64 // passive-aggressive: the greatest step, > 0
	Lambda  float64 // norma: λ of the decay, 0 ≤ λ < 1
	Epsilon float64 // regress: an error that costs nothing, ≥ 0
	Nu      float64 // novelty: the share of records below ρ, 0 < ν < 1
}

// Check returns the error of CheckOptions, or one about the kernel.
func (o Options) Check() error {
	if err := o.CheckOptions(); err != nil {
		return err
	}
	if o.Kernel == nil {
		return errors.New("online: no kernel")
	}
	if stringkernel.DependsOnCorpus(o.Kernel) && stringkernel.Reference(o.Kernel) == nil {
		return errors.New("online: the kernel depends on a corpus and was not fitted to one")
	}
	if err := o.Kernel.Check(); err != nil {
		return fmt.Errorf("online: %w", err)
	}
	return nil
}

// CheckOptions returns an [svm.OptionError] for the first option but the kernel that is out of range or does not go
// with another.
func (o Options) CheckOptions() error {
	a := o.algorithm()
	if a == nil {
		return svm.CheckOption(false, "Algorithm", o.Algorithm, "one of %q", AlgorithmNames())
	}
	return cmp.Or(
		svm.CheckOption(slices.Contains(a.tasks, o.Task), "Task", o.Task, "one of %q for %s", a.tasks, a.name),
		svm.CheckOption(o.Bias >= 0 && o.Bias-o.Bias == 0, "Bias", o.Bias, "0 or more"),
		svm.CheckOption(o.Algorithm != PassiveAggressive || o.C > 0 && o.C-o.C == 0, "C", o.C, "> 0"),
		svm.CheckOption(o.Algorithm != NORMA || o.Lambda >= 0 && o.Lambda < 1, "Lambda", o.Lambda, "0 to below 1"),
		svm.CheckOption(o.Task != dataset.Regression || o.Epsilon >= 0 && o.Epsilon-o.Epsilon == 0, "Epsilon", o.Epsilon,
			"0 or more"),
		svm.CheckOption(o.Task != dataset.Novelty || o.Nu > 0 && o.Nu < 1, "Nu", o.Nu, "between 0 and 1"))
}

// algorithm returns the algorithm, nil if the name is unknown.
func (o Options) algorithm() *algorithm {
	for i := range algorithms {
		if algorithms[i].name == o.Algorithm {
			return &algorithms[i]
		}
	}
	return nil
}
