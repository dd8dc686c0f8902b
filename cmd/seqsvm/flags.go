package main

import (
	"runtime"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/internal/memory"
)

// The options, once each. A command lists the groups it takes.

func sharedFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "threads", Usage: "processors to use, 0 for all; results do not depend on it"},
		&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "seed of everything random: folds, those of --probability too"},
		&cli.StringFlag{Name: "max-memory", Usage: "largest `SIZE` of an input or table held in memory, such as 4G or 512M; default half of the machine's memory"},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "no messages or progress"},
	}
}

func formatFlag(usage, value string) cli.Flag {
	return &cli.StringFlag{Name: "format", Value: value, Usage: usage}
}

func outputFlag(usage string) cli.Flag {
	return &cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: usage}
}

func predictionsFlag(usage string) cli.Flag {
	return &cli.StringFlag{Name: "predictions", Usage: usage}
}

func modelFlag() cli.Flag {
	return &cli.StringFlag{Name: "model", Aliases: []string{"m"}, Usage: "model `FILE` that train wrote"}
}

// readingFlags say how records are read.
func readingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "input", Value: "auto", Usage: "auto, fasta, fastq, text (a record per line), tsv, csv, jsonl, reuters (SGML), documents (one per file; sub-folders are labels), kelp or dot-bracket"},
		&cli.BoolFlag{Name: "keep-newline", Usage: "text: the line end is a letter of each record, as kernlab has it; a model remembers it"},
		&cli.StringFlag{Name: "ambiguous", Value: "break", Usage: "letters outside the alphabet: break matches, or error"},
	}
}

// documentFlags say where documents stand and what they are in, for commands that take any text.
func documentFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "text", Usage: "`COLUMN` of tsv or csv, by name or number, or field of jsonl (a.b is nested) that is the text; default text; kelp: the representation, default the first tree; a model remembers it"},
		&cli.StringFlag{Name: "label", Usage: "`COLUMN` or field that is the label; default label, if there is one"},
		&cli.StringFlag{Name: "id", Usage: "`COLUMN` or field that is the id; default id, if there is one, else the line number"},
		&cli.StringFlag{Name: "header", Value: "auto", Usage: "tsv, csv: whether the first line names columns: yes, no, or auto (csv: yes; tsv: if it has the name of the text or label column)"},
		&cli.StringFlag{Name: "encoding", Value: "utf-8", Usage: "of the input: utf-8 (checked in text), latin1, utf-16, shift_jis, …, or bytes (not checked)"},
		&cli.StringFlag{Name: "split", Usage: "reuters: `PART` of the ModApte split, train or test, with topics; by default all documents"},
		&cli.BoolFlag{Name: "html", Usage: "text formats: strip documents of HTML; a model remembers it"},
	}
}

// treeFlags say how documents are read as trees; a model remembers them.
func treeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "tree", Usage: "`SYNTAX` in which the text of each record is a tree, or several: penn, newick, xml, html, json or dot-bracket; none: text as it is; a model remembers it"},
		&cli.StringFlag{Name: "tree-labels", Usage: "`LABELS` that count, with commas: names, text, words, attributes, values, lengths (of newick), or none; default names,words for xml and html, else names,text"},
		&cli.IntFlag{Name: "tree-depth", Usage: "most levels of a tree, 0 for any number; more are an error"},
		&cli.IntFlag{Name: "tree-nodes", Usage: "most nodes of a record, 0 for any number; more are an error"},
		&cli.BoolFlag{Name: "tree-cut", Usage: "leave out what is beyond --tree-depth and --tree-nodes"},
	}
}

// alphabetFlags are for commands that choose the alphabet; a model has it inside.
func alphabetFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "alphabet", Value: "auto", Usage: "auto, dna, rna, protein or bytes"},
		&cli.StringFlag{Name: "soft-mask", Value: "upper", Usage: "lower-case letters: upper (turned into upper case) or break (break matches)"},
	}
}

func labelFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "pos", Usage: "`FILE` of positive sequences, in place of labels in headers"},
		&cli.StringSliceFlag{Name: "neg", Usage: "`FILE` of negative sequences"},
		&cli.StringFlag{Name: "labels", Usage: "`FILE` of lines id<TAB>label, in place of labels in headers"},
	}
}

func kernelFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "kernel", Aliases: []string{"k"}, Usage: "`SPEC` is NAME:KEY=VALUE,FLAG, see seqsvm kernels; given twice, the mean of both"},
		&cli.BoolFlag{Name: "no-normalize", Usage: "k(x, y) as it is, not divided by √(k(x, x)·k(y, y))"},
	}
}

func learningFlags() []cli.Flag {
	return []cli.Flag{
		&cli.Float64Flag{Name: "C", Value: 1, Usage: "cost of a margin error"},
		&cli.StringFlag{Name: "loss", Value: "hinge", Usage: "of a margin error: hinge or squared-hinge"},
		&cli.Float64Flag{Name: "tol", Value: 1e-3, Usage: "relative duality gap to stop at"},
		&cli.StringFlag{Name: "class-weight", Value: "none", Usage: "none, or balanced: C inversely proportional to class size"},
		&cli.StringFlag{Name: "solver", Value: "auto", Usage: "auto, smo, cutting-plane or dual-coordinate"},
		&cli.BoolFlag{Name: "sparse", Usage: "let cutting-plane go on to a solution of few support vectors: up to twice the time, a smaller model"},
		&cli.IntFlag{Name: "cache", Value: 256, Usage: "megabytes of kernel rows smo may keep, beside a matrix of at most 512 that all machines share where that is faster"},
		&cli.StringFlag{Name: "multiclass", Value: "auto", Usage: "ovr (one against the rest), ovo (one against one), crammer-singer (all classes in one problem, for kernels with feature rows) or auto: crammer-singer for words if nothing speaks against it, else ovr"},
		&cli.StringFlag{Name: "positive", Usage: "`CLASS` whose score is reported with two classes; by default the second in sorted order, or --pos"},
	}
}

// calibrationFlags are for commands whose scores may become probabilities.
func calibrationFlags() []cli.Flag {
	return []cli.Flag{&cli.BoolFlag{Name: "probability", Usage: "calibrate class probabilities (Platt) by internal cross-validation"}}
}

// labelingFlags say what a label is, for commands that know more than one class per record.
func labelingFlags() []cli.Flag { return []cli.Flag{multilabelFlag(), hierarchyFlag()} }

// join concatenates groups of options.
func join(groups ...[]cli.Flag) []cli.Flag {
	var all []cli.Flag
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

// applyShared obeys the options of sharedFlags that work by themselves.
func applyShared(c *cli.Context) error {
	threads := c.Int("threads")
	if threads < 0 {
		return usagef("--threads %d, want 0 (all) or more", threads)
	}
	if size := c.String("max-memory"); size != "" {
		bytes, err := memory.ParseSize(size)
		if err != nil {
			return usagef("--max-memory %w", err)
		}
		memory.SetLimit(bytes)
	}
	if threads > 0 {
		runtime.GOMAXPROCS(min(threads, max(mostThreads, runtime.NumCPU())))
	}
	return nil
}

// mostThreads is what --threads may ask for on a machine with fewer processors.
const mostThreads = 64

// checkGiven returns an error if an option or operand is given as nothing, as a shell variable that is not set leaves it, or if standard
// input is to be read twice.
func checkGiven(c *cli.Context) error {
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		var values []string
		switch f.(type) {
		case *cli.StringFlag:
			values = []string{c.String(name)}
		case *cli.StringSliceFlag:
			values = c.StringSlice(name)
		}
		if c.IsSet(name) && slices.Contains(values, "") {
			return usagef("--%s is given without a value", name)
		}
	}
	if slices.Contains(c.Args().Slice(), "") {
		return usagef("an operand is empty, want a file name")
	}
	paths := inputPaths(c)
	if first := slices.Index(paths, "-"); first >= 0 && slices.Contains(paths[first+1:], "-") {
		return usagef("- (standard input) is given twice, and can be read once")
	}
	return nil
}

// choose returns the option's value if it is one of the choices.
func choose(c *cli.Context, option string, choices ...string) (string, error) {
	value := c.String(option)
	for _, choice := range choices {
		if value == choice {
			return value, nil
		}
	}
	return "", usagef("--%s %q, want one of: %s", option, value, list(choices))
}

// refuseOptions returns an error if one of the options is given beside what they do not go with.
func refuseOptions(c *cli.Context, beside string, options ...string) error {
	for _, option := range options {
		if c.IsSet(option) {
			return usagef("--%s has no meaning with %s", option, beside)
		}
	}
	return nil
}
