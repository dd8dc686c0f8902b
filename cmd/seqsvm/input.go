package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// reader reads files under the options of readingFlags, documentFlags and alphabetFlags.
type reader struct {
	options seqio.Options
	in      *cli.Context
}

// newReader makes one that reads letters as input says, which a model remembers, unless --html, --keep-newline or options for trees say otherwise.
func newReader(c *cli.Context, input model.Input, alphabet stringkernel.Alphabet) (reader, error) {
	format, err := choose(c, "input", "auto", "fasta", "fastq", "text", "tsv", "csv", "jsonl", "reuters", "documents", "kelp", "dot-bracket")
	if err != nil {
		return reader{}, err
	}
	columns, err := textColumns(c, seqio.Format(format))
	if err != nil {
		return reader{}, err
	}
	encoding := c.String("encoding")
	if err := seqio.CheckEncoding(encoding); err != nil {
		return reader{}, usagef("--encoding: %w", err)
	}
	split := c.String("split")
	if split != "" && split != "train" && split != "test" {
		return reader{}, usagef("--split %q, want train or test", split)
	}
	html := input.HTML
	if c.IsSet("html") {
		html = c.Bool("html")
	}
	tree, err := treeOptions(c, input.Tree, seqio.Format(format))
	if err != nil {
		return reader{}, err
	}
	keepNewline := c.Bool("keep-newline")
	if !c.IsSet("keep-newline") {
		keepNewline = input.KeepNewline && tree.Syntax == ""
	}
	ambiguous, err := choose(c, "ambiguous", string(seqio.AmbiguousBreak), string(seqio.AmbiguousError))
	if err != nil {
		return reader{}, err
	}
	return reader{in: c, options: seqio.Options{
		Format:      seqio.Format(format),
		KeepNewline: keepNewline,
		SoftMask:    input.SoftMask,
		Ambiguous:   seqio.Ambiguity(ambiguous),
		Alphabet:    alphabet,
		Columns:     columns,
		KeLPText:    input.Representation,
		Split:       split,
		HTML:        html,
		Tree:        tree,
		Encoding:    encoding,
	}}, nil
}

// input is what a model remembers of how records are read.
func (r reader) input() model.Input {
	tree := r.options.Tree
	return model.Input{SoftMask: r.options.SoftMask, HTML: r.options.HTML, KeepNewline: r.options.KeepNewline, Tree: model.Tree{
		Syntax: string(tree.Syntax), Labels: tree.Labels, MaxDepth: tree.MaxDepth, MaxNodes: tree.MaxNodes, Cut: tree.Cut,
	}}
}

// textColumns reads the options that say where the parts of a document stand.
func textColumns(c *cli.Context, format seqio.Format) (seqio.Columns, error) {
	header := seqio.Header(c.String("header"))
	if header.Check() != nil {
		return seqio.Columns{}, usagef("--header %q, want one of: auto, yes, no", header)
	}
	var misplaced []string
	switch format {
	case seqio.FASTA, seqio.FASTQ:
		misplaced = []string{"text", "label", "id", "header", "split", "html", "tree"}
	case seqio.Lines, seqio.Documents:
		misplaced = []string{"text", "label", "id", "header", "split"}
	case seqio.KeLP:
		misplaced = []string{"label", "id", "header", "split"}
	case seqio.DotBracket:
		misplaced = []string{"text", "label", "id", "header", "split", "html"}
	case seqio.Reuters:
		misplaced = []string{"text", "label", "id", "header"}
	case seqio.TSV, seqio.CSV:
		misplaced = []string{"split"}
	case seqio.JSONL:
		misplaced = []string{"header", "split"}
	}
	if err := refuseOptions(c, "--input "+string(format), misplaced...); err != nil {
		return seqio.Columns{}, err
	}
	return seqio.Columns{Text: c.String("text"), Label: c.String("label"), ID: c.String("id"), Header: header}, nil
}

// file reads one file, or standard input for "-".
func (r reader) file(path string) (*seqio.Set, error) {
	all, err := r.files([]string{path})
	if err != nil {
		return nil, err
	}
	return all.sets[0], nil
}

// withOption names the option that would have helped.
func withOption(err error) error {
	if errors.Is(err, seqio.ErrUnknownFormat) {
		return fmt.Errorf("%w with --input", err)
	}
	return err
}

// readLabels reads a file of --labels, or standard input for "-".
func readLabels(c *cli.Context, path string) (*seqio.LabelTable, error) {
	return readIDTable(c, path, seqio.ReadLabels, seqio.ReadLabelsFile)
}

// readGroups reads a file of --group, or standard input for "-".
func readGroups(c *cli.Context, path string) (*seqio.LabelTable, error) {
	return readIDTable(c, path, seqio.ReadGroups, seqio.ReadGroupsFile)
}

func readIDTable(c *cli.Context, path string, read func(r io.Reader, name string) (*seqio.LabelTable, error), readFile func(path string) (*seqio.LabelTable, error)) (*seqio.LabelTable, error) {
	if path != "-" {
		return readFile(path)
	}
	in, stop := standardInput(c)
	defer stop()
	return read(in, standardName)
}

// standardName is what messages call standard input.
const standardName = "standard input"

// inputName is what messages call an input.
func inputName(path string) string {
	if path == "-" {
		return standardName
	}
	return path
}

// operandNames lists what messages call the operands.
func operandNames(c *cli.Context) string {
	names := c.Args().Slice()
	for i, path := range names {
		names[i] = inputName(path)
	}
	return list(names)
}

// standardInput returns a reader of standard input that an interrupt ends. stop has to be called after the last read.
func standardInput(c *cli.Context) (in io.Reader, stop func()) {
	return interruptible(c.Context, c.App.Reader)
}

// interruptible returns a reader of r that fails when the context ends, even while r waits for a terminal or a pipe. A file never waits.
func interruptible(ctx context.Context, r io.Reader) (in io.Reader, stop func()) {
	if file, ok := r.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			return r, func() {}
		}
	}
	out, into := io.Pipe()
	go func() {
		_, err := io.Copy(into, r)
		into.CloseWithError(err)
	}()
	release := context.AfterFunc(ctx, func() { into.CloseWithError(ctx.Err()) })
	return out, func() {
		release()
		out.Close() // ends the goroutine, if r has more than was read
	}
}

// inputs makes inputs of paths, of which "-" is standard input. stop has to be called after the last read.
func (r reader) inputs(paths []string) (inputs []seqio.Input, stop func()) {
	stop = func() {}
	for _, path := range paths {
		in := seqio.Input{Path: inputName(path)}
		if path == "-" {
			in.Reader, stop = standardInput(r.in)
		}
		inputs = append(inputs, in)
	}
	return inputs, stop
}

// files reads several files into one corpus.
func (r reader) files(paths []string) (*records, error) {
	inputs, stop := r.inputs(paths)
	defer stop()
	return r.read(inputs)
}

func (r reader) read(inputs []seqio.Input) (*records, error) {
	all, err := seqio.ReadAll(r.in.Context, inputs, r.options)
	if err != nil {
		return nil, withOption(err)
	}
	return newRecords(all), nil
}

var errNoOperands = usagef("no input file, want at least one (- is standard input)")

// unlabelled reads the operands.
func (r reader) unlabelled() (*records, error) {
	if r.in.NArg() == 0 {
		return nil, errNoOperands
	}
	return r.files(r.in.Args().Slice())
}

// The class names of --pos and --neg files; sorted, the positive one is second.
const (
	positiveName = "pos"
	negativeName = "neg"
)

// labelled reads the operands, or --pos and --neg, with labels.
func (r reader) labelled() (*records, error) {
	pos, neg := r.in.StringSlice("pos"), r.in.StringSlice("neg")
	labels := r.in.String("labels")
	if len(pos)+len(neg) == 0 {
		all, err := r.unlabelled()
		if err != nil {
			return nil, err
		}
		if labels != "" {
			if err := all.relabel(r.in, labels); err != nil {
				return nil, err
			}
		}
		return all, all.wantLabels()
	}
	switch {
	case len(pos) == 0 || len(neg) == 0:
		return nil, usagef("--pos and --neg go together")
	case r.in.NArg() > 0:
		return nil, usagef("operand %q beside --pos and --neg, want one or the other", r.in.Args().First())
	case labels != "":
		return nil, usagef("--labels beside --pos and --neg, want one or the other")
	}
	inputs, stop := r.inputs(slices.Concat(pos, neg))
	defer stop()
	for i := range inputs {
		inputs[i].Label = negativeName
		if i < len(pos) {
			inputs[i].Label = positiveName
		}
	}
	return r.read(inputs)
}

// softMask says whether lower-case letters are to stay and break matches.
func softMask(c *cli.Context) (bool, error) {
	value, err := choose(c, "soft-mask", "upper", "break")
	return value == "break", err
}

// chosenAlphabet is what --alphabet says, empty to tell it from the data.
func chosenAlphabet(c *cli.Context) (stringkernel.Alphabet, error) {
	name, err := choose(c, "alphabet", "auto", "dna", "rna", "protein", "bytes")
	if err != nil || name == "auto" {
		return "", err
	}
	return stringkernel.Alphabet(name), nil
}

// inputPaths lists the files a command reads, by operands and options.
func inputPaths(c *cli.Context) []string {
	paths := c.Args().Slice()
	for _, f := range c.Command.Flags {
		switch name := f.Names()[0]; name {
		case "pos", "neg", "exclude":
			paths = append(paths, c.StringSlice(name)...)
		case "kernel":
			paths = append(paths, listFiles(c.StringSlice(name))...)
		case "group":
			if path := groupFile(c); path != "" {
				paths = append(paths, path)
			}
		case "labels", "model", "genome", "annotation", "bed", "list", "positives", "calibrate":
			if path := c.String(name); path != "" {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// listFiles lists the files that kernels name for their lists, as in words:dict=@FILE.
func listFiles(kernels []string) (paths []string) {
	for _, kernel := range kernels {
		for item := range strings.SplitSeq(kernel, ",") {
			if _, path, found := strings.Cut(item, "=@"); found {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// plain shortens the error of a file that cannot be opened to file and reason.
func plain(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return fmt.Errorf("%s: %w", path.Path, path.Err)
	}
	return err
}
