package main

import (
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/unmask"
)

func unmaskCommand() *cli.Command {
	return &cli.Command{
		Name:      "unmask",
		Usage:     "tell whether texts have one author, by unmasking (Koppel & Schler 2004)",
		ArgsUsage: "A B…",
		Description: "Compares the text A with each text B; a text is a file, or a folder with all its files. Both are cut into chunks of so many words, and a linear machine learns\n" +
			"to tell A's chunks from B's by the shares of the most frequent words. In every round the words that tell them best are left out, a few for either text. The accuracy by\n" +
			"cross-validation falls fast where one author wrote both, since topics and names are then gone; where two did, it stays high. Prints it by round, with the\n" +
			"standard deviation over the runs and how far it has fallen. json has the words that were left out first, too.",
		Flags: join([]cli.Flag{
			&cli.IntFlag{Name: "chunk", Value: 500, Usage: "words of a chunk"},
			&cli.IntFlag{Name: "words", Value: 250, Usage: "most frequent words to tell chunks by"},
			&cli.IntFlag{Name: "remove", Value: 3, Usage: "words to leave out in a round for either text"},
			&cli.IntFlag{Name: "rounds", Value: 10, Usage: "number of rounds"},
			&cli.IntFlag{Name: "folds", Value: 10, Usage: "number of folds"},
			&cli.IntFlag{Name: "runs", Value: 5, Usage: "runs with other folds and, of the longer text, other chunks"},
			&cli.Float64Flag{Name: "C", Value: 1, Usage: "cost of a margin error"},
			formatFlag("tsv or json", "tsv"), outputFlag("`FILE` to write, standard output by default"),
		}, readingFlags(), documentFlags(), sharedFlags()),
		Action: unmaskTexts,
	}
}

func unmaskTexts(c *cli.Context) error {
	format, err := choose(c, "format", "tsv", "json")
	if err != nil {
		return err
	}
	opt, err := unmaskOptions(c)
	if err != nil {
		return err
	}
	out, err := openOutputs(c, "output")
	if err != nil {
		return err
	}
	defer out.abort() // after commit it does nothing
	r, err := newReader(c, model.Input{}, stringkernel.Bytes)
	if err != nil {
		return err
	}
	paths := c.Args().Slice()
	texts := make([][]string, len(paths))
	for i, path := range paths {
		if texts[i], err = r.words(path); err != nil {
			return err
		}
	}
	var all []unmasked
	for i := 1; i < len(paths); i++ {
		curve, err := unmask.Compare(c.Context, texts[0], texts[i], opt)
		var short *unmask.ShortError
		switch {
		case errors.As(err, &short):
			return inFile(inputName(paths[short.Text*i]), err)
		case err != nil:
			return inFile(inputName(paths[0])+" and "+inputName(paths[i]), err)
		}
		all = append(all, describeCurve(inputName(paths[0]), inputName(paths[i]), curve))
	}
	err = out.write("output", func(w io.Writer) error {
		if format == "json" {
			return writeJSON(w, map[string]any{"comparisons": all})
		}
		return writeCurves(w, all)
	})
	if err != nil {
		return err
	}
	return out.commit()
}

func unmaskOptions(c *cli.Context) (unmask.Options, error) {
	opt := unmask.Options{
		Chunk: c.Int("chunk"), Words: c.Int("words"), Remove: c.Int("remove"), Rounds: c.Int("rounds"), Folds: c.Int("folds"), Runs: c.Int("runs"),
		C: c.Float64("C"), Seed: c.Uint64("seed"),
	}
	for _, name := range []string{"chunk", "words", "remove", "rounds", "folds", "runs"} {
		if c.Int(name) < 1 {
			return opt, usagef("--%s %d, want 1 or more", name, c.Int(name))
		}
	}
	if err := checkC(opt.C); err != nil {
		return opt, err
	}
	if err := opt.Check(); err != nil {
		return opt, &usageError{err}
	}
	paths := c.Args().Slice()
	if len(paths) < 2 {
		return opt, usagef("%d given, want two texts or more: A and those it is compared with", len(paths))
	}
	for i, path := range paths {
		for _, other := range paths[:i] {
			if path == other || !isStandard(path) && !isStandard(other) && sameFile(path, other) {
				return opt, usagef("%s is given twice, want different texts", path)
			}
		}
	}
	return opt, nil
}

// words reads a text: all records of a file, or all files of a folder.
func (r reader) words(path string) (words []string, err error) {
	set, err := r.file(path)
	if err != nil {
		return nil, err
	}
	for i := range set.Len() {
		words = append(words, unmask.Terms(set.Corpus.Seq(i))...)
	}
	return words, nil
}

// unmasked is a comparison of two texts.
type unmasked struct {
	A      string      `json:"a"`
	B      string      `json:"b"`
	Chunks [2]int      `json:"chunks"`
	Taken  int         `json:"taken"`
	Drop   float64     `json:"drop"`
	FirstA []string    `json:"first_a"` // words left out first, that speak for A
	FirstB []string    `json:"first_b"`
	Curve  []curveStep `json:"curve"`
}

// curveStep is the accuracy after a round.
type curveStep struct {
	Round    int      `json:"round"`
	Words    int      `json:"words"`
	Accuracy float64  `json:"accuracy"`
	SD       *float64 `json:"sd"` // null of one run
}

func describeCurve(a, b string, c *unmask.Curve) unmasked {
	half := len(c.First) / 2
	u := unmasked{A: a, B: b, Chunks: c.Chunks, Taken: c.Taken, Drop: c.Drop(), FirstA: c.First[:half], FirstB: c.First[half:]}
	for round, p := range c.Points {
		step := curveStep{Round: round, Words: p.Words, Accuracy: p.Accuracy}
		if !math.IsNaN(p.SD) {
			step.SD = &p.SD
		}
		u.Curve = append(u.Curve, step)
	}
	return u
}

func writeCurves(w io.Writer, all []unmasked) error {
	if err := row(w, strings.Fields("a b round words accuracy sd drop")...); err != nil {
		return err
	}
	for _, u := range all {
		for _, s := range u.Curve {
			sd := math.NaN()
			if s.SD != nil {
				sd = *s.SD
			}
			if err := row(w, u.A, u.B, strconv.Itoa(s.Round), strconv.Itoa(s.Words), rounded(s.Accuracy), rounded(sd), rounded(u.Curve[0].Accuracy-s.Accuracy)); err != nil {
				return err
			}
		}
	}
	return nil
}
