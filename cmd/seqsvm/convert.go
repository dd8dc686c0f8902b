package main

import (
	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/lsgkm"
)

func convertCommand() *cli.Command {
	return &cli.Command{
		Name:      "convert",
		Usage:     "make a model of a model file of LS-GKM",
		ArgsUsage: "MODEL.model.txt",
		Description: "Reads what gkmtrain writes (-t 0 to 5, gzip or not) and writes a model with the same decisions to --output. Classes are the labels\n" +
			"of the file, 1 and -1; the first is the positive one. N and other letters but A, C, G and T, which LS-GKM reads as A, are A in the support\n" +
			"vectors here too, and break words in what is scored.",
		Flags: join([]cli.Flag{
			outputFlag("model `FILE` to write (required)"),
			&cli.BoolFlag{Name: "keep-sequences", Usage: "store the support vectors in place of the table they fold into"},
		}, sharedFlags()),
		Action: convert,
	}
}

func convert(c *cli.Context) error {
	if c.String("output") == "" {
		return usagef("no --output, want the model file to write")
	}
	if c.NArg() != 1 {
		return usagef("%d model files of LS-GKM, want one", c.NArg())
	}
	out, err := openOutputs(c, "output")
	if err != nil {
		return err
	}
	defer out.abort() // after commit it does nothing
	file, err := readLSGKM(c, c.Args().First())
	if err != nil {
		return err
	}
	m, err := file.Model(c.Context, c.Bool("keep-sequences"))
	if err != nil {
		return err
	}
	m.Generator = model.Generator{Version: version, Options: "convert: a model of LS-GKM, " + file.KernelType}
	if err := out.write("output", m.Write); err != nil {
		return err
	}
	if err := out.commit(); err != nil {
		return err
	}
	if file.Replaced > 0 {
		say(c, "seqsvm: letters of the support vectors that are none of A, C, G and T, and that LS-GKM read as A: %d; they are A in the model too", file.Replaced)
	}
	return nil
}

// readLSGKM reads a file of LS-GKM, or standard input for "-".
func readLSGKM(c *cli.Context, path string) (*lsgkm.File, error) {
	if path == "-" {
		in, stop := standardInput(c)
		defer stop()
		return lsgkm.Read(in, standardName)
	}
	return lsgkm.ReadFile(path)
}
