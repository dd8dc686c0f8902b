package main

import (
	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"

	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/lsgkm"
)

// convertOptions are the options of convert.
type convertOptions struct {
	format        string
	output        cli.Output
	keepSequences bool
}

// convertSummary is what convert prints.
type convertSummary struct {
	Kernel         string `json:"kernel"`
	SupportVectors int    `json:"support_vectors"`
	Replaced       int    `json:"replaced_letters"` // by A
}

func convertCommand() *cli.Command {
	o := new(convertOptions)
	return &cli.Command{
		Name:     "convert",
		Usage:    "convert a model file of LS-GKM",
		Example:  "seqsvm convert gkmsvm.model.txt -o converted.seqsvm",
		Operands: "MODEL.model.txt",
		Description: `Reads what gkmtrain and gkmtrain-svr write (-t 0 to 5, gzip or not) and writes a model with the same
decisions or numbers to --output. Classes are the labels of the file, 1 and -1; the first is the
positive one. LS-GKM reads N and other letters except A, C, G and T as A: they are A in the support
vectors here too, but break k-mers in what is scored.`,
		Flags: func(f *cli.Flags) {
			f.FormatOf(&o.format, "format of the summary: tsv, or json (docs/json.md)", cli.TSV, cli.JSON)
			f.File(&o.output, "output,o", "model `FILE` to write (required)").Holds(cli.ModelFile)
			f.Bool(&o.keepSequences, "keep-sequences",
				"store support vectors even if the kernel folds them into a table")
		},
		Run: o.run,
	}
}

func (o *convertOptions) run(c *cli.Call) error {
	if !o.output.Given() {
		return cli.Usagef("--output is required: the model file to write")
	}
	if len(c.Args) != 1 {
		return cli.Usagef("%d LS-GKM model files given, want one", len(c.Args))
	}
	c.Stage("converting")
	file, err := cli.Read(c, c.Args[0], lsgkm.Read)
	if err != nil {
		return err
	}
	m, err := file.Model(c.Context, model.Options{KeepSequences: o.keepSequences})
	if err != nil {
		return err
	}
	if file.Replaced > 0 {
		c.Say("seqsvm: letters of the support vectors other than A, C, G and T, which LS-GKM reads as A: %d; they "+
			"are A in the model too", file.Replaced)
	}
	c.Report(o.format, convertSummary{m.Kernel.String(), m.Decision.Machines[0].SupportVectors, file.Replaced}, nil)
	m.Generator = model.Generator{Version: seqsvm.Version, Options: "convert: a model of LS-GKM, " + file.KernelType}
	return o.output.Write(m.Write)
}
