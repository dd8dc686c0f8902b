package seqio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Input is one of several inputs that are read together.
type Input struct {
	Path   string    // a file or a folder, or the name of Reader in errors
	Reader io.Reader // read in place of the file, if it is not nil
	Label  string    // of all its records, in place of those in the input, unless it is empty

	class, classBy string // of records without a label, and what it is from, for a file of a folder
	operand        int    // number of the folder that it is a file of, or its own, among those to read
}

// Collection is the records of several inputs in one corpus.
type Collection struct {
	Corpus *stringkernel.Corpus // all records, in the order of the inputs; the sets share its letters
	Sets   []*Set               // one per input, or part of an input of [AllBatches]

	// Case is what became of lower-case letters: CaseUpper or CaseKept, or CaseAuto where there are both sequences, in
	// upper case, and text, as written
	Case    Case
	Foreign int // letters of the other nucleic acid: U read as T, or T as U

	alphabet stringkernel.Alphabet // that the letters look like; "" until it is detected
}

// DetectAlphabet returns what the letters look like, see the package comment. It looks at them once. It is not safe for
// concurrent use.
func (c *Collection) DetectAlphabet() stringkernel.Alphabet {
	if c.alphabet == "" {
		c.alphabet = stringkernel.Bytes
		if !slices.ContainsFunc(c.Sets, func(s *Set) bool { return s.Format.Text() }) {
			c.alphabet = DetectAlphabet(c.Corpus)
		}
	}
	return c.alphabet
}

// Settled returns the options that the collection was read with, with what reading has settled: the case of letters,
// which representation of KeLP is the text, and where labels are in headers. A model remembers them.
func (c *Collection) Settled(o Options) Options {
	o.Case = c.Case
	of := func(formats ...Format) bool {
		return slices.ContainsFunc(c.Sets, func(s *Set) bool { return slices.Contains(formats, s.Format) })
	}
	if of(KeLP) {
		o.KeLPText = cmp.Or(o.Columns.Text, o.KeLPText)
	}
	if !of(TSV, CSV, JSONL) {
		label := o.Columns.Label
		if label == "id" || slices.ContainsFunc(c.Sets, func(s *Set) bool { return s.byIDs }) {
			label = lines.WordAsLabel
		}
		o.Columns = Columns{}
		if of(FASTA, FASTQ, DotBracket, BED) {
			o.Columns.Label = label
		}
	}
	return o
}

// Labels returns the label of every record, "" where it has none; not to be modified.
func (c *Collection) Labels() []string {
	if len(c.Sets) == 1 && c.Sets[0].Labels != nil {
		return slices.Clip(c.Sets[0].Labels)
	}
	labels := make([]string, 0, c.Corpus.Len())
	for _, s := range c.Sets {
		for i := range s.Len() {
			labels = append(labels, s.Label(i))
		}
	}
	return labels
}

// Field returns the value of every record in one of the [Options].Fields, given by its number there.
func (c *Collection) Field(k int) []string {
	values := make([]string, 0, c.Corpus.Len())
	for _, s := range c.Sets {
		values = append(values, s.Fields[k]...)
	}
	return values
}

// Part returns the records of one of the inputs that were read (0-based), such as a folder, as one set.
func (c *Collection) Part(input int) *Set {
	part, before, records := &Collection{alphabet: c.alphabet}, 0, 0
	for _, s := range c.Sets {
		switch {
		case s.operand < input:
			before += s.Len()
		case s.operand == input:
			part.Sets = append(part.Sets, s)
			records += s.Len()
		}
	}
	part.Corpus = c.Corpus.Slice(before, before+records)
	return part.whole(part.Sets[0].Source)
}

// Locate returns the set of record i and its number there, both 0-based.
func (c *Collection) Locate(i int) (*Set, int) {
	for _, s := range c.Sets {
		if i < s.Len() {
			return s, i
		}
		i -= s.Len()
	}
	panic(fmt.Sprintf("record %d of %d", i, c.Corpus.Len())) // indices come from the corpus
}

// Errorf returns an error about record i that names its input and line.
func (c *Collection) Errorf(i int, format string, args ...any) error {
	set, j := c.Locate(i)
	return set.Errorf(j, format, args...)
}

// Placed returns a [stringkernel.RecordError] about a record of the corpus with input and line, any other error as it
// is.
func (c *Collection) Placed(err error) error {
	var about *stringkernel.RecordError
	if errors.As(err, &about) && about.Record < c.Corpus.Len() && c.Corpus.Name(about.Record) == about.Name {
		return c.Errorf(about.Record, "%w", about.Err)
	}
	return err
}

// ReadAll reads inputs, at least one, into one corpus, each as [Read] or [ReadFile] does: no letter is copied once it
// is read. [Options].MaxLetters holds for all inputs together, ids are distinct within an input. The context is checked
// between inputs.
func ReadAll(ctx context.Context, inputs []Input, opt Options) (*Collection, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	c := newCollector(opt)
	if err := c.readAll(ctx, inputs); err != nil {
		return nil, err
	}
	return c.pack()
}

// readAll reads inputs one after another.
func (c *collector) readAll(ctx context.Context, inputs []Input) error {
	inputs, err := ExpandFolders(inputs, c.opt)
	if err != nil {
		return err
	}
	for i, in := range inputs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.read(in, inputs[i+1:]); err != nil {
			return err
		}
	}
	return nil
}

// read reads an input that others follow.
func (c *collector) read(in Input, following []Input) error {
	if f := c.opt.Format; (f == Auto || f == "auto" || f == Documents) && isFolder(in) {
		c.start(in, Documents)
		c.set.folder = true
		return c.close(parseFolder(in.Path, c))
	}
	text, format, err := openText(in.Reader, in.Path, c.opt)
	if err != nil {
		return err
	}
	defer text.Close()
	c.start(in, format)
	c.reserve(text.Size, following)
	return c.close(parse(text, c))
}

// reserve makes room for an input of a number of bytes, and for those that follow it, so that the arena is allocated
// once. In batches it does nothing, since the size held is not known.
func (c *collector) reserve(size int, following []Input) {
	if c.set.Format == FASTQ {
		size /= 2 // the other half is qualities
	}
	spare := c.builder.Pending()
	if c.batch != nil || cap(spare)-len(spare) >= size {
		return
	}
	for _, in := range following {
		if info, err := os.Stat(in.Path); in.Reader == nil && err == nil && info.Mode().IsRegular() {
			size += int(min(info.Size(), MaxLetters-int64(size)))
		}
	}
	if int64(size) < memory.Limit() { // else it is an error, soon
		c.builder.Grow(0, min(size, c.limit-c.total))
	}
}
