package seqio

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/seqio/internal/documents"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/seqio/trees"
)

// Read reads a whole input, compressed or not, into a set. name identifies the input in errors, and its suffix may
// imply the format (see the package comment). An error in the input is an [*Error]; an error of r is wrapped in one. To
// stop a long read, let r return an error. Read does not touch r after it has returned. The time is linear in the
// uncompressed size.
func Read(r io.Reader, name string, opt Options) (*Set, error) {
	return readOne(Input{Path: name, Reader: r}, opt)
}

// ReadAll reads inputs, at least one, into one corpus, each as [Read] or [ReadFile] does: no letter is copied once it
// is read. [Options].MaxLetters holds for all inputs together, ids are distinct within an input. The context is checked
// between inputs.
func ReadAll(ctx context.Context, inputs []Input, opt Options) (*Collection, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	inputs = slices.Clone(inputs)
	opt, columns, err := opt.survey(ctx, inputs)
	if err != nil {
		return nil, err
	}
	c := newCollector(opt)
	if err := c.readAll(ctx, inputs); err != nil {
		return nil, err
	}
	all, err := c.pack()
	if err == nil {
		all.Columns, all.Numbers = columns, opt.Numbers
	}
	return all, err
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
	return c.checkRows()
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

// openText opens an input, decodes it and infers its format. The input must be closed.
func openText(r io.Reader, name string, opt Options) (*lines.Input, Format, error) {
	in, err := lines.OpenCounted(r, name, opt.Read)
	if err != nil {
		return nil, "", err
	}
	var format Format
	wanted := opt.namedFormat(name)
	if err = opt.decode(in, wanted); err == nil && (!opt.Format.Text() || opt.Tree.Syntax == trees.Newick) {
		err = refuseForeign(in, opt.Tree.Syntax != trees.Newick)
	}
	if err == nil {
		format, err = formatOf(in, wanted)
	}
	if opt.Texts && errors.Is(err, ErrUnknownFormat) {
		var head []byte
		format = Lines
		head, err = in.Begin()
		first, _, _ := strings.Cut(firstOf(head), "\n")
		switch {
		case strings.Contains(first, "\t"):
			format = TSV
		case opt.isHeader(first):
			format = CSV
		}
	}
	if err == nil {
		err = opt.checkFormat(name, format)
	}
	if err != nil {
		in.Close()
		return nil, "", err
	}
	return in, format, nil
}

// isHeader reports whether a line is a header of CSV: words without a space, one of them the name of the text, label or
// id, here or in the training data.
func (o Options) isHeader(line string) bool {
	cells := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(",;\"\r", r) })
	names := []string{cmp.Or(o.Columns.Text, "text"), cmp.Or(o.Columns.Label, "label"), cmp.Or(o.Columns.ID, "id"),
		o.Trained.Text, o.Trained.Label, o.Trained.ID}
	return len(cells) > 1 && !strings.Contains(line, " ") && slices.ContainsFunc(cells, func(cell string) bool {
		_, number := strconv.Atoi(cell) // of a column, not its name
		return number != nil && slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(cell, name) })
	})
}

// decode turns an input into UTF-8: a document of XML or HTML from the encoding that it declares, unless another is
// given.
func (o Options) decode(in *lines.Input, format Format) (err error) {
	encoding := o.Encoding
	if isHTML := o.HTML || o.Tree.Syntax == trees.HTML; encoding == "" && format == Documents &&
		(isHTML || o.Tree.Syntax == trees.XML) {
		if encoding, err = documents.Declared(in, isHTML); err != nil {
			return err
		}
	}
	return documents.Decode(in, encoding)
}

// ReadFile reads a file as Read does, or a folder (see the package comment). A missing file, a folder where a format is
// asked for that folders do not have, and a file that may not be read are an [*Error].
func ReadFile(path string, opt Options) (*Set, error) { return readOne(Input{Path: path}, opt) }

func readOne(in Input, opt Options) (*Set, error) {
	all, err := ReadAll(context.Background(), []Input{in}, opt)
	if err != nil {
		return nil, err
	}
	return all.whole(in.Path), nil
}

// whole returns all records as one set.
func (c *Collection) whole(source string) *Set {
	if len(c.Sets) == 1 {
		return c.Sets[0]
	}
	s := &Set{Source: source, Format: c.Sets[0].Format, Corpus: c.Corpus, Labels: c.Labels(), alphabet: c.alphabet}
	for k := range c.Sets[0].Fields {
		s.Fields = append(s.Fields, c.Field(k))
	}
	for _, part := range c.Sets {
		s.Descriptions = append(s.Descriptions, part.Descriptions...)
	}
	return s
}

// parsers are those of text formats.
var parsers = map[Format]func(*documents.Parser, io.Reader) error{
	Lines: (*documents.Parser).Lines, TSV: (*documents.Parser).TSV, CSV: (*documents.Parser).CSV,
	JSONL: (*documents.Parser).JSONL, FastText: (*documents.Parser).FastText,
	Reuters: (*documents.Parser).Reuters, KeLP: (*documents.Parser).KeLP,
	DotBracket: (*documents.Parser).DotBracket, Parquet: (*documents.Parser).Parquet,
}

// parse runs the parser of the collector's format.
func parse(in *lines.Input, c *collector) error {
	switch c.set.Format {
	case BED:
		return parseIntervals(in, c)
	case FASTA:
		return c.fasta(in)
	case FASTQ:
		return c.fastq(in)
	case Documents:
		return parseWhole(in, c, c.set.Source, "")
	}
	p := documents.NewParser(c.opt.documents(c.set.Format), c)
	p.Named = func(columns []string) { c.set.ColumnNames = columns }
	var err error
	if p.Separator, err = c.findDelimiter(in.Ahead()); err != nil {
		return err
	}
	switch {
	case c.set.Format == Lines && c.opt.Tree.Syntax == trees.Newick:
		return p.Newick(in)
	case c.set.Format == JSONL && isJSONList(in.Name, firstOf(in.Ahead())):
		c.set.layout = jsonList
		return p.JSONList(in)
	}
	return parsers[c.set.Format](p, in)
}

// findDelimiter finds what separates the columns of a table by its first bytes. TSV without tabs, or with quotes, is
// CSV.
func (c *collector) findDelimiter(head []byte) (documents.Delimiter, error) {
	native := map[Format]byte{TSV: '\t', CSV: ','}[c.set.Format]
	if native == 0 {
		return documents.Delimiter{}, nil
	}
	found, err := documents.DelimiterOf(head, native, c.opt.documents(c.set.Format))
	if err != nil {
		return found, c.Errorf(1, "%w", err)
	}
	if found.Byte != native || found.Quoted {
		c.set.Format = CSV
		if found.Byte != ',' {
			c.set.layout = "CSV with " + found.Plural()
		}
	}
	return found, nil
}

// parseWhole reads an input as one record.
func parseWhole(in *lines.Input, c *collector, id, label string) error {
	opt := c.opt.documents(Documents)
	opt.Encoding = in.Encoding
	return documents.NewParser(opt, c).Whole(in, id, label)
}

// Decompress returns the bytes of an input that may be compressed with gzip (any number of members) or zstd, recognised
// by its first bytes; any other input is returned as it is. name identifies the input in errors; a nil r is the file of
// that name. The result must be closed, which ends the goroutine that decompresses and does not close r. Every error
// but io.EOF is an [*Error].
func Decompress(r io.Reader, name string) (io.ReadCloser, error) {
	in, err := lines.Open(r, name)
	if err != nil {
		return nil, err
	}
	return in, nil
}

// OpenText returns a text as [Decompress] does, or the file name if r is nil, without a byte order mark. UTF-16, UTF-32
// and an empty input are an [*Error].
func OpenText(r io.Reader, name string) (io.ReadCloser, error) {
	in, err := lines.Open(r, name)
	if err != nil {
		return nil, err
	}
	if _, err := in.Begin(); err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// EndSize is how many bytes at either end of a file tell whether it lacks its end.
const EndSize = 1 << 16

// LacksEnd reports whether a file is BGZF without the empty block that marks its end, so that it may have been cut off
// between two blocks, which nothing else tells. head and tail are its first and last EndSize bytes, or all of it.
func LacksEnd(head, tail []byte) bool { return lines.LacksEnd(head, tail) }

// Compressed reports whether a name ends as those of compressed files do, in .gz or .zst.
func Compressed(name string) bool { return lines.WithoutCompression(name) != strings.ToLower(name) }

// parseIntervals reads the records of intervals.
func parseIntervals(r io.Reader, c *collector) error {
	if c.opt.Intervals == nil {
		return &Error{File: c.set.Source, Err: ErrNoGenome}
	}
	return c.opt.Intervals.EachRecord(r, c.set.Source, func(id, description, letters []byte, line int) error {
		if err := c.begin(id, description, line); err != nil {
			return err
		}
		if err := c.letters(letters, line); err != nil {
			return err
		}
		c.end()
		return nil
	})
}
