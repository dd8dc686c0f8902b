package seqio

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/seqio/trees"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// collector assembles a Collection from the events of the parsers of its inputs: start; for each record begin, any
// number of sequence or raw pieces, end; close. Every method that returns an error returns an *Error.
type collector struct {
	sets    []*Set // of earlier inputs, whose corpora are made when all are read
	records int    // of these
	set     *Set   // of the current input
	opt     Options
	limit   int // most letters
	longest int // most letters of a record
	builder stringkernel.CorpusBuilder
	ids     idTable
	marks   lineMarks // where each line went; kept only if a check after reading needs it
	stream  *streamer // where letters go in place of builder; nil unless the input is streamed
	batch   *batcher  // where full sets go; nil unless the input is read in batches

	open        bool // a record has begun and not ended
	id          string
	description string
	line        int // where it began
	length      int // letters of it so far
	total       int // letters of all records so far
	names       int // bytes of ids and labels
	early       int // those of earlier inputs
	beside      int // bytes of the descriptions and lists of labels of the set
	column      int // letters of the line so far, where a line comes in pieces

	common   string            // the label of all records of the input, if it is not empty
	class    string            // the label of records of the input without one
	fields   []string          // values of Options.Fields
	numbers  []byte            // those of Options.Numbers, as letters
	places   []int             // of Options.Numbers in rows of Options.Beside
	rows     int               // of Options.Beside that records have
	label    string            // of a document
	guessed  bool              // of the label, as Document says
	topics   []string          // all its labels
	labels   map[string]string // all labels of documents
	file     string            // what errors name in place of the source, where it is a folder
	labelIn  lines.HeaderLabel // where labels are in headers
	decided  bool              // whether ids are labels
	numbered bool              // the id of the document is its line number
	number   []byte
	stripped []byte           // a document without its tags
	trees    *trees.Converter // of documents that are trees; nil for others
	tree     []byte           // a document as package bracket writes it
}

// newCollector returns a collector without any input.
func newCollector(opt Options) *collector {
	labelIn, _ := opt.labelIn() // checked by Options.check
	c := &collector{opt: opt, limit: opt.limit(), longest: MaxRecord, labelIn: labelIn}
	for _, name := range opt.Numbers {
		at := opt.Beside.place(name)
		if c.places = append(c.places, at); at == notBeside {
			c.opt.own = append(c.opt.own, name)
		}
	}
	return c
}

// start begins an input.
func (c *collector) start(in Input, format Format) {
	c.set = &Set{Source: in.Path, Format: format, Fields: make([][]string, len(c.opt.Fields)), start: c.total}
	c.common, c.class, c.early, c.ids, c.trees, c.numbered = in.Label, in.class, c.names, idTable{}, nil, false
	c.set.classBy, c.set.common, c.set.operand = in.classBy, in.Label != "", in.operand
	if format.hasHeaders() {
		c.set.trained = c.labelIn.Name
		c.set.classBy = cmp.Or(c.labelIn.Source(), in.classBy)
	}
	if tree := c.opt.treeOptions(format); tree.Syntax != "" {
		c.trees, _ = trees.New(tree) // checked by Options.check
	}
	if c.batch != nil {
		c.labels, c.batch.lines, c.batch.some = nil, nil, false
	}
}

// another returns an empty set of the same input.
func (c *collector) another() *Set {
	return &Set{Source: c.set.Source, Format: c.set.Format, layout: c.set.layout, folder: c.set.folder,
		ColumnNames: c.set.ColumnNames,
		Fields:      make([][]string, len(c.opt.Fields)),
		classBy:     c.set.classBy, trained: c.set.trained, byOrder: c.set.byOrder, before: c.set.before + len(c.set.Lines),
		common: c.set.common, operand: c.set.operand, start: c.total}
}

// close ends the input after its parser has returned err. An input without records is an error.
func (c *collector) close(err error) error {
	if err == nil {
		c.end()
	}
	if c.batch != nil && c.batch.err != nil {
		return c.batch.err
	}
	switch {
	case err != nil:
		return err
	case len(c.set.Lines) > 0:
		c.sets = append(c.sets, c.set)
		c.records += len(c.set.Lines)
		c.set = c.another()
	case c.batch == nil || !c.batch.some:
		return &Error{File: c.set.Source, Err: lines.ErrNoRecords}
	}
	return nil
}

// Errorf returns an error about the given line of the input and the record being read, if any.
func (c *collector) Errorf(line int, format string, args ...any) *Error {
	e := &Error{File: c.set.Source, Line: line, Err: fmt.Errorf(format, args...)}
	e.File = cmp.Or(c.file, e.File)
	if c.open && !c.numbered && c.set.Format != Documents {
		e.Record = c.id
	}
	return e
}

// header begins a record whose header line, without its first byte, is h.
func (c *collector) header(h []byte, line int) error {
	h = lines.Trim(h)
	if bytes.IndexByte(h, '\r') >= 0 {
		return c.Errorf(line, "%w", lines.ErrLoneCR)
	}
	id, description := lines.CutWord(h)
	if c.stream == nil && c.labelIn.IsLabel(id) {
		id, description = nil, h
	}
	return c.begin(id, description, line)
}

// begin begins a record after a check of its id.
func (c *collector) begin(id, description []byte, line int) error {
	description = lines.Trim(description)
	if len(id) == 0 {
		if len(description) > 0 && !c.opt.RepeatedIDs {
			return c.Errorf(line, "header without an id, whose first word is a label: %s", lines.Quote(string(description)))
		}
		if !c.opt.RepeatedIDs || c.labelIn.ID && !c.opt.IDsOnly && len(description) == 0 {
			return c.Errorf(line, "header without an id")
		}
		c.set.unnamed = true
		id = strconv.AppendInt(nil, int64(c.set.before+len(c.set.Lines)+1), 10)
	}
	if at := lines.IndexControl(id, true); at >= 0 {
		return c.Errorf(line, "%s in the id %s", lines.ByteName(id[at]), lines.Quote(string(id)))
	}
	if bytes.IndexByte(description, 0) >= 0 {
		return c.Errorf(line, "NUL byte in the header of %s", lines.Quote(string(id)))
	}
	if err := c.room(line); err != nil {
		return err
	}
	if c.stream != nil && c.stream.err != nil {
		return c.stream.err
	}
	if c.id = string(id); !c.opt.IDsOnly || len(c.opt.Fields)+len(c.opt.Numbers) > 0 {
		c.description = string(description)
		if c.stream == nil {
			c.beside += len(description)
		}
	}
	if !c.passing() {
		c.names += len(id)
	}
	c.open, c.line, c.length, c.column = true, line, 0, 0
	if err := c.labelInHeader(line); err != nil {
		return err
	}
	c.fields = c.fields[:0]
	for _, name := range c.opt.Fields {
		value, err := c.valueOf(name, line)
		if err != nil {
			return err
		}
		if err := c.field(name, value, line); err != nil {
			return err
		}
	}
	if err := c.takeNumbers(line, func(_ int, name string) (string, error) { return c.valueOf(name, line) }); err != nil {
		return err
	}
	return c.unique(line)
}

// labelInHeader takes the label of the record that begins.
func (c *collector) labelInHeader(line int) error {
	if c.stream != nil || c.common != "" || !c.described(c.set.Format) {
		return nil
	}
	label, given, err := c.labelIn.Of(c.id, c.description)
	if err != nil {
		return c.Errorf(line, "%w", err)
	}
	c.label, c.guessed = label, !given
	if c.labelIn == (lines.HeaderLabel{}) {
		return nil
	}
	return c.checkName("label", []byte(label), line)
}

// valueOf returns the value of NAME=… in the header of the record that begins.
func (c *collector) valueOf(name string, line int) (string, error) {
	value, given := lines.FieldOf(c.description, name)
	if !given {
		return "", c.Errorf(line, "%w", lines.MissingField(name, c.description))
	}
	return value, nil
}

// field takes a value of Options.Fields.
func (c *collector) field(name, value string, line int) error {
	if value == "" {
		return c.Errorf(line, "%s is empty", name)
	}
	c.beside += fieldBytes + len(value)
	c.fields = append(c.fields, value)
	return c.checkName(name, []byte(value), line)
}

// unique returns an error if the id of the record that begins was used before. It is called for every record or for
// none.
func (c *collector) unique(line int) error {
	if c.opt.RepeatedIDs || c.passing() {
		return nil
	}
	first, isNew := c.ids.add(c.id)
	if isNew {
		return nil
	}
	return c.duplicate(first, line)
}

// comparedIDs is how many records of a stream have their ids compared.
var comparedIDs = 1 << 21 // a variable for tests

// passing reports whether nothing is kept of the record, nor of those to come: so memory does not grow with a stream.
func (c *collector) passing() bool { return c.stream != nil && c.stream.index >= comparedIDs }

// duplicate returns the error of a record with the id of an earlier one.
func (c *collector) duplicate(first, line int) error {
	if c.numbered {
		what := "line number"
		if c.set.layout == jsonList {
			what = "number of the object"
		}
		return c.Errorf(line, "the %s, which is used as the id, is the id of an earlier record", what)
	}
	if at := c.lineOf(first); at > 0 {
		return c.Errorf(line, "duplicate id, first used on line %d", at)
	}
	return c.Errorf(line, "duplicate id of records %d and %d", first+1, len(c.ids)+1)
}

// lineOf returns the line at which a record begins, those of earlier batches counted.
func (c *collector) lineOf(record int) int {
	if c.batch == nil {
		return c.set.Lines[record]
	}
	if early := len(c.batch.lines); record >= early {
		return c.set.Lines[record-early]
	}
	return c.batch.lines[record]
}

// sequence adds a piece of a sequence line after a check of its bytes. White space at the end of the line is dropped.
func (c *collector) sequence(p lines.Piece, line int) error {
	data := lines.TrimRight(p.Data)
	if p.First {
		c.column = 0
	}
	if len(data) < len(p.Data) && !p.Last {
		return c.Errorf(line, "white space inside the sequence, column %d", c.column+len(data)+1)
	}
	return c.letters(data, line)
}

// letters adds letters to the record after a check of each.
func (c *collector) letters(data []byte, line int) error {
	if len(data) == 0 {
		return nil
	}
	added, err := c.raw(data, line)
	if err != nil {
		return err
	}
	if bad := lines.Sequence(added, c.opt.Case == CaseKept || c.opt.Case == CaseSites); bad < len(data) {
		column := c.column + bad + 1
		switch b := data[bad]; b {
		case '\r':
			return c.Errorf(line, "%w", lines.ErrLoneCR)
		case ' ', '\t':
			return c.Errorf(line, "white space inside the sequence, column %d", column)
		default:
			return c.Errorf(line, "%s in the sequence, column %d; want letters, '*', '-' or '.'", lines.ByteName(b),
				column)
		}
	}
	c.column += len(data)
	if c.stream != nil {
		c.stream.convert(added)
		return c.stream.flush(c.id)
	}
	return nil
}

// raw adds bytes to the record without looking at them and returns them where they now are.
func (c *collector) raw(data []byte, line int) ([]byte, error) {
	if c.stream != nil {
		c.length += len(data)
		return c.stream.add(data), nil
	}
	if len(data) > c.limit-c.total {
		return nil, c.Errorf(line, "more than %d letters; split the input", c.limit)
	}
	if len(data) > c.longest-c.length {
		return nil, c.Errorf(line, "more than %d letters; split the record", c.longest)
	}
	if err := c.Fits(2*len(data), line); err != nil {
		return nil, err
	}
	if c.opt.Ambiguous == AmbiguousError {
		c.marks.add(c.total, len(data), line)
	}
	if err := c.makeRoom(len(data), line); err != nil {
		return nil, err
	}
	c.builder.Append(data)
	c.length += len(data)
	c.total += len(data)
	pending := c.builder.Pending()
	return pending[len(pending)-len(data):], nil
}

// described reports whether descriptions are kept, and which labels are from them.
func (c *collector) described(f Format) bool { return !f.Text() && !c.opt.IDsOnly }

// labelled reports whether labels are kept.
func (c *collector) labelled(f Format) bool {
	return c.described(f) || f.Text() && (f != Lines || c.common != "")
}

// labelSets reports whether all labels of each record are kept.
func (c *collector) labelSets(f Format) bool {
	return f == Reuters || f == KeLP || (f == JSONL || f == FastText) && c.opt.LabelLists
}

// end ends the record that is open, if any.
func (c *collector) end() {
	if !c.open {
		return
	}
	c.open = false
	if c.stream != nil {
		if !c.passing() {
			c.set.Lines = append(c.set.Lines, c.line)
		}
		c.stream.end(c.id)
		return
	}
	if len(c.numbers) > 0 {
		_ = c.makeRoom(len(c.numbers), c.line) // a few letters; where there is no room the next record is refused
		c.builder.Append(c.numbers)
		c.total += len(c.numbers)
	}
	c.builder.End(c.id)
	c.set.Lines = append(c.set.Lines, c.line)
	for k, value := range c.fields {
		c.set.Fields[k] = append(c.set.Fields[k], value)
	}
	switch s := c.set; {
	case s.Format == Lines || !c.labelled(s.Format):
	case s.Format.Text():
		s.Labels = append(s.Labels, cmp.Or(c.label, c.class))
		if s.Format == DotBracket {
			s.guessed = append(s.guessed, c.guessed && c.common == "")
		} else {
			s.byOrder = c.guessed && c.common == ""
		}
		if c.labelSets(s.Format) {
			s.LabelSets = append(s.LabelSets, c.topics)
		}
	default:
		s.Descriptions = append(s.Descriptions, c.description)
		if c.guessed && c.class != "" {
			c.label, c.guessed = c.class, false
		}
		s.Labels, s.guessed = append(s.Labels, c.label), append(s.guessed, c.guessed && c.common == "")
	}
	if c.common != "" && c.labelled(c.set.Format) {
		c.set.Labels = append(c.set.Labels[:len(c.set.Lines)-1], c.common)
	}
	if c.batch != nil && c.full() {
		c.give()
	}
}

// pack returns the records of all inputs that have ended.
func (c *collector) pack() (*Collection, error) {
	all := &Collection{Sets: c.sets}
	c.settle(all)
	c.labelByIDs()
	all.Corpus = c.builder.Corpus()
	first := 0
	for _, s := range all.Sets {
		s.Corpus = all.Corpus
		if len(all.Sets) > 1 {
			s.Corpus = all.Corpus.Slice(first, first+len(s.Lines))
		}
		first += len(s.Lines)
		if !slices.ContainsFunc(s.Labels, func(label string) bool { return label != "" }) {
			s.Labels = nil
		}
	}
	if c.opt.Ambiguous == AmbiguousError {
		if err := c.refuse(all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// idTable finds ids that occur twice: it has the place of each in the order of add.
type idTable map[string]int

// add adds an id and returns its place and true, or the place of an equal one and false.
func (t idTable) add(id string) (int, bool) {
	if place, known := t[id]; known {
		return place, false
	}
	t[id] = len(t)
	return len(t) - 1, true
}

// batcher takes the records of a collector and passes them on.
type batcher struct {
	size  int
	visit func(*Collection) error
	err   error // of visit, or about a set
	lines []int // of the records of the input that were passed on, if they have their own ids
	some  bool  // records of the input were passed on
}

// Bytes of a value of a field, in a list that is copied as it grows.
const fieldBytes = 40
