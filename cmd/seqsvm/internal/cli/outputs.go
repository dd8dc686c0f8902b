package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/seqsvm/seqsvm/seqio/atomicfile"
)

// Output is a result of a command, which goes to the file that an option names, or to standard output for "-".
type Output struct {
	option string
	path   string
	main   bool // goes to standard output if the option is not given
	raw    bool // is not compressed, whatever its name
	call   *Call

	checkName func() error // whether it promises what the file holds; nil: any name will do

	file io.Writer // nil for standard output
}

// Output binds the option that names the file of the main result, by default standard output, in the section OfOutput.
// It holds what --format says.
func (f *Flags) Output(p *Output, names, usage string) *Option {
	f.Section(OfOutput)
	p.main = true
	return f.File(p, names, usage).Holds(ByFormat).Default("standard output")
}

// File binds an option that names the file of an optional result, a table unless [Option.Holds] says otherwise.
func (f *Flags) File(p *Output, names, usage string) *Option {
	o := f.String(&p.path, names, "", usage).Holds(TSV)
	f.outputs = append(f.outputs, p)
	p.option = o.names[0]
	p.checkName = func() error { return f.checkName(o, p) }
	return o
}

// OutputIn returns an output of that name in the folder that an option names.
func OutputIn(option, folder, name string) *Output {
	return &Output{option: option, path: filepath.Join(folder, name)}
}

// Given reports whether the option was given.
func (o *Output) Given() bool { return o.path != "" }

// Path is the name of the file, "" if the option was not given.
func (o *Output) Path() string { return o.path }

// Indexed leaves the compression of the file to the command, and returns the output for its index, of the same name
// with a suffix.
func (o *Output) Indexed(suffix string) *Output {
	o.raw = true
	return o.Beside(suffix)
}

// Beside returns an output, not compressed, of the same name with a suffix.
func (o *Output) Beside(suffix string) *Output {
	return &Output{option: o.option, path: o.path + suffix, raw: true}
}

func (o *Output) wanted() bool { return o.Given() || o.main }

// Create opens outputs besides those that options name, which are open when a command runs: a wrong name costs no time.
// A command that fails leaves none of the files; one that succeeds gives them their names.
func (c *Call) Create(outputs ...*Output) error {
	for _, o := range outputs {
		o.call = c
		if err := c.checkDistinct(o); err != nil {
			return err
		}
		c.created = append(c.created, o)
		if o.checkName != nil {
			if err := o.checkName(); err != nil {
				return err
			}
		}
		if isStandard(o.path) {
			continue
		}
		f, err := c.create(o.path)
		if err != nil {
			return err
		}
		c.files, o.file = append(c.files, f), f
	}
	return nil
}

// Afterwards has a function run when the outputs have their names.
func (c *Call) Afterwards(do func() error) { c.afterwards = append(c.afterwards, do) }

// withOutputs opens the outputs, calls run and, if it succeeds, gives the files their names.
func (c *Call) withOutputs(run func(c *Call) error) error {
	defer func() {
		for _, f := range c.files {
			f.Abort() // after Commit it does nothing
		}
	}()
	if err := c.Create(c.Flags.outputs...); err != nil {
		return err
	}
	if err := run(c); err != nil {
		return err
	}
	var steps []func() error
	for _, z := range c.compressors {
		steps = append(steps, z.Close)
	}
	for _, f := range c.files {
		steps = append(steps, f.Flush)
	}
	for _, f := range c.files {
		steps = append(steps, f.Commit)
	}
	for _, step := range append(steps, c.afterwards...) {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// create opens an output file in memory, if there is one of that name, else on the disk.
func (c *Call) create(path string) (output, error) {
	if f := c.Files.create(path); f != nil {
		return f, nil
	}
	return atomicfile.Create(path)
}

// CheckOutput returns an error if a file that an option makes the command write, without being an Output, is an input.
func (c *Call) CheckOutput(option, path string) error {
	return c.checkDistinct(&Output{option: option, path: path})
}

// checkDistinct returns an error if an output is the same file as an input or one that is open.
func (c *Call) checkDistinct(o *Output) error {
	if !o.wanted() {
		return nil
	}
	if !isStandard(o.path) {
		if err := c.confine(o.path); err != nil {
			return err
		}
	}
	for _, other := range c.created {
		if other.wanted() && SameFile(o.path, other.path) {
			name := o.path
			if isStandard(name) {
				name = "standard output"
			}
			return Usagef("--%s and --%s are the same file, %s, want two", other.option, o.option, name)
		}
	}
	for _, input := range c.inputs() {
		if !isStandard(o.path) && SameFile(o.path, input) {
			return Usagef("--%s %s would replace an input, want another file", o.option, o.path)
		}
	}
	return nil
}

// Parquet reports whether the output's name asks for Parquet, in which [Output.WriteTable] writes it.
func (o *Output) Parquet() bool { return promised(o.path) == Parquet }

// Write calls fill with the file or standard output, if the output is wanted. What it writes is no table.
func (o *Output) Write(fill func(w io.Writer) error) error {
	if o.Parquet() {
		return Usagef("--%s %s: this output is not written as Parquet, want another name, as in *.tsv", o.option, o.path)
	}
	return o.write(fill)
}

func (o *Output) write(fill func(w io.Writer) error) error {
	if !o.wanted() {
		return nil
	}
	if o.file != nil {
		return fill(o.compressed())
	}
	o.call.progress.hide(o.call.Out)
	w := bufio.NewWriter(o.call.Out)
	if err := fill(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	return nil
}

// compressed returns the file or, if its name says that it is compressed, what compresses to it.
func (o *Output) compressed() io.Writer {
	if z := compressor(o.file, o.path); z != nil && !o.raw {
		o.call.compressors = append(o.call.compressors, z)
		o.file, o.raw = z, true
	}
	return o.file
}

// WriteTable calls fill with a table that goes to the file or standard output, if the output is wanted. JSON is a
// format: an object per row; so is Parquet, if the name of the file asks for it.
func (o *Output) WriteTable(format string, fill func(t *Table)) error {
	format = o.formatOf(format)
	return o.write(func(w io.Writer) error { return o.call.WriteTable(w, format, fill) })
}

// formatOf returns the format of a table that goes to the output.
func (o *Output) formatOf(format string) string {
	if o.Parquet() {
		return Parquet
	}
	return format
}

// WriteAs writes a value as one JSON object if that is the format, otherwise the table that fill writes, to the file or
// standard output, if the output is wanted.
func (o *Output) WriteAs(format string, value any, fill func(t *Table)) error {
	format = o.formatOf(format)
	return o.write(func(w io.Writer) error {
		return o.call.writeAs(w, format, value, fill, o.file == nil && o.call.ToReaders())
	})
}

// Report writes a value as Output.WriteAs does, after the outputs have their names, to standard output or, if one of
// the outputs is there, with the messages.
func (c *Call) Report(format string, value any, fill func(t *Table)) {
	c.Afterwards(func() error {
		w := c.Out
		if slices.ContainsFunc(c.created, func(o *Output) bool { return o.path == "-" }) {
			w = c.remarks()
		}
		c.progress.hide(c.Out)
		return c.writeAs(w, format, value, fill, isTerminal(w))
	})
}

func isStandard(path string) bool { return path == "" || path == "-" }

// SameFile reports whether two paths are one file, or would be if it existed. "-" and "" are standard streams.
func SameFile(a, b string) bool {
	if isStandard(a) || isStandard(b) {
		return isStandard(a) && isStandard(b)
	}
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(x, y) && x.Mode().IsRegular()
	}
	x, errA = os.Stat(filepath.Dir(a))
	y, errB = os.Stat(filepath.Dir(b))
	return errA == nil && errB == nil && os.SameFile(x, y) && filepath.Base(a) == filepath.Base(b)
}

// Files are files in memory. A command line that names one of them means it, not a file of the disk.
type Files struct {
	Read    map[string][]byte        // files that commands read: records, labels, models
	Written map[string]*bytes.Buffer // files that commands write; a command that fails leaves them as they were
	Kept    map[string]*Kept         // those of Read that other command lines will read again
}

// Kept is a file in memory that several command lines read, one after another.
type Kept struct {
	Content []byte
	read    any // what it was last read as
}

// ReadOnce calls read, unless the path is that of a kept file that was read as a T before: that one is returned, which
// nobody may change.
func ReadOnce[T any](c *Call, path string, read func() (T, error)) (T, error) {
	if c.Files == nil || c.Files.Kept[path] == nil {
		return read()
	}
	kept := c.Files.Kept[path]
	if value, known := kept.read.(T); known {
		return value, nil
	}
	value, err := read()
	if err == nil {
		kept.read = value
	}
	return value, err
}

// Content returns a file in memory that is read.
func (f *Files) Content(path string) (content []byte, found bool) {
	if f == nil {
		return nil, false
	}
	content, found = f.Read[path]
	return content, found
}

// create opens a file in memory that is written, if there is one of that name.
func (f *Files) create(path string) *memoryFile {
	if f == nil || f.Written[path] == nil {
		return nil
	}
	return &memoryFile{to: f.Written[path]}
}

// output is a file that gets its content when all is written.
type output interface {
	io.Writer
	Flush() error
	Commit() error
	Abort() error
}

// memoryFile is an output in memory.
type memoryFile struct {
	bytes.Buffer
	to *bytes.Buffer
}

func (f *memoryFile) Flush() error { return nil }

func (f *memoryFile) Abort() error { return nil }

// Commit replaces the content of the file.
func (f *memoryFile) Commit() error {
	f.to.Reset()
	if _, err := f.WriteTo(f.to); err != nil {
		return fmt.Errorf("file in memory: %w", err)
	}
	return nil
}

// compressed is a file that is compressed while it is written. Closing it does not close the file.
type compressed struct {
	*bufio.Writer // of the compressor, since rows are short
	compressor    io.Closer
}

// compressor returns a writer that compresses to a file, with gzip or zstd if its name ends in .gz or .zst, otherwise
// nil. The bytes depend on what is written alone.
func compressor(file io.Writer, name string) io.WriteCloser {
	const buffer = 64 << 10
	switch {
	case EndsInGzip(name):
		z := gzip.NewWriter(file)
		return compressed{bufio.NewWriterSize(z, buffer), z}
	case strings.HasSuffix(name, ".zst"):
		z, err := zstd.NewWriter(file, zstd.WithEncoderConcurrency(1))
		if err != nil {
			panic(err) // there is no option that could be wrong
		}
		return compressed{bufio.NewWriterSize(z, buffer), z}
	}
	return nil
}

// EndsInGzip reports whether what is written to a file of that name is compressed with gzip.
func EndsInGzip(name string) bool { return strings.HasSuffix(name, ".gz") }

// Close writes out what is left.
func (c compressed) Close() error { return cmp.Or(c.Flush(), c.compressor.Close()) }

// Contents of files beside the formats of --format.
const (
	ModelFile = "model"
	FASTA     = "fasta"
	HTML      = "html"
	NPZ       = "npz"
	BED       = "bed"
	Anything  = "" // what is not known before the command runs
)

// suffixes are those of names that promise a format.
var suffixes = map[string][]string{
	ModelFile: {".seqsvm"}, TSV: {".tsv"}, "csv": {".csv"}, JSON: {".json", ".jsonl", ".ndjson"}, "npy": {".npy"},
	NPZ: {".npz"}, "mtx": {".mtx"}, "libsvm": {".libsvm", ".svmlight"}, FASTA: {".fa", ".fasta", ".fna", ".faa"},
	BED: {".bed"}, "bedgraph": {".bedgraph", ".bdg", ".bg"}, "bigwig": {".bigwig", ".bw"}, "gff3": {".gff3", ".gff"},
	"meme": {".meme"}, "jaspar": {".jaspar"}, HTML: {".html", ".htm"}, "svg": {".svg"}, "png": {".png"}, "pdf": {".pdf"},
	"vcf": {".vcf"}, "wig": {".wig"}, "xlsx": {".xlsx"}, Parquet: {".parquet"}, "hdf5": {".h5", ".hdf5"},
}

// promised returns the format that a name promises by its suffix, which .gz or .zst may follow; "" if it promises none.
func promised(path string) string {
	name := strings.ToLower(path)
	for _, compressed := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, compressed)
	}
	for format, list := range suffixes {
		if slices.Contains(list, filepath.Ext(name)) {
			return format
		}
	}
	return ""
}

// Holds says what the file of an output option holds where that is no table and not what --format says.
func (o *Option) Holds(format string) *Option {
	o.holds = format
	return o
}

// ByFormat is what the main output of a command holds: what --format says.
const ByFormat = "--format"

// checkName makes the format that the name of the main output promises the one of --format, unless that is given. It
// returns an error if the name of an output promises another format than the option holds.
func (f *Flags) checkName(o *Option, p *Output) error {
	if o.holds != ByFormat {
		return p.CheckHolds(o.holds)
	}
	format := f.find("format")
	if format == nil {
		return p.CheckHolds(TSV)
	}
	if want := promised(p.path); !format.given && slices.Contains(format.choices(), want) {
		return format.set(want)
	}
	err := p.CheckHolds(format.text(), format.choices()...)
	if err != nil && f.find("plot") != nil && slices.Contains([]string{"svg", "png", "pdf"}, promised(p.path)) {
		return Usagef("%w; --plot FILE has the picture", err)
	}
	return err
}

// CheckHolds returns an error if the name of an output promises another format than it holds; it lists the choices of
// --format.
func (o *Output) CheckHolds(format string, choices ...string) error {
	want := promised(o.path)
	switch {
	case want == "" || format == Anything || want == format || want == Parquet && format == TSV:
		return nil
	case slices.Contains(choices, want):
		return Usagef("--%s %s: the name promises %s, and --format is %s; want --format %s or another name", o.option, o.path,
			want, format, want)
	}
	var can []string
	for _, choice := range choices {
		if list := suffixes[choice]; list != nil {
			can = append(can, "*"+list[0])
		}
	}
	other := "another name"
	if can != nil {
		other += ", as in " + strings.Join(can, ", ")
	}
	return Usagef("--%s %s: the name promises %s, and the file would be %s; want %s", o.option, o.path, want, format, other)
}
