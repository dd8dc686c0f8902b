package main

import (
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/classify/measure"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/model"
)

// compareOptions are the options of compare: those of evaluate, without a model.
type compareOptions struct{ evaluateOptions }

func compareCommand() *cli.Command {
	o := new(compareOptions)
	return &cli.Command{
		Name:  "compare",
		Usage: "tell whether one model is better than another on the same records",
		Example: "seqsvm train --kernel spectrum:k=3 -o other.seqsvm testdata/fasta/promoters.fa\n" +
			"seqsvm compare promoters.seqsvm other.seqsvm held-out.fa",
		Operands: "A B FILE…  or  A B --pos FILE --neg FILE",
		Description: `A and B are model files of the same classes. Writes every metric of evaluate for both, the
difference A − B, its 95 % interval, lower to upper, and p, the chance of a difference as great between models that
are equally good. Both are measured on the same samples of the records, drawn with replacement within
each class (bootstrap). Of two classes, the areas under the ROC curves are also compared without samples,
by the method of DeLong, DeLong and Clarke-Pearson. Where records go together, as those of a gene, draw
groups (--group); DeLong's method does not know them, and is left out. An interval says how sure the
difference is for these two models, not how much models of other training data would differ.`,
		Random: true,
		Flags: func(f *cli.Flags) {
			o.Labels.Flags(f)
			o.RecordFlags(f)
			f.String(&o.query, "query", "", queryHelp).Default("that of training, if there was one")
			f.Section(cli.OfOutput)
			o.groupFlags(f, "draw groups of records")
			f.Int(&o.replicates, "bootstrap", metrics.DefaultReplicates, "`N` samples of the records").Between(100, 1e6)
			o.reportOptions.flags(f)
		},
		Run: o.run,
	}
}

func (o *compareOptions) run(c *cli.Call) error {
	if err := o.foldOptions.check(); err != nil {
		return err
	}
	if slices.Contains(c.Args, "-") {
		return cli.Usagef("- is standard input, and compare reads its records twice: give files")
	}
	paths, files := modelsFirst(c.Args)
	if len(paths) != 2 {
		return cli.Usagef("model files among the operands: %d, want two, A and B, which train wrote", len(paths))
	}
	var both [2]*applied
	for i, path := range paths {
		one := o.evaluateOptions
		one.Path, c.Args = path, files
		var err error
		if both[i], err = one.apply(c); err != nil {
			return err
		}
	}
	if err := comparable(both, paths); err != nil {
		return err
	}
	input.NotePositive(c, &both[0].Classifier.Rule)
	rows, err := o.compare(c, both)
	if err != nil {
		return err
	}
	if err := o.output.WriteTable(o.format, func(t *cli.Table) { writeComparison(t, rows) }); err != nil {
		return err
	}
	for i, on := range both {
		on.Warn()
		on.Suspects.WarnKnown(c, paths[i]+" has an advantage that it would not have on new data")
	}
	return nil
}

// modelsFirst separates model files from other operands.
func modelsFirst(operands []string) (models, others []string) {
	for _, path := range operands {
		if model.IsModel(path) {
			models = append(models, path)
		} else {
			others = append(others, path)
		}
	}
	return models, others
}

// comparable returns an error unless both models decide between the same classes.
func comparable(both [2]*applied, paths []string) error {
	a, b := &both[0].Classifier.Rule, &both[1].Classifier.Rule
	switch {
	case a.Labelling() != b.Labelling():
		return fmt.Errorf("%s is a model for %s, %s for %s: their metrics differ", paths[0], taskText(a), paths[1],
			taskText(b))
	case !slices.Equal(both[0].truth.Classes, both[1].truth.Classes):
		return fmt.Errorf("%s has the classes %s, %s has %s: want the same", paths[0], cli.ListNames(a.Classes),
			paths[1], cli.ListNames(b.Classes))
	case a.Positive != b.Positive:
		return fmt.Errorf("the scores of %s are those of class %s, of %s those of %s: want the same (train --positive)",
			paths[0], a.Classes[a.Positive], paths[1], b.Classes[b.Positive])
	}
	return nil
}

// alike leaves out what the predictions of one model alone have: probabilities, or deviations of numbers.
func alike(both [2]*applied) {
	for i, on := range both {
		other := both[1-i].predictions[0]
		for k := range on.predictions {
			p := &on.predictions[k]
			if other.Probabilities == nil {
				p.Probabilities = nil
			}
			if other.Deviation == 0 {
				p.Deviation = 0
			}
		}
	}
}

// comparison is a row of compare.
type comparison struct {
	metric, method       string
	a, b                 float64
	difference           float64
	lower, upper, chance float64
}

// compare measures both models and their difference.
func (o *compareOptions) compare(c *cli.Call, both [2]*applied) ([]comparison, error) {
	alike(both)
	a, err := both[0].measure()
	if err != nil {
		return nil, err
	}
	b, err := both[1].measure()
	if err != nil {
		return nil, err
	}
	c.Stage("bootstrapping")
	r, err := measure.Resample(c.Context, both[0].truth, o.replicates, c.Seed, nil, both[0].predictions, both[1].predictions)
	if err != nil {
		return nil, err
	}
	r = r.Differences()
	var rows []comparison
	for m, name := range a.Names {
		row := comparison{metric: name, method: "bootstrap", a: float64(a.Values[m]), b: float64(b.Values[m])}
		row.difference = row.a - row.b
		row.lower, row.upper = r.Interval95(m, row.difference, metrics.Real)
		row.chance = r.P(m, row.difference)
		rows = append(rows, row)
		if name == "auroc" && o.group == "" && len(both[0].truth.Classes) == 2 {
			row, err := deLong(both)
			if err != nil {
				return nil, err
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// deLong compares the areas under the ROC curves of scores of the positive class of two.
func deLong(both [2]*applied) (comparison, error) {
	var scores [2][]float64
	var positive []bool
	for i, on := range both {
		for k, p := range on.predictions {
			scores[i] = append(scores[i], p.Scores[0])
			if i == 0 {
				positive = append(positive, on.truth.Y[k] == on.truth.Positive)
			}
		}
	}
	d, err := metrics.NewDeLong(scores[0], scores[1], positive)
	row := comparison{metric: "auroc", method: "delong", a: d.A, b: d.B, difference: d.Difference(), chance: d.P()}
	row.lower, row.upper = d.Interval95()
	return row, err
}

func writeComparison(t *cli.Table, rows []comparison) {
	t.Header("metric", "method", "a", "b", "difference", "lower", "upper", "p")
	for _, r := range rows {
		t.Row(r.metric, r.method, cli.Metric(r.a), cli.Metric(r.b), cli.Metric(r.difference), cli.Metric(r.lower),
			cli.Metric(r.upper), r.chance)
	}
}
