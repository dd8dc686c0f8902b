package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/kmers"
)

func kmersCommand() *cli.Command {
	return &cli.Command{
		Name:      "kmers",
		Usage:     "score every word of a gapped, mismatch or spectrum model",
		ArgsUsage: "-m MODEL [FILE…]",
		Description: "Writes lines word<TAB>score without a header, in alphabetical order: the table that deltaSVM reads. The words are all of the kernel's length or,\n" +
			"with files, the distinct ones of their sequences. With both strands a word and its reverse complement have one line, under the\n" +
			"alphabetically first. Scores are raw: without the norm of the word and without the bias, so that they add up over a sequence.",
		Flags: join([]cli.Flag{modelFlag(), outputFlag("`FILE` to write, standard output by default")}, readingFlags(), sharedFlags()),
		Action: func(c *cli.Context) error {
			out, err := openOutputs(c, "output")
			if err != nil {
				return err
			}
			defer out.abort() // after commit it does nothing
			scorer, softMask, err := loadWords(c)
			if err != nil {
				return err
			}
			set, err := wordsOfFiles(c, scorer, softMask)
			if err != nil {
				return err
			}
			if err := out.write("output", func(w io.Writer) error { return scorer.WriteTable(c.Context, w, set) }); err != nil {
				return err
			}
			return out.commit()
		},
	}
}

// loadWords reads the model of --model as a scorer of words, and tells whether lower-case letters break them.
func loadWords(c *cli.Context) (scorer *kmers.Scorer, softMask bool, err error) {
	path := c.String("model")
	if path == "" {
		return nil, false, usagef("no --model, want a file that train or convert wrote")
	}
	m, err := readModel(c, path)
	if err != nil {
		return nil, false, err
	}
	if scorer, err = kmers.NewScorer(c.Context, m); err != nil {
		return nil, false, inFile(inputName(path), err)
	}
	return scorer, m.Input.SoftMask, nil
}

// wordsOfFiles collects the words of the operands, one file at a time. It returns nil if there are none.
func wordsOfFiles(c *cli.Context, scorer *kmers.Scorer, softMask bool) (*kmers.Set, error) {
	r, err := newReader(c, model.Input{SoftMask: softMask}, scorer.Alphabet())
	if err != nil || c.NArg() == 0 {
		return nil, err
	}
	set := scorer.NewSet()
	for _, path := range c.Args().Slice() {
		if err := c.Context.Err(); err != nil {
			return nil, err
		}
		data, err := r.file(path)
		if err != nil {
			return nil, err
		}
		for i := range data.Len() {
			set.Add(data.Corpus.Seq(i))
		}
	}
	if set.Len() == 0 {
		return nil, fmt.Errorf("%s: no word of %d letters of %s", operandNames(c), scorer.Length(), scorer.Alphabet())
	}
	return set, nil
}
