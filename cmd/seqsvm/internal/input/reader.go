// Package input reads the inputs of commands: files of records, with the options for formats, labels and trees, and
// models with the records that they are applied to. It warns of records that look wrong.
package input

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Reader reads files according to options.
type Reader struct {
	Options seqio.Options
	Call    *cli.Call
}

// NewReader returns a Reader with the options that a model stores, unless --html, --keep-newline or options for trees
// override them.
func NewReader(c *cli.Call, o *Reading, input model.Input, alphabet stringkernel.Alphabet) (Reader, error) {
	r := Reader{Call: c, Options: o.Options}
	if err := c.Refuse("--input "+string(r.Options.Format), misplaced[r.Options.Format]...); err != nil {
		return Reader{}, err
	}
	if err := seqio.CheckEncoding(o.Encoding); err != nil {
		return Reader{}, cli.Usagef("--encoding: %w", err)
	}
	var err error
	if r.Options.Tree, err = o.treeOptions(c, input.Options().Tree); err != nil {
		return Reader{}, err
	}
	r.Options.HTML, r.Options.KeepNewline = input.HTML, input.KeepNewline && r.Options.Tree.Syntax == ""
	cli.IfGiven(c.Flags, "html", &r.Options.HTML, o.HTML)
	cli.IfGiven(c.Flags, "keep-newline", &r.Options.KeepNewline, o.KeepNewline)
	r.Options.SoftMask, r.Options.Alphabet, r.Options.KeLPText = input.SoftMask, alphabet, input.Representation
	return r, nil
}

// File reads one file, or standard input for "-".
func (r Reader) File(path string) (*seqio.Set, error) {
	all, err := r.Files([]string{path})
	if err != nil {
		return nil, err
	}
	return all.Sets[0], nil
}

// withOption names the option that sets the format.
func withOption(err error) error {
	if errors.Is(err, seqio.ErrUnknownFormat) {
		return fmt.Errorf("%w with --input", err)
	}
	return err
}

// inputs returns inputs for paths; "-" is standard input. Call stop after the last read.
func (r Reader) inputs(paths []string) (inputs []seqio.Input, stop func()) {
	stop = func() {}
	for _, path := range paths {
		in := seqio.Input{Path: cli.InputName(path)}
		if path == "-" {
			in.Reader, stop = r.Call.StandardInput()
		}
		inputs = append(inputs, in)
	}
	return inputs, stop
}

// Files reads several files into one corpus.
func (r Reader) Files(paths []string) (*Records, error) {
	inputs, stop := r.inputs(paths)
	defer stop()
	return r.read(inputs)
}

func (r Reader) read(inputs []seqio.Input) (*Records, error) {
	r.Call.Stage("reading")
	all, err := seqio.ReadAll(r.Call.Context, inputs, r.Options)
	if err != nil {
		return nil, withOption(err)
	}
	return newRecords(all), nil
}

// Unlabelled reads the operands.
func (r Reader) Unlabelled() (*Records, error) {
	inputs, stop, err := r.operands()
	defer stop()
	if err != nil {
		return nil, err
	}
	return r.read(inputs)
}

// operands returns inputs for the operands.
func (r Reader) operands() (inputs []seqio.Input, stop func(), err error) {
	inputs, stop = r.inputs(r.Call.Args)
	if len(inputs) == 0 {
		err = cli.Usagef("no input file, want at least one (- is standard input)")
	}
	return inputs, stop, err
}

// The class names of --pos and --neg files; sorted, the positive one is second.
const (
	Positive = "pos"
	Negative = "neg"
)

// Labelled reads the operands, or --pos and --neg, with labels.
func (r Reader) Labelled(o *Labels) (*Records, error) {
	if len(o.pos)+len(o.neg) == 0 {
		all, err := r.Unlabelled()
		if err != nil {
			return nil, err
		}
		if o.labels != "" {
			if err := all.relabel(r.Call, o.labels); err != nil {
				return nil, err
			}
		}
		return all, all.WantLabels()
	}
	switch {
	case len(o.pos) == 0 || len(o.neg) == 0:
		return nil, cli.Usagef("--pos and --neg must be given together")
	case len(r.Call.Args) > 0:
		return nil, cli.Usagef("operand %q with --pos and --neg, want one or the other", r.Call.Args[0])
	case o.labels != "":
		return nil, cli.Usagef("--labels with --pos and --neg, want one or the other")
	}
	inputs, stop := r.inputs(slices.Concat(o.pos, o.neg))
	defer stop()
	for i := range inputs {
		inputs[i].Label = Negative
		if i < len(o.pos) {
			inputs[i].Label = Positive
		}
	}
	return r.read(inputs)
}

// ListFiles lists the files of lists in specifications of kernels, as in words:dict=@FILE.
func ListFiles(kernels []string) (paths []string) {
	for _, kernel := range kernels {
		for item := range strings.SplitSeq(kernel, ",") {
			if _, path, found := strings.Cut(item, "=@"); found {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// plain shortens the error of a file that cannot be opened to its name and the reason.
func plain(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return fmt.Errorf("%s: %w", path.Path, path.Err)
	}
	return err
}

// AlphabetOf returns the alphabet that --ambiguous error checks, that of the first kernel; empty if it is open.
func AlphabetOf(spec catalog.Spec) stringkernel.Alphabet { return spec.Terms[0].Alphabet() }

// Batches reads the operands and calls visit for batches of at least size, in order. Small files share a batch; of a
// large one little more than a batch is in memory.
func (r Reader) Batches(size int, visit func(*Records) error) error {
	inputs, stop, err := r.operands()
	defer stop()
	if err != nil {
		return err
	}
	return withOption(seqio.AllBatches(r.Call.Context, inputs, r.Options, size, func(all *seqio.Collection) error {
		if err := r.Call.Context.Err(); err != nil {
			return err
		}
		return visit(newRecords(all))
	}))
}
