package main

import (
	"cmp"
	"math"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/scan"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func scanCommand() *cli.Command {
	return &cli.Command{
		Name:      "scan",
		Usage:     "score every window of a genome with a model",
		ArgsUsage: "-m MODEL [--window L] FILE…",
		Description: "Scores the windows of every record of FASTA files, on both strands of DNA and RNA, as predict scores them, and writes them in the order of the files,\n" +
			"sorted by position. Memory does not grow with a record's length. Without a threshold every window is written.\n" +
			"\n" +
			"bed       record, start (0-based), end (exclusive), class, level, strand, value and, with --fdr, q-value; level is 1000·P with a calibrated model of two\n" +
			"          classes, else 1000/(1 + exp(−value)), rounded\n" +
			"bedgraph  record, start (0-based), end (exclusive) and value; the --step letters in the middle of each window, or all of a merged region; of two\n" +
			"          strands the greater value\n" +
			"gff3      1-based, end inclusive, with the value as score, and attributes Name (the class) and qvalue\n" +
			"\n" +
			"A place is that of the plus strand for both strands. Models with the flag rc do not tell strands apart: windows then have strand '.', and one line.\n" +
			"Letters outside the alphabet, N too, break matches as they do in predict. --anchor takes IUPAC codes; its place is counted on the strand that is read:\n" +
			"--anchor AG --offset 38 scores the windows in which AG follows 38 letters.\n" +
			"\n" +
			"--fdr Q keeps windows with a q-value of at most Q, estimated from the records of --calibrate that are not of the class: with n of those and M windows,\n" +
			"FDR(t) = M·F(t)/H(t), F(t) = (1 + those at t or above)/(n + 1), H(t) = windows at t or above. The files are read twice then.\n" +
			"--suppress D keeps of windows of one strand that begin less than D letters apart the best, best first; --top N takes the best N of what is left;\n" +
			"--merge joins what overlaps or touches on one strand, with the best value.\n" +
			"docs/scan.md has all of this at length.\n" +
			"If an error is met in the middle of a long file, standard output has the lines before it; --output has all or nothing.",
		Flags: join([]cli.Flag{
			modelFlag(),
			&cli.IntFlag{Name: "window", Usage: "`LETTERS` of a window; by default those of each training sequence, if all had as many"},
			&cli.IntFlag{Name: "step", Value: 1, Usage: "windows begin at multiples of `LETTERS`"},
			&cli.StringFlag{Name: "strand", Value: "both", Usage: "both, + or -"},
			&cli.StringFlag{Name: "anchor", Usage: "`MOTIF` that a window must have, at --offset"},
			&cli.IntFlag{Name: "offset", Usage: "`LETTERS` of a window before the anchor"},
			&cli.BoolFlag{Name: "skip-ambiguous", Usage: "pass over windows with letters outside the alphabet"},
			&cli.StringFlag{Name: "class", Usage: "`CLASS` to score for; by default the positive one of two"},
			rawFlag(),
			formatFlag("bed, bedgraph or gff3", "bed"),
			outputFlag("`FILE` to write, standard output by default"),
			&cli.Float64Flag{Name: "min-score", Usage: "least `VALUE` of a window"},
			&cli.IntFlag{Name: "top", Usage: "the best `N` windows alone"},
			&cli.Float64Flag{Name: "fdr", Usage: "greatest estimated false-discovery `RATE`, with --calibrate"},
			&cli.StringFlag{Name: "calibrate", Usage: "labelled `FILE` to estimate it from, of sequences like windows"},
			&cli.IntFlag{Name: "suppress", Usage: "`LETTERS` within which a better window drops others of its strand"},
			&cli.BoolFlag{Name: "merge", Usage: "join windows that overlap"},
		}, sharedFlags()),
		Action: scanGenome,
	}
}

func scanGenome(c *cli.Context) error {
	format, err := choose(c, "format", "bed", "bedgraph", "gff3")
	if err != nil {
		return err
	}
	if err := checkScanOptions(c); err != nil {
		return err
	}
	out, err := openOutputs(c, "output")
	if err != nil {
		return err
	}
	defer out.abort() // after commit it does nothing
	r, err := newScanRun(c, format)
	if err != nil {
		return err
	}
	defer r.progress.clear()
	if err := r.estimate(); err != nil {
		return err
	}
	if err := out.write("output", r.writeAll); err != nil {
		return err
	}
	r.remark()
	return out.commit()
}

// checkScanOptions finds wrong and contradictory options before any file is read.
func checkScanOptions(c *cli.Context) error {
	if _, err := choose(c, "strand", "both", "+", "-"); err != nil {
		return err
	}
	for _, positive := range []string{"window", "step", "top", "suppress"} {
		if c.IsSet(positive) && c.Int(positive) < 1 {
			return usagef("--%s %d, want 1 or more", positive, c.Int(positive))
		}
	}
	switch {
	case c.String("model") == "":
		return usagef("no --model, want a file that train wrote")
	case c.NArg() == 0:
		return usagef("no input file, want at least one FASTA file (- is standard input)")
	case c.Int("window") > scan.MaxWindow:
		return usagef("--window %d, want at most %d", c.Int("window"), scan.MaxWindow)
	case c.IsSet("offset") && !c.IsSet("anchor"):
		return usagef("--offset without --anchor, whose place it is")
	case c.Int("offset") < 0:
		return usagef("--offset %d, want 0 or more", c.Int("offset"))
	case math.IsNaN(c.Float64("min-score")):
		return usagef("--min-score NaN, want a number")
	case c.IsSet("fdr") && !(c.Float64("fdr") > 0 && c.Float64("fdr") < 1):
		return usagef("--fdr %v, want above 0 and below 1", c.Float64("fdr"))
	case c.IsSet("fdr") != c.IsSet("calibrate"):
		return usagef("--fdr and --calibrate go together")
	case c.IsSet("fdr") && c.IsSet("min-score"):
		return usagef("--fdr beside --min-score, want one or the other")
	case c.IsSet("fdr") && slices.Contains(c.Args().Slice(), "-"):
		return usagef("--fdr reads the sequences twice, and standard input (-) can be read once")
	case c.Bool("merge") && c.IsSet("suppress"):
		return usagef("--merge beside --suppress, want one or the other")
	}
	return nil
}

// scanOptions reads the options of what is scored, all but the class.
func scanOptions(c *cli.Context, m *model.Model, classifier *classify.Classifier) (scan.Options, error) {
	o := scan.Options{
		Classifier: classifier, Alphabet: inputAlphabet(m.Kernel), Raw: c.Bool("raw"),
		Window: c.Int("window"), Step: c.Int("step"), SkipAmbiguous: c.Bool("skip-ambiguous"), Offset: c.Int("offset"),
	}
	if o.Window == 0 {
		if o.Window = cmp.Or(stringkernel.WindowLength(classifier.Scorer), m.Training.Window); o.Window <= 0 {
			return o, usagef("no --window, and the model was not trained on sequences of one length")
		}
	}
	if c.IsSet("anchor") {
		var err error
		if o.Anchor, err = scan.ParseMotif(c.String("anchor"), o.Alphabet); err != nil {
			return o, usagef("--anchor: %w", err)
		}
	}
	blind := o.Anchor.Len() == 0
	for _, t := range m.Kernel.Terms {
		blind = blind && t.RC
	}
	strand := c.String("strand")
	switch {
	case !o.Alphabet.Complementary() && c.IsSet("strand") && strand != "+":
		return o, usagef("--strand %s, and sequences of %s have one strand", strand, o.Alphabet)
	case blind || !o.Alphabet.Complementary():
		o.Plus, o.Strandless = true, true
	default:
		o.Plus, o.Minus = strand != "-", strand != "+"
	}
	return o, nil
}

// levelOf returns what makes a share of 1000 of a score: the probability, or a logistic function.
func levelOf(c *cli.Context, classifier *classify.Classifier, class int) func(float64) float64 {
	sigmoid := classifier.Machines[0].Sigmoid
	if sigmoid == nil || classifier.Scheme != classify.TwoClass || c.Bool("raw") {
		return func(score float64) float64 { return 1 / (1 + math.Exp(-score)) }
	}
	if class == classifier.Positive {
		return sigmoid.Probability
	}
	return func(score float64) float64 { return 1 - sigmoid.Probability(-score) }
}
