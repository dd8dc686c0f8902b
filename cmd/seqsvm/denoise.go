package main

import (
	"github.com/seqsvm/seqsvm/classify/components"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// denoiseOptions are the options of denoise.
type denoiseOptions struct {
	pairOptions
	reportOptions
	components, top int
	report          cli.Output
}

func denoiseCommand() *cli.Command {
	o := new(denoiseOptions)
	return &cli.Command{
		Name:     "denoise",
		Usage:    "rebuild records from principal components, feature by feature",
		Example:  "seqsvm denoise --kernel spectrum:k=3 --components 5 --top 3 testdata/fasta/promoters.fa",
		Operands: "FILE [TRAINING]",
		Description: `What is left of each record of the first file along the first components of the last, which are those of
embed: the nearest point of the feature space that these components reach. Its pre-image is exact for
kernels whose features have names, as words and k-mers have: writes id, feature, value (in the record) and
denoised (in what is left of it), for the --top features with the greatest values left. A feature that the
record lacks and its like have gets a value, one that it alone has loses its own.

Values are those of features: of a normalised kernel, the record has length 1. Standard error states the
mean square |φ(x) − Pφ(x)|² of what is lost, and --report that of each record: great for records unlike
those of training. With two files, features and document frequencies are those of the second.`,
		Random: true,
		Flags: func(f *cli.Flags) {
			o.pairOptions.flags(f)
			f.Section(cli.OfLearning)
			f.Int(&o.components, "components", 10, "number of components, fewer than records").AtLeast(1)
			f.Section(cli.OfOutput)
			f.Int(&o.top, "top", 10, "number of features for each record").AtLeast(1)
			o.reportOptions.flags(f)
			f.File(&o.report, "report", "`FILE` for a table of id and error, the square of what is lost of a record")
		},
		Run: o.run,
	}
}

func (o *denoiseOptions) run(c *cli.Call) error {
	spec, r, err := o.open(c, "one, or two for the components of a training set")
	if err != nil {
		return err
	}
	all, err := r.Files(c.Args)
	if err != nil {
		return err
	}
	list, err := listFeatures(c, &spec, all)
	if err != nil {
		return all.Located(err)
	}
	denoiser, err := o.find(c, list.training)
	if err != nil {
		return all.Located(err)
	}
	return o.write(c, list, denoiser)
}

// find returns the denoiser of the components of some records.
func (o *denoiseOptions) find(c *cli.Call, training *rows.Rows) (*components.Denoiser, error) {
	if err := checkComponents(c, &o.components, training.Len()); err != nil {
		return nil, err
	}
	found, err := findComponents(c, o.components, rows.NewGram(c.Context, training))
	if err != nil {
		return nil, err
	}
	return components.NewDenoiser(c.Context, found, training)
}

// write rebuilds a few records at a time, writes a row for each of their features, and says what is lost.
func (o *denoiseOptions) write(c *cli.Call, list *featureList, denoiser *components.Denoiser) error {
	const together = 1024 // records
	c.Stage("rebuilding")
	n, name := list.rows.Len(), list.records.Corpus.Name
	squares, lost := make([]float64, n), make([]float64, 0, n)
	whole, missing := 0.0, 0.0 // means
	for i := range squares {
		squares[i] = list.kernel.SelfEval(list.records.Corpus.Seq(i))
		whole += squares[i] / float64(n)
	}
	if err := o.output.WriteTable(o.format, func(t *cli.Table) {
		t.Header("id", "feature", "value", "denoised")
		for lo := 0; lo < n && t.Err == nil; lo += together {
			c.Show(float64(lo)/float64(n), "%d of %d records", lo, n)
			var found []components.Denoised
			found, t.Err = denoiser.Of(c.Context, list.rows, lo, min(lo+together, n), squares, o.top)
			for i, x := range found {
				lost, missing = append(lost, x.Error), missing+x.Error/float64(n)
				for _, f := range x.Features {
					t.Row(name(lo+i), stringkernel.Readable(list.names[f.ID]), f.Given, f.Value)
				}
			}
		}
	}); err != nil {
		return err
	}
	c.Say("seqsvm: the mean square of what is lost is %.4g, that of records %.4g", missing, whole)
	return o.report.WriteTable(cli.TSV, func(t *cli.Table) {
		t.Header("id", "error")
		for i, x := range lost {
			t.Row(name(i), x)
		}
	})
}
