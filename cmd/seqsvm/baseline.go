package main

import (
	"io"
	"maps"
	"slices"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/baseline"
	"github.com/seqsvm/seqsvm/classify/metrics"
)

// addBaselines adds the tables of the baselines on the same folds, without the levels of a hierarchy.
func (e *experiment) addBaselines(c *cli.Call, table *cvTable, fold []int) error {
	outcomes, err := e.baselines(c, fold)
	if err != nil {
		return err
	}
	table.Baselines = map[string]*cvTable{}
	for name, outcome := range outcomes {
		t, err := newCVTable(e.data, outcome)
		if err != nil {
			return err
		}
		table.Baselines[name] = &cvTable{Folds: t.Folds, Mean: t.Mean, SD: t.SD}
	}
	return nil
}

// baselines cross-validates naive Bayes on the counts of a words kernel, else the class with the most records.
func (e *experiment) baselines(c *cli.Call, fold []int) (map[string]*classify.CVResult, error) {
	words, ok := e.spec.Terms[0].Kernel.(bow.Kernel)
	if !ok || len(e.spec.Terms) > 1 {
		c.Say("seqsvm: --baseline: using the most frequent class, since naive Bayes needs counts of words")
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

// writeBaselines writes a row each for mean and standard deviation of the baselines, which have no probabilities.
func (t *cvTable) writeBaselines(w io.Writer) error {
	for _, name := range slices.Sorted(maps.Keys(t.Baselines)) {
		b := t.Baselines[name]
		for _, r := range []struct {
			name string
			metrics.Scalars
		}{{name + " mean", b.Mean}, {name + " sd", b.SD}} {
			cells := []string{r.name, ""}
			for _, metric := range t.Mean.Names {
				cells = append(cells, cli.Rounded(r.Value(metric)))
			}
			if err := cli.Row(w, cells...); err != nil {
				return err
			}
		}
	}
	return nil
}
