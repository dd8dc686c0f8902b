package main

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"

	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// reader reads files as options say.
type reader struct {
	options seqio.Options
	in      *cli.Call
}

// newReader makes one that reads letters as input says, which a model stores, unless --html, --keep-newline or options
// for trees say otherwise.
func newReader(c *cli.Call, o *readingOptions, input model.Input, alphabet stringkernel.Alphabet) (reader, error) {
	format := seqio.Format(o.input)
	if err := o.checkColumns(c, format); err != nil {
		return reader{}, err
	}
	if err := seqio.CheckEncoding(o.encoding); err != nil {
		return reader{}, cli.Usagef("--encoding: %w", err)
	}
	html := input.HTML
	if c.Given("html") {
		html = o.html
	}
	tree, err := o.treeOptions(c, input.Tree)
	if err != nil {
		return reader{}, err
	}
	keepNewline := o.keepNewline
	if !c.Given("keep-newline") {
		keepNewline = input.KeepNewline && tree.Syntax == ""
	}
	return reader{in: c, options: seqio.Options{
		Format:      format,
		KeepNewline: keepNewline,
		SoftMask:    input.SoftMask,
		Ambiguous:   seqio.Ambiguity(o.ambiguous),
		Alphabet:    alphabet,
		Columns:     seqio.Columns{Text: o.text, Label: o.label, ID: o.id, Header: seqio.Header(o.header)},
		KeLPText:    input.Representation,
		Split:       o.modApte,
		HTML:        html,
		Tree:        tree,
		Encoding:    o.encoding,
	}}, nil
}

// input is what a model remembers of how records are read.
func (r reader) input() model.Input {
	tree := r.options.Tree
	return model.Input{SoftMask: r.options.SoftMask, HTML: r.options.HTML, KeepNewline: r.options.KeepNewline,
		Tree: model.Tree{
			Syntax: string(tree.Syntax), Labels: tree.Labels, MaxDepth: tree.MaxDepth, MaxNodes: tree.MaxNodes, Cut: tree.Cut,
		}}
}

// checkColumns returns an error if an option says where the parts of a document are and the format has no such part.
func (o *readingOptions) checkColumns(c *cli.Call, format seqio.Format) error {
	var misplaced []string
	switch format {
	case seqio.FASTA, seqio.FASTQ:
		misplaced = []string{"text", "label", "id", "header", "modapte", "html", "tree"}
	case seqio.Lines, seqio.Documents:
		misplaced = []string{"text", "label", "id", "header", "modapte"}
	case seqio.KeLP:
		misplaced = []string{"label", "id", "header", "modapte"}
	case seqio.DotBracket:
		misplaced = []string{"text", "label", "id", "header", "modapte", "html"}
	case seqio.Reuters:
		misplaced = []string{"text", "label", "id", "header"}
	case seqio.TSV, seqio.CSV:
		misplaced = []string{"modapte"}
	case seqio.JSONL:
		misplaced = []string{"header", "modapte"}
	}
	return c.Refuse("--input "+string(format), misplaced...)
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

// inputs makes inputs of paths, of which "-" is standard input. stop has to be called after the last read.
func (r reader) inputs(paths []string) (inputs []seqio.Input, stop func()) {
	stop = func() {}
	for _, path := range paths {
		in := seqio.Input{Path: cli.InputName(path)}
		if path == "-" {
			in.Reader, stop = r.in.StandardInput()
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

var errNoOperands error = cli.Usagef("no input file, want at least one (- is standard input)")

// unlabelled reads the operands.
func (r reader) unlabelled() (*records, error) {
	if len(r.in.Args) == 0 {
		return nil, errNoOperands
	}
	return r.files(r.in.Args)
}

// The class names of --pos and --neg files; sorted, the positive one is second.
const (
	positiveName = "pos"
	negativeName = "neg"
)

// labelled reads the operands, or --pos and --neg, with labels.
func (r reader) labelled(o *labelOptions) (*records, error) {
	if len(o.pos)+len(o.neg) == 0 {
		all, err := r.unlabelled()
		if err != nil {
			return nil, err
		}
		if o.labels != "" {
			if err := all.relabel(r.in, o.labels); err != nil {
				return nil, err
			}
		}
		return all, all.wantLabels()
	}
	switch {
	case len(o.pos) == 0 || len(o.neg) == 0:
		return nil, cli.Usagef("--pos and --neg must be given together")
	case len(r.in.Args) > 0:
		return nil, cli.Usagef("operand %q with --pos and --neg, want one or the other", r.in.Args[0])
	case o.labels != "":
		return nil, cli.Usagef("--labels with --pos and --neg, want one or the other")
	}
	inputs, stop := r.inputs(slices.Concat(o.pos, o.neg))
	defer stop()
	for i := range inputs {
		inputs[i].Label = negativeName
		if i < len(o.pos) {
			inputs[i].Label = positiveName
		}
	}
	return r.read(inputs)
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
