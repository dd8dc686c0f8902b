// Package input reads the inputs of commands: files of records, with the options for formats, labels and trees, and
// models with the records that they are applied to. It warns of records that look wrong.
package input

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/reading"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Reader reads files according to options.
type Reader struct {
	Options seqio.Options
	Call    *cli.Call
	Labels  LabelKind

	asked     reading.Spec // by --input
	intervals *intervals   // nil without a genome
}

// LabelKind is what labels are.
type LabelKind int

// Labels are classes, numbers, or classes that a record need not have.
const (
	ClassLabels LabelKind = iota
	NumberLabels
	OptionalLabels
)

// NewReader returns a Reader with the options of the command line, which reads sequences in an alphabet; empty if that
// is to be inferred from the data.
func NewReader(c *cli.Call, o *Reading, alphabet stringkernel.Alphabet) (Reader, error) {
	spec, err := o.WithTrees(reading.Spec{})
	if err != nil {
		return Reader{}, cli.Usagef("--input: %w", err)
	}
	r := Reader{Call: c, Options: spec.Options(), asked: o.Spec}
	r.Options.Alphabet, r.Options.RepeatedIDs = alphabet, true
	return r.withFiles(spec)
}

// ForModel returns a Reader that reads as the training data of a model were read. An option that contradicts the model
// is an error.
func ForModel(c *cli.Call, o *Reading, m *model.Model) (Reader, error) {
	trained := m.Input.Reading
	trained.Alphabet = m.Kernel.Alphabet()
	spec, err := o.With(trained, slices.ContainsFunc(m.Kernel.Terms, catalog.Term.OfStructures))
	if err != nil {
		return Reader{}, cli.Usagef("--input: %w", err)
	}
	r := Reader{Call: c, Options: m.ReadOptions(), asked: o.Spec}
	r.Options.Format, r.Options.Columns, r.Options.Encoding = spec.Format, spec.Columns, spec.Encoding
	r.Options.Tree, r.Options.Ambiguous = spec.Trees(), spec.Ambiguous
	r.Options.LabelLists = m.Input.Separator != ""
	if r, err = r.withFiles(spec); r.intervals != nil && o.Genome == "" {
		r.intervals.trained = c
	}
	return r, err
}

// withFiles adds columns of numbers, and what cuts intervals from a genome, if there are any.
func (r Reader) withFiles(spec reading.Spec) (Reader, error) {
	var err error
	if path := r.asked.Beside; path != "" {
		in, stop := r.Call.Open(path)
		defer stop()
		if r.Options.Beside, err = seqio.ReadBeside(r.Call.Context, seqio.Input{Path: path, Reader: in}); err != nil {
			return r, err
		}
	}
	if r.intervals, err = checkIntervals(spec, r.asked); r.intervals != nil {
		r.Options.Intervals = r.intervals
	}
	return r, err
}

// File reads one file, or standard input for "-".
func (r Reader) File(path string) (*seqio.Set, error) {
	all, err := r.Files([]string{path})
	if err != nil {
		return nil, err
	}
	return all.Part(0), nil
}

// withOption names the option that sets the format or the column.
func withOption(err error) error {
	switch {
	case errors.Is(err, seqio.ErrUnknownFormat), errors.Is(err, seqio.ErrMixedFolder), errors.Is(err, seqio.ErrForeign):
		return fmt.Errorf("%w with --input", err)
	case errors.Is(err, seqio.ErrNoText):
		return fmt.Errorf("%w with --input text=NAME", err)
	case errors.Is(err, seqio.ErrLabels):
		return fmt.Errorf("%w: train with --multilabel ','", err)
	case errors.Is(err, seqio.ErrDelimiter):
		return fmt.Errorf("%w with --input delimiter=NAME", err)
	case errors.Is(err, seqio.ErrNoGenome):
		return fmt.Errorf("%w: --input genome=GENOME.fa", err)
	case errors.Is(err, genome.ErrNoSummit):
		return fmt.Errorf("%w, or at=centre in --input", err)
	}
	return err
}

// inputs returns inputs for paths; "-" is standard input. Call stop after the last read.
func (r Reader) inputs(paths []string) (inputs []seqio.Input, stop func()) {
	var stops []func()
	for _, path := range paths {
		in, stop := r.Call.Open(path)
		inputs, stops = append(inputs, seqio.Input{Path: cli.InputName(path), Reader: in}), append(stops, stop)
	}
	return inputs, func() {
		for _, stop := range stops {
			stop()
		}
		r.intervals.end(r.Call)
	}
}

// Files reads several files into one corpus.
func (r Reader) Files(paths []string) (*Records, error) {
	inputs, stop := r.inputs(paths)
	defer stop()
	return r.readAndSay(inputs)
}

// readAndSay reads records that need no labels.
func (r Reader) readAndSay(inputs []seqio.Input) (*Records, error) {
	r.Options.OptionalLabels = true
	all, err := r.read(inputs)
	if err == nil {
		err = all.withWays(all.CheckColumns())
	}
	if err != nil {
		return nil, err
	}
	r.say(all, inputs)
	return all, nil
}

func (r Reader) read(inputs []seqio.Input) (*Records, error) {
	r.Call.Stage("reading")
	if r.Options.Read == nil {
		r.Options.Read = new(atomic.Int64)
	}
	var paths []string
	for _, in := range inputs {
		paths = append(paths, in.Path)
	}
	size := cli.SizeOf(paths)
	r.Call.Watch(func() (float64, string) {
		read := float64(r.Options.Read.Load())
		return read / float64(max(size, 1)), fmt.Sprintf("%.1f MB", read/1e6)
	})
	all, err := seqio.ReadAll(r.Call.Context, inputs, r.Options)
	if err != nil {
		return nil, withOption(err)
	}
	return r.newRecords(all), r.checkUsed(all)
}

// checkUsed returns an error about an item that was asked for and has no effect on any of the inputs.
func (r Reader) checkUsed(all *seqio.Collection) error {
	first := all.Sets[0]
	key := r.asked.Misplaced(first.Format)
	if key == "" || slices.ContainsFunc(all.Sets, func(s *seqio.Set) bool { return r.asked.Misplaced(s.Format) != key }) {
		return nil
	}
	return cli.Usagef("--input: %s has no effect on %s, which is %s", key, first.Source, first.Format)
}

// Unlabelled reads the operands.
func (r Reader) Unlabelled() (*Records, error) {
	inputs, stop, err := r.operands()
	defer stop()
	if err != nil {
		return nil, err
	}
	return r.readAndSay(inputs)
}

// operands returns inputs for the operands.
func (r Reader) operands() (inputs []seqio.Input, stop func(), err error) {
	inputs, stop = r.inputs(r.Call.Args)
	if len(inputs) == 0 {
		err = cli.Usagef("no input file, want at least one (- is standard input)")
	}
	return inputs, stop, err
}

// namer returns a Namer of the records of the operands. A folder counts as its files unless it is of documents.
func (r Reader) namer() (*Namer, error) {
	var inputs []seqio.Input
	for _, path := range r.Call.Args {
		if _, held := r.Call.Files.Content(path); path != "-" && !held {
			inputs = append(inputs, seqio.Input{Path: path})
		}
	}
	files, err := seqio.ExpandFolders(inputs, r.Options)
	return NewNamer(len(files)+len(r.Call.Args)-len(inputs) != 1), withOption(err)
}

// The class names of --pos and --neg files; sorted, the positive one is second.
const (
	Positive = "pos"
	Negative = "neg"
)

// Labelled reads the operands, or --pos and --neg, with labels.
func (r Reader) Labelled(o *Labels) (*Records, error) {
	inputs, stop, err := r.labelledInputs(o)
	defer func() { stop() }()
	if err == nil && o.drawn() {
		var negatives seqio.Input
		if negatives, err = r.drawNegatives(inputs); err == nil {
			r.intervals.close() // they are read again
			stop()
			inputs, stop, err = r.labelledInputs(o)
			inputs, r.asked.Genome = append(inputs, negatives), ""
		}
	}
	if err != nil {
		return nil, err
	}
	r.Options.RepeatedIDs = r.Options.RepeatedIDs && o.labels == ""
	all, err := r.read(inputs)
	if err != nil {
		return nil, err
	}
	all.pairs, all.kind = len(o.pos) > 0, r.Labels
	if r.Labels != NumberLabels {
		if err := all.withWays(all.CheckColumns()); err != nil {
			return nil, err
		}
	}
	if o.labels != "" {
		if err := all.relabel(r.Call, o.labels); err != nil {
			return nil, err
		}
	}
	r.say(all, inputs)
	return all, all.WantLabels(r.Options.LabelLists || r.Labels == OptionalLabels)
}

// labelledInputs returns the operands, or the files of --pos and --neg.
func (r Reader) labelledInputs(o *Labels) (inputs []seqio.Input, stop func(), err error) {
	if len(o.pos)+len(o.neg) == 0 {
		return r.operands()
	}
	stop = func() {}
	switch {
	case len(o.pos) == 0:
		return nil, stop, cli.Usagef("--neg without --pos, want the file of the positives, too")
	case len(o.neg) == 0 && r.asked.Genome == "":
		return nil, stop, cli.Usagef("--pos without negatives, want --neg FILE (seqsvm genome negatives --shuffle makes one), " +
			"or --input genome=GENOME.fa, of which windows like the positives are drawn")
	case len(o.neg) == 0 && slices.Contains(o.pos, "-"):
		return nil, stop, cli.Usagef("--pos - without --neg, want a file: it is read twice to draw negatives")
	case len(r.Call.Args) > 0:
		return nil, stop, cli.Usagef("operand %.80q with --pos and --neg, want one or the other", r.Call.Args[0])
	case o.labels != "":
		return nil, stop, cli.Usagef("--labels cannot be used with --pos and --neg")
	}
	for _, path := range o.neg {
		if slices.ContainsFunc(o.pos, func(other string) bool { return cli.SameFile(path, other) }) {
			return nil, stop, cli.Usagef("--pos and --neg are the same file, %s, want two", path)
		}
	}
	if r.asked.Columns.Label != "" {
		return nil, stop, cli.Usagef("--input label=%s cannot be used with --pos and --neg", r.asked.Columns.Label)
	}
	inputs, stop = r.inputs(slices.Concat(o.pos, o.neg))
	for i := range inputs {
		inputs[i].Label = Negative
		if i < len(o.pos) {
			inputs[i].Label = Positive
		}
	}
	return inputs, stop, nil
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

// Batches reads the operands and calls visit for batches of at least size, in order, while the next one is being read.
// Small files share a batch; of a large one little more than two batches are in memory. An interrupt ends it after the
// batch that is visited, or with the records of standard input that have come.
func (r Reader) Batches(size int, visit func(*Records) error) error {
	return r.batches(&Labels{}, size, nil, visit)
}

// LabelledBatches is Batches of the operands, or of --pos and --neg, and says what classes the records have.
func (r Reader) LabelledBatches(o *Labels, size int, visit func(*Records) error) error {
	if o.drawn() {
		return cli.Usagef("--pos without --neg, want both: a stream is read once, and no negatives are drawn for it")
	}
	return r.batches(o, size, &labelled{}, visit)
}

// batches reads batches, whose classes it counts in t and says unless that is nil.
func (r Reader) batches(o *Labels, size int, t *labelled, visit func(*Records) error) error {
	inputs, stop, err := r.labelledInputs(o)
	defer stop()
	if err != nil {
		return err
	}
	var s said
	s.count(r.Options.Numbers)
	var alphabet stringkernel.Alphabet
	err = r.ahead(inputs, stop, size, func(records *Records) error {
		if err := r.checkUsed(records.Collection); err != nil {
			return err
		}
		records.pairs = len(o.pos) > 0
		s.add(records, inputs)
		if t != nil {
			t.add(records)
		}
		alphabet = cmp.Or(alphabet, r.alphabetOf(records))
		return cmp.Or(visit(records), r.Call.Context.Err())
	})
	if t == nil || t.records == 0 {
		s.note(r.Call, alphabet, kindOf(alphabet, s.text))
	} else {
		r.sayOf(&s, t, alphabet)
	}
	return withOption(err)
}

// ahead reads batches of inputs in a goroutine that is one ahead of visit, whose error ends the reading: stop has it
// not wait for more of standard input.
func (r Reader) ahead(inputs []seqio.Input, stop func(), size int, visit func(*Records) error) error {
	ctx, cancel := context.WithCancel(r.Call.Context)
	defer cancel()
	batches, end, failed := make(chan *Records), make(chan error, 1), make(chan struct{})
	go func() {
		defer close(batches)
		end <- seqio.AllBatches(ctx, inputs, r.Options, size, func(all *seqio.Collection) error {
			records := r.newRecords(all)
			if r.Options.Read != nil {
				records.read = r.Options.Read.Load()
			}
			select {
			case batches <- records:
				return nil
			case <-failed:
				return context.Canceled
			}
		})
	}()
	for records := range batches {
		if err := visit(records); err != nil {
			cancel()
			close(failed)
			stop()
			<-end
			return err
		}
	}
	return <-end
}
