package main

import (
	"io"
	"maps"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/baseline"
)

func baselineFlag() cli.Flag {
	return &cli.BoolFlag{Name: "baseline", Usage: "print what naive Bayes (multinomial, complement) makes of the counts of words on the same folds, for kernels without words the class with the most records"}
}

// withBaselines adds to a table those of the baselines on the same folds.
func (e *experiment) withBaselines(c *cli.Context, r report, fold []int) (report, error) {
	var table *cvTable
	switch t := r.(type) {
	case *cvTable:
		table = t
	case *levelTable:
		table = t.cvTable
	}
	outcomes, err := e.baselines(c, fold)
	if err != nil {
		return nil, err
	}
	table.Baselines = map[string]*cvTable{}
	for name, outcome := range outcomes {
		if table.Baselines[name], err = foldReports(e.data, outcome); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// baselines cross-validates naive Bayes on the counts of a words kernel, else the class with the most records.
func (e *experiment) baselines(c *cli.Context, fold []int) (map[string]*classify.CVResult, error) {
	words, ok := e.spec.Terms[0].Kernel.(bow.Kernel)
	if !ok || len(e.spec.Terms) > 1 {
		say(c, "seqsvm: --baseline: the class with the most records, as naive Bayes is for counts of words")
		majority, err := baseline.CrossValidateMajority(e.data, fold)
		return map[string]*classify.CVResult{"majority": majority}, err
	}
	outcomes := map[string]*classify.CVResult{}
	for name, bayes := range map[string]baseline.NaiveBayes{"multinomial-nb": {}, "complement-nb": {Complement: true}} {
		outcome, err := bayes.CrossValidate(c.Context, words.Counts(), e.data, fold)
		if err != nil {
			return nil, err
		}
		outcomes[name] = outcome
	}
	return outcomes, nil
}

// writeBaselines writes mean and standard deviation of the baselines in rows of their own.
func (t *cvTable) writeBaselines(w io.Writer) error {
	for _, name := range slices.Sorted(maps.Keys(t.Baselines)) {
		b := t.Baselines[name]
		if err := writeScalars(w, name+" mean", "", b.Mean); err != nil {
			return err
		}
		if err := writeScalars(w, name+" sd", "", b.SD); err != nil {
			return err
		}
	}
	return nil
}
