package main

import (
	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"

	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/lsgkm"
)

// convertOptions are the options of convert.
type convertOptions struct {
	output        cli.Output
	keepSequences bool
}

func convertCommand() *cli.Command {
	o := new(convertOptions)
	return &cli.Command{
		Name:     "convert",
		Usage:    "convert a model file of LS-GKM",
		Operands: "MODEL.model.txt",
		Description: `Reads what gkmtrain writes (-t 0 to 5, gzip or not) and writes a model with the same decisions to
--output. Classes are the labels of the file, 1 and -1; the first is the positive one. LS-GKM reads N
and other letters except A, C, G and T as A: they are A in the support vectors here too, but break
k-mers in what is scored.`,
		Flags: func(f *cli.Flags) {
			f.Section(cli.OfOutput)
			f.File(&o.output, "output,o", "model `FILE` to write (required)")
			f.Bool(&o.keepSequences, "keep-sequences",
				"store support vectors even if the kernel folds them into a table")
		},
		Run: o.run,
	}
}

func (o *convertOptions) run(c *cli.Call) error {
	if !o.output.Given() {
		return cli.Usagef("no --output, want the model file to write")
	}
	if len(c.Args) != 1 {
		return cli.Usagef("%d model files of LS-GKM, want one", len(c.Args))
	}
	replaced := 0
	err := c.WithOutputs(func() error {
		c.Stage("converting")
		file, err := cli.Read(c, c.Args[0], lsgkm.Read, lsgkm.ReadFile)
		if err != nil {
			return err
		}
		m, err := file.Model(c.Context, o.keepSequences)
		if err != nil {
			return err
		}
		replaced = file.Replaced
		m.Generator = model.Generator{Version: seqsvm.Version, Options: "convert: a model of LS-GKM, " +
			file.KernelType}
		return o.output.Write(m.Write)
	}, &o.output)
	if err == nil && replaced > 0 {
		c.Say("seqsvm: letters of the support vectors other than A, C, G and T, which LS-GKM reads as A: %d; they "+
			"are A in the model too", replaced)
	}
	return err
}
