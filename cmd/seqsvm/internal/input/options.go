package input

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/reading"
)

// Sections of the help.
const (
	OfKernel   = cli.OfKernel
	OfLearning = cli.OfLearning
	OfInput    = cli.OfInput
)

// Model is a model to apply.
type Model struct {
	Path   string
	strict bool
}

// StrictFlag binds --strict of commands that apply the model to records.
func (o *Model) StrictFlag(f *cli.Flags) {
	f.Section(OfInput)
	f.Bool(&o.strict, "strict", "stop at a record without any feature of the model, instead of a warning")
}

// Flags binds the options.
func (o *Model) Flags(f *cli.Flags) {
	f.Section(OfInput)
	f.String(&o.Path, "model,m", "", "model `FILE` written by train").Reads(&o.Path).OrOperand(model.IsModel)
}

// Labels are the options for where labels are.
type Labels struct {
	pos, neg []string
	labels   string
}

// Flags binds the options.
func (o *Labels) Flags(f *cli.Flags) {
	f.Section(OfInput)
	f.Strings(&o.pos, "pos",
		"`FILE` of positive sequences, instead of labels in headers").ReadsAll(func() []string { return o.pos })
	f.Strings(&o.neg, "neg", "`FILE` of negative sequences; without it they are drawn from the genome "+
		"of --input").ReadsAll(func() []string { return o.neg })
	f.String(&o.labels, "labels", "", "`FILE` of lines id<TAB>label, instead of labels in headers").Reads(&o.labels)
}

// Paths lists the files of --pos and --neg.
func (o *Labels) Paths() []string { return slices.Concat(o.pos, o.neg) }

// drawn reports whether there are positives alone, so that negatives are drawn.
func (o *Labels) drawn() bool { return len(o.pos) > 0 && len(o.neg) == 0 }

// Reading is the options that say how records are read.
type Reading struct {
	reading.Spec
	files string // a list of operands
}

// Flags binds the options of all commands that read records.
func (o *Reading) Flags(f *cli.Flags) {
	f.Section(OfInput)
	cli.Parsed(f, &o.Spec, "input,i", "`SPEC` of how records are read, as "+
		"csv:text=title+body,label=topic (seqsvm about input); formats: "+strings.Join(reading.Formats(), ", ")+
		"; stored in the model", reading.Parse).Completes(inputWords).Keys(inputKeys()).
		ReadsAll(func() []string { return []string{o.Genome, o.Beside} })
}

// inputKeys lists the keys of --input.
func inputKeys() (keys []string) {
	for _, item := range reading.Items() {
		keys = append(keys, strings.TrimRight(item.Key+"="+item.Value, "="))
	}
	return keys
}

// inputWords lists the beginnings of specifications of --input: formats, and the keys of each.
func inputWords() []string {
	words := reading.Formats()
	for _, format := range reading.Formats() {
		for _, item := range reading.Items() {
			if !item.Of(seqio.Format(format)) {
				continue
			}
			word := format + ":" + item.Key
			if item.Value != "" {
				word += "="
			}
			words = append(words, word)
			for _, choice := range item.Choices {
				words = append(words, word+choice)
			}
		}
	}
	return words
}

// RecordFlags binds those of Flags and a list of operands.
func (o *Reading) RecordFlags(f *cli.Flags) {
	o.Flags(f)
	f.String(&o.files, "files", "", "`FILE` with the name of an input in each line, which follow the operands").
		Reads(&o.files).Before(o.takeList)
}

// takeList appends the files of --files to the operands.
func (o *Reading) takeList(c *cli.Call) error {
	if o.files == "" {
		return nil
	}
	read := func(r io.Reader, name string) ([]string, error) { return readList(c, r, name) }
	paths, err := cli.Read(c, o.files, read)
	if err != nil {
		return err
	}
	c.Args, o.files = append(c.Args, paths...), ""
	return nil
}

// readList reads a name in each line of r or, if that is nil, of a file. Blanks after a name are no part of it, blank
// lines are skipped. The files must exist.
func readList(c *cli.Call, r io.Reader, name string) (paths []string, err error) {
	text, err := seqio.OpenText(r, name)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	in, line := bufio.NewScanner(text), 1
	for ; in.Scan(); line++ {
		path := strings.TrimRight(in.Text(), " \t\r")
		if path == "" {
			continue
		}
		if err := findListed(c, path); err != nil {
			return nil, &seqio.Error{File: name, Line: line, Err: err}
		}
		paths = append(paths, path)
	}
	switch err := in.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, &seqio.Error{File: name, Line: line, Err: errors.New("more than 64 KiB, want the name of an input")}
	case err != nil:
		return nil, cli.InFile(name, err)
	case len(paths) == 0:
		return nil, fmt.Errorf("%s: no names, want that of an input in each line", name)
	}
	return paths, nil
}

// findListed returns an error unless an input of a list can be opened.
func findListed(c *cli.Call, path string) error {
	if _, held := c.Files.Content(path); held || path == "-" {
		return nil
	}
	if strings.ContainsRune(path, 0) {
		return errors.New("NUL byte in a name, as in UTF-16: convert the list to UTF-8")
	}
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("%.200q: %w", path, errors.Unwrap(err))
	}
	return nil
}

// intervals cuts the letters of intervals from the genome, which is opened when the first are read.
type intervals struct {
	path    string
	trained *cli.Call // nil unless the path is that of the model
	letters seqio.Case
	cutter  genome.Cutter
}

// EachRecord implements seqio.IntervalReader.
func (v *intervals) EachRecord(
	r io.Reader, name string, add func(id, description, letters []byte, line int) error,
) error {
	if v.cutter.Genome == nil {
		g, err := v.open()
		if err != nil {
			return err
		}
		v.cutter.Genome = g
	}
	return v.cutter.EachRecord(r, name, add)
}

// open opens the genome. The command line does not name that of a model, so no check of its files has seen it.
func (v *intervals) open() (*genome.Genome, error) {
	if v.trained != nil && v.trained.Confine != nil {
		if err := v.trained.Confine(v.path); err != nil {
			return nil, err
		}
	}
	g, err := genome.Open(v.path, v.letters)
	if v.trained != nil && errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w; intervals of training were cut from it: say where it is with --input genome=GENOME.fa",
			plain(err))
	}
	return g, err
}

// Windows implements [reading.Windows].
func (v *intervals) Windows() (path string, width int, at genome.Point) {
	return v.path, v.cutter.Width, v.cutter.At
}

// end closes the genome and says what was left out or cut off.
func (v *intervals) end(c *cli.Call) {
	if v == nil || v.cutter.Genome == nil {
		return
	}
	if v.trained != nil {
		c.Note("intervals are cut from %s, which has the name of the genome of training; --input genome=FILE names another",
			v.path)
	}
	if names := v.cutter.Names.Differing(); len(names) > 0 {
		c.Note("chromosomes have other names in %s: %s", v.path, cli.ListNames(names))
	}
	misfits := &v.cutter.Misfits
	if misfits.LeftOut() > 0 {
		c.Warn("%s", misfits.Text("intervals", v.path))
	}
	records := misfits.Lines - misfits.LeftOut()
	if n := v.cutter.NotCalled; n > 0 {
		c.Warn("%d of %d intervals have no summit (a negative number, . or NA in column 10): the middle of each is taken",
			n, records)
	}
	if n := v.cutter.Outside; n > 0 {
		c.Warn("the summits of %d of %d intervals are beyond their ends: the middle of each is taken; the first: %v", n,
			records, v.cutter.FirstOutside)
	}
	if n := v.cutter.Clipped; n > 0 {
		c.Warn("%s of %d letters would reach beyond the ends of sequences and are shorter", plural.Of(n, "window"),
			v.cutter.Width)
	}
	v.close()
}

// close closes the genome, of which nothing more is said.
func (v *intervals) close() {
	if v.cutter.Genome != nil {
		v.cutter.Genome.Close() // it was only read
	}
	v.cutter = genome.Cutter{Width: v.cutter.Width, At: v.cutter.At}
}

// checkIntervals returns an error about items for intervals that do not go together, or the reader of intervals, nil
// without a genome.
func checkIntervals(s reading.Spec, asked reading.Spec) (*intervals, error) {
	switch {
	case s.Genome == "" && (asked.Width > 0 || asked.At != ""):
		return nil, cli.Usagef("--input: width and at without genome, want genome=FILE, which intervals are cut from")
	case s.Width == 0 && asked.At != "":
		return nil, cli.Usagef("--input: at without width, want the number of letters around the point")
	case s.Genome == "":
		return nil, nil
	}
	letters := cmp.Or(s.Case(), seqio.CaseUpper)
	return &intervals{path: s.Genome, letters: letters, cutter: genome.Cutter{Width: s.Width, At: s.At}}, nil
}
